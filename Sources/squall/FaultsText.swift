import FaultEngine

/// The catalogue on a terminal.
enum FaultsText {
    /// One line for each fault.
    static var table: String {
        let width = FaultCatalogue.all.map(\.name.count).max() ?? 0
        let lines = FaultCatalogue.all.map { fault in
            let mark = fault.missing == nil ? " " : "*"
            return "\(number(fault))\(mark) " + fault.name.padded(to: width + 2) + fault.summary
        }
        let isMissing = FaultCatalogue.all.contains { $0.missing != nil }
        return lines.joined(separator: "\n")
            + (isMissing ? "\n\n*  not carried out yet, or in part" : "")
            + "\n\nsquall faults NAME   the whole entry, with lines to try it"
    }

    /// Everything about one fault, with lines to paste.
    static func entry(_ fault: CatalogueFault) -> String {
        var lines = ["\(fault.number) \(fault.name)", fault.summary, ""]
        lines.append("at: " + fault.phases.joined(separator: ", "))
        let width = fault.parameters.map(\.name.count).max() ?? 0
        for parameter in fault.parameters {
            lines.append("  " + parameter.name.padded(to: width + 2) + parameter.meaning)
        }
        for example in fault.examples { lines += ["", "try it:"] + Self.example(example) }
        if !fault.proofs.isEmpty {
            lines += ["", "proven by: " + fault.proofs.joined(separator: ", ")]
        }
        lines += ["", "The short names stand for:", ""]
        lines += FaultCatalogue.shell.split(separator: "\n").map { "  " + $0 }
        return lines.joined(separator: "\n")
    }

    private static func example(_ example: FaultExample) -> [String] {
        var lines: [String] = []
        if let text = example.scenarioText {
            lines.append("  fault.yaml:")
            lines += text.split(separator: "\n").map { "    " + $0 }
        }
        lines.append("  $ " + example.serveCommand)
        lines.append("  $ " + example.trial)
        lines.append("  curl sees: " + example.sightText)
        return lines
    }

    private static func number(_ fault: CatalogueFault) -> String {
        fault.number < 10 ? " \(fault.number)" : "\(fault.number)"
    }
}
