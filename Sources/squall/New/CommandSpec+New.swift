extension CommandSpec {
    static let new = CommandSpec(
        kind: .new, name: "new",
        summary: "write a scenario to begin with, or one of what a server has seen",
        usage: "squall new [FILE|ID] [--topic TOPIC] | squall new --from JOURNAL [--out FILE]",
        options: [
            Option(
                name: "--topic", argument: "TOPIC",
                summary: "what it is about: upload, download, metadata, ... (a folder of the suite)"
            ),
            Option(
                name: "--from", argument: "JOURNAL",
                summary: "make it of what `squall serve --journal JOURNAL` wrote"),
            Option(
                name: "--out", argument: "FILE",
                summary: "the file that is written; without it and FILE: standard output"),
            help,
        ],
        operand: "FILE ends with .yaml; an ID such as retry/twice is put below scenarios",
        example: """
            squall new                                     a skeleton on standard output
            squall new retry/cut-twice.yaml --topic retry
            squall serve --fault "upload.body @ request-body 60%: disconnect reset" --journal seen.jsonl
            squall new --from seen.jsonl --out seen.yaml   what the app did, as a scenario
            """)
}
