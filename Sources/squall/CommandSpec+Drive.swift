extension CommandSpec {
    static let schema = CommandSpec(
        kind: .schema, name: "schema",
        summary: "print a JSON Schema: of scenario files, or of the driver protocol",
        usage: "squall schema scenario|faults|protocol [commands|reports]", options: [help],
        operand: "of the protocol 'commands' is what Squall sends, 'reports' what a client sends",
        example: """
            squall schema scenario > scenario.schema.json  for an editor
            squall schema protocol > protocol.schema.json
            squall schema protocol reports > reports.schema.json
            """)

    static let drive = CommandSpec(
        kind: .drive, name: "drive",
        summary: "talk by hand to a client behind the driver protocol, and see every line",
        usage: "squall drive [options] [-- COMMAND ARGS...]",
        options: [
            Option(
                name: "--client", argument: "FILE",
                summary: "the client's file instead of a command"),
            Option(
                name: "--dial-in", argument: "PORT",
                summary: "wait for a client that dials in over HTTP; the command opens it"),
            Option(
                name: "--fault", argument: "TEXT",
                summary: "a fault of the backend, as for 'squall serve'", isRepeatable: true),
            Option(
                name: "--data", argument: "FILE=OBJECT",
                summary: "a local file that is there as an object", isRepeatable: true),
            Option(
                name: "--scenario", argument: "FILE",
                summary: "backend, faults and client settings of a scenario; FILE[how=reset]"),
            Option(name: "--seed", argument: "N", summary: "seed of all draws (default 1)"),
            Option(
                name: "--chunk-size", argument: "SIZE",
                summary: "chunks that the client is to upload in (default 256KiB)"),
            Option(
                name: "--time-scale", argument: "FACTOR",
                summary: "factor for every duration that the client is told (default 1)"),
            Option(
                name: "--signed-in", argument: nil,
                summary: "somebody is signed in: the client has to ask for a token"),
            Option(
                name: "--replay", argument: "FILE",
                summary: "play the commands of a transcript again, and compare the reports"),
            help,
        ],
        takesPaths: false, takesCommand: true, drivesClients: true,
        example: """
            squall drive -- python3 my_client.py           then type 'help'
            echo 'upload up a.bin 1MiB' | squall drive -- ./my-client
            squall drive --replay kept/upload/empty-data.transcript -- ./my-client
            """)
}
