import StorageModel

/// `scenarios/RULES.md`, made from the rule book.
enum RulesPage {
    static var text: String {
        ([introduction] + Rule.Kind.allCases.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Rules

        What the scenarios of this folder hold a client to: a scenario names in `source` the rules that
        it is about, and when it fails, the report prints their sentences. `squall rules W4` shows one.
        Made by `squall rules --markdown` from the rule book in the code; a test holds both together.

        A number never changes its meaning; a new rule takes the next number of its kind.

        D and W are **published**: a public text says them, so that a scenario of the level `must`
        cites at least one. R is what nobody wrote down and every user counts on: a scenario that
        cites R alone is at most `should`.

        Sources that look like `owner/repository#1` are public reports on GitHub; those that end in a
        file are a project of that name there and the file in it; RFC are at rfc-editor.org.
        """

    private static func section(_ kind: Rule.Kind) -> String {
        let rules = RuleBook.all.filter { $0.kind == kind }
        var lines = ["## \(title(kind))", "", about(kind), ""]
        let hasInvariants = rules.contains { $0.invariant != nil }
        lines.append("| rule | sentence | source |" + (hasInvariants ? " invariant |" : ""))
        lines.append("| --- | --- | --- |" + (hasInvariants ? " --- |" : ""))
        for rule in rules {
            let invariant = rule.invariant.map { "`\($0)`" } ?? ""
            lines.append(
                "| \(rule.name) | \(rule.sentence) | \(rule.source) |"
                    + (hasInvariants ? " \(invariant) |" : ""))
        }
        return lines.joined(separator: "\n")
    }

    private static func title(_ kind: Rule.Kind) -> String {
        switch kind {
        case .document: "D: what the product pages promise"
        case .wire: "W: what the wire protocol asks of a client"
        case .robustness: "R: what a client owes although nobody wrote it down"
        }
    }

    private static func about(_ kind: Rule.Kind) -> String {
        switch kind {
        case .document:
            """
            The pages "Upload files" and "Download files" of Cloud Storage for Firebase on Apple
            platforms, in our words. The profile `documented` is a client that keeps all of them.
            """
        case .wire:
            """
            The resumable protocol (`X-Goog-Upload-*`) and HTTP below it. Where the protocol has no
            public specification, the source is a client or a server that its owner published.
            """
        case .robustness:
            """
            The last column names the invariant that watches over the rule in every run of every
            scenario, whether it cites the rule or not.
            """
        }
    }
}
