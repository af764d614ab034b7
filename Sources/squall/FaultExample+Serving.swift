import FaultEngine
import Scenario
import StorageModel

extension FaultExample {
    /// The command that serves it, for a shell in whose folder `photo.jpg` lies.
    var serveCommand: String {
        let fault =
            switch form {
            case .line(let lines): lines.map { " --fault " + Self.quoted($0) }.joined()
            case .file: " --scenario fault.yaml"
            }
        return "squall serve" + fault + options.map { " " + $0 }.joined()
            + " --data photo.jpg=photo.jpg"
    }

    /// What this version cannot carry out of it; nil: all of it is carried out.
    var missing: String? {
        diagnostics.first { $0.kind == .notYetSupported }?.message
    }

    private var diagnostics: [Diagnostic] {
        let loader = ScenarioLoader()
        switch form {
        case .line(let lines):
            return lines.flatMap { loader.fault($0, position: 1).diagnostics }
        case .file:
            let bytes = Array((scenarioText ?? "").utf8)
            return loader.read(bytes, file: "fault.yaml", id: "fault").diagnostics
        }
    }

    /// What curl makes of it, in words.
    var sightText: String {
        if let missing { return "(\(missing))" }
        guard let seen else { return "(not measured)" }
        return seen.text
    }

    /// As a word of a shell.
    private static func quoted(_ text: String) -> String {
        text.contains { "\"\\$`!".contains($0) }
            ? "'" + text.replacing("'", with: "'\\''") + "'" : "\"\(text)\""
    }
}

extension CatalogueFault {
    /// What this version cannot carry out of its examples; nil: all of them are carried out.
    var missing: String? { examples.lazy.compactMap(\.missing).first }
}

extension CurlSight {
    /// `exit 56 (Connection reset by peer), status 200`
    var text: String {
        let said = says.isEmpty ? "" : " (\(says))"
        let status = status == 0 ? "no status" : "status \(status)"
        let race = orExit.map { ", or exit \($0) where it overtakes the connecting" } ?? ""
        return "exit \(exit)\(exit == 0 ? "" : said)\(race), \(status)"
            + (exit == 0 && !says.isEmpty ? ", `\(says)`" : "")
    }
}
