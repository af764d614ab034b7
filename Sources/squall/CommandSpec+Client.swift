extension CommandSpec {
    static let clientInit = CommandSpec(
        kind: .clientInit, name: "client init",
        summary: "ask a client what it can do, run the smoke set, write its client file",
        usage: "squall client init [-o FILE] [options] -- COMMAND ARGS...",
        options: [
            Option(
                name: "-o", argument: "FILE", summary: "the file to write (default client.yaml)"),
            Option(
                name: "--profile", argument: "NAME|FILE",
                summary: "habits of the client (default: what it says of itself)"),
            Option(
                name: "--jobs", argument: "N",
                summary: "scenarios at once (default: as many as there are cores)"),
            Option(
                name: "--time-scale", argument: "FACTOR",
                summary: "factor for every duration (default 0.1 or 1)"),
            Option(
                name: "--force", argument: nil, summary: "write over a file that is there"),
            help,
        ],
        takesPaths: false, takesCommand: true, drivesClients: true,
        example: """
            squall client init -- python3 my_client.py
            squall client init -o clients/mine.yaml -- node adapter.js
            """)

    static let clientCheck = CommandSpec(
        kind: .clientCheck, name: "client check",
        summary: "read a client file and all that it names, without a run",
        usage: "squall client check FILE...", options: [help],
        operand: "FILE is a client file: Conformance/CLIENTS.md explains it",
        example: "squall client check client.yaml")
}
