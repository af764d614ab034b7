extension CommandSpec {
    static let baselineUpdate = CommandSpec(
        kind: .baselineUpdate, name: "baseline update",
        summary: "propose what a client's lists of known failures should say",
        usage: "squall baseline update --client FILE [PATH...] [options]",
        options: [
            Option(
                name: "--client", argument: "FILE",
                summary: "the client's file, whose lists are looked at"),
            Option(
                name: "--report", argument: "FILE",
                summary: "the JSON report of a finished run; without it the client is run now"),
            Option(
                name: "--write", argument: nil,
                summary: "change the file too; without it nothing is changed"),
            generated, filter, smoke, suite,
            Option(name: "--seed", argument: "N", summary: "seed of all draws (default 1)"),
            Option(
                name: "--jobs", argument: "N",
                summary: "scenarios at once (default: as many as there are cores)"),
            Option(
                name: "--profile", argument: "NAME|FILE",
                summary: "habits of the client (default: as its file says, else documented)"),
            Option(
                name: "--time-scale", argument: "FACTOR",
                summary: "factor for every duration on the wall clock (default 0.1 or 1)"),
            help,
        ],
        drivesClients: true,
        example: """
            squall baseline update --client my-client.yaml        run it, print a diff
            squall run --client my-client.yaml --report json=run.json
            squall baseline update --client my-client.yaml --report run.json | patch -p0
            """)
}
