import Foundation
import Scenario
import TestSupport
import Testing

/// The page of the language: its examples, and the suite's table of contents.
@Suite("scenarios/README.md")
struct ScenarioReadmeTests {
    private static let url = Command.root.appending(path: "scenarios/README.md")

    /// The blocks of YAML on the page.
    private static func examples() throws -> [String] {
        let text = try String(contentsOf: url, encoding: .utf8)
        return text.components(separatedBy: "\n```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first.map { $0 + "\n" }
        }
    }

    /// Parts of a file by their top key; lines before the first are dropped.
    private static func parts(_ text: String) -> [(key: String, text: String)] {
        var parts: [(key: String, text: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first.isLetter, let colon = line.firstIndex(of: ":") {
                parts.append((String(line[..<colon]), ""))
            }
            guard !parts.isEmpty else { continue }
            parts[parts.count - 1].text += line + "\n"
        }
        return parts
    }

    /// An example as a whole file: what it lacks comes from the frame.
    private static func whole(_ example: String, frame: String) -> String {
        guard !example.hasPrefix("title:") else { return example }
        let given = Set(parts(example).map(\.key))
        return parts(frame).filter { !given.contains($0.key) }.map(\.text).joined() + example
    }

    @Test("Every example is a scenario, alone or in the frame, without an error or a warning")
    func examplesLoad() throws {
        let examples = try Self.examples()
        #expect(examples.count > 25)
        let frame = try #require(examples.first { $0.hasPrefix("title: The frame") })
        for example in examples {
            let text = Self.whole(example, frame: frame)
            let plan = ScenarioLoader().read(Array(text.utf8), file: "example.yaml", id: "example")
            #expect(plan.diagnostics.map(\.text) == [], "\(text)")
            #expect(!plan.planned.isEmpty)
        }
    }

    @Test("Every example that is a whole file passes with the reference client")
    func wholeFilesRun() throws {
        let folder = try TemporaryDirectory()
        let files = try Self.examples().filter { $0.hasPrefix("title:") }
        #expect(files.count >= 3)
        for (index, text) in files.enumerated() {
            try folder.write(text, to: "example\(index).yaml")
        }
        let outcome = try Command.squall("run", folder.path)
        #expect(outcome.status == 0, "\(outcome.all)")
    }

    @Test("Every verb, action, phase and key of 'expect' has an example on the page")
    func isComplete() throws {
        let text = try Self.examples().joined()
        var words = StepVerb.Kind.allCases.map { "\($0.rawValue):" }
        for action in ScenarioWords.actions {
            words.append(action == "silence" ? action : action + ":")
        }
        for key in ScenarioWords.expectations + ScenarioWords.backend { words.append(key + ":") }
        let missing = words.filter { !text.contains($0) }
        #expect(missing == [])
        let page = try String(contentsOf: Self.url, encoding: .utf8)
        #expect(ScenarioWords.phases.filter { !page.contains("`\($0)") } == [])
    }

    @Test("The table of contents is that of the files")
    func contents() throws {
        let made = try Command.squall(arguments: ["list", "--markdown"], in: Command.root)
        let mark = "<!-- From here on: squall list --markdown -->\n"
        let parts = try String(contentsOf: Self.url, encoding: .utf8)
            .components(separatedBy: mark)
        let same = parts.count == 2 && parts[1] == made.output
        #expect(made.status == 0)
        #expect(
            same,
            """
            make it anew: sed -i '/^<!-- From here on/q' scenarios/README.md; \
            squall list --markdown >> scenarios/README.md
            """)
    }
}
