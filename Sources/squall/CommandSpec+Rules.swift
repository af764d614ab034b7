extension CommandSpec {
    static let rules = CommandSpec(
        kind: .rules, name: "rules",
        summary: "show the rules that scenarios cite, and where they are written",
        usage: "squall rules [NAME...] [--markdown]",
        options: [
            Option(
                name: "--markdown", argument: nil,
                summary: "write the page scenarios/RULES.md to standard output"),
            help,
        ],
        operand: "NAME is a rule as W4; without one: a line for each rule",
        example: """
            squall rules                                   all of them
            squall rules D17 W4                            two, with their sources
            squall rules --markdown > scenarios/RULES.md
            """)
}
