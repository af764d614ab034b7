import RunModel
import StorageModel

/// `squall rules`: the rules that scenarios cite.
struct RulesCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func perform() throws(UsageError) -> ExitCode {
        let names = arguments.paths
        if arguments.has("--markdown") {
            guard names.isEmpty else { throw UsageError("--markdown writes all rules at once") }
            Terminal.write(RulesPage.text)
            return .asPlanned
        }
        guard !names.isEmpty else {
            for rule in RuleBook.all { Terminal.print("\(rule.name): \(rule.sentence)") }
            return .asPlanned
        }
        var texts: [String] = []
        for name in names { texts.append(Self.text(of: try Self.rule(name))) }
        Terminal.print(texts.joined(separator: "\n\n"))
        return .asPlanned
    }

    private static func rule(_ name: String) throws(UsageError) -> Rule {
        if let rule = RuleBook.rule(named: name) { return rule }
        throw UsageError(
            "there is no rule '\(name)': the rules are \(RuleBook.ranges)",
            hint: Spelling.nearest(to: name.uppercased(), among: RuleBook.all.map(\.name)))
    }

    private static func text(of rule: Rule) -> String {
        var lines = ["\(rule.name): \(rule.sentence)", "  Source: \(rule.source)"]
        if let invariant = rule.invariant { lines.append("  Checked in every run: \(invariant)") }
        return lines.joined(separator: "\n")
    }
}
