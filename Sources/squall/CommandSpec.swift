/// A command as the help shows it and the parser reads it.
struct CommandSpec {
    enum Kind {
        case run
        case check
        case list
        case serve
        case faults
        case clientInit
        case clientCheck
        case baselineUpdate
        case schema
        case drive
        case rules
        case new
    }

    struct Option {
        let name: String
        /// What follows the option; nil for a flag.
        let argument: String?
        let summary: String
        var isRepeatable = false
        /// True when all words up to the next option belong to it, and none is needed.
        var takesWords = false
    }

    let kind: Kind
    /// One word, or two.
    let name: String
    let summary: String
    let usage: String
    let options: [Option]
    var takesPaths = true
    /// What the words are that stand beside the options.
    var operand =
        "PATH is a scenario file, a folder of them, or rows of the generated matrix by their id or "
        + "what it begins with: generated/upload.chunk; without one: scenarios"
    /// True when `-- COMMAND ARGS` may follow.
    var takesCommand = false
    /// True when it runs clients under test, which must not have the rights of root.
    var drivesClients = false
    let example: String

    static let all: [CommandSpec] = [
        run, serve, drive, check, list, new, faults, rules, schema, clientInit, clientCheck,
        baselineUpdate,
    ]

    /// The command that the first words name, with the words behind them.
    static func named(by words: [String]) -> (command: CommandSpec, rest: [String])? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let command = all.first(where: { $0.name == name }) {
                return (command, Array(words.dropFirst(count)))
            }
        }
        return nil
    }

    /// The commands of two words that begin with this one.
    static func family(_ word: String) -> [CommandSpec] {
        all.filter { $0.name.hasPrefix(word + " ") }
    }

    static let help = Option(name: "--help", argument: nil, summary: "show this help")

    static let filter = Option(
        name: "--filter", argument: "GLOB",
        summary: "only scenarios whose id fits (`*` in a segment, `**` across)",
        isRepeatable: true)

    static let smoke = Option(
        name: "--smoke", argument: nil,
        summary: "only the smoke set: a row of each topic, a minute in wall time")

    static let level = Option(
        name: "--level", argument: "must|should|may",
        summary: "only scenarios of this level; given twice, of both", isRepeatable: true)

    static let suite = Option(
        name: "--suite", argument: "VERSION",
        summary: "only what this version of the suite had, as 1.0")

    static let nightly = Option(
        name: "--nightly", argument: nil,
        summary: "those too that move very many bytes (`tags: [nightly]`)")

    static let generated = Option(
        name: "--generated", argument: nil,
        summary: "the generated matrix too: every fault at every moment of every request")

    private static let journalLimit = Option(
        name: "--journal-limit", argument: "N",
        summary: "exchanges of a server that are kept in memory (default 100000)")

    private static let run = CommandSpec(
        kind: .run, name: "run",
        summary: "run scenarios against a client and say which it passes",
        usage: "squall run [PATH...] [options] [--client FILE | -- COMMAND ARGS...]",
        options: [
            Option(
                name: "--client", argument: "FILE",
                summary: "the client under test: Conformance/CLIENTS.md explains its file"),
            generated, filter, smoke, level, suite, nightly,
            Option(name: "--seed", argument: "N", summary: "seed of all draws (default 1)"),
            Option(
                name: "--jobs", argument: "N",
                summary: "scenarios at once (default: as many as there are cores)"),
            Option(
                name: "--profile", argument: "NAME|FILE",
                summary: "habits of the client (default: as its file says, else documented)"),
            Option(
                name: "--dial-in", argument: "PORT",
                summary: "the client, which COMMAND opens, asks for its commands at this port"),
            Option(
                name: "--real-time", argument: nil,
                summary: "run the reference client on the wall clock"),
            Option(
                name: "--time-scale", argument: "FACTOR",
                summary: "factor for every duration on the wall clock (default 0.1 or 1)"),
            Option(
                name: "--budget", argument: "DURATION",
                summary: "wall time, as 5m: smoke set first, then by class; the rest is not run"),
            Option(
                name: "--repeat", argument: "N",
                summary: "the whole run N times; the digests must be equal"),
            Option(
                name: "--controls", argument: nil,
                summary: "negative controls for the reference client too (others always have them)"),
            journalLimit,
            Option(
                name: "--transcript", argument: "FOLDER",
                summary: "write every line to and from the client, a file for each scenario"),
            Option(
                name: "--client-logs", argument: "FOLDER",
                summary: "keep what the client writes to standard error, a file per scenario"),
            Option(
                name: "--report", argument: "console|junit=FILE|json=FILE",
                summary: "which reports to write (default console)", isRepeatable: true),
            Option(
                name: "--update", argument: nil,
                summary: "print a patch of what failed scenarios would expect; nothing is changed"),
            help,
        ],
        takesCommand: true, drivesClients: true,
        example: """
            squall run                                     the suite, the reference client
            squall run scenarios/cancel --seed 7           one topic, another seed
            squall run --filter 'retry/**' --report junit=out.xml
            squall run generated/upload.chunk              the generated rows of one request
            squall run --client my-client.yaml --smoke     a client and all that is known of it
            squall run -- python3 my_client.py             a client behind the driver protocol
            squall run --dial-in 9300                      a browser: open the page that is named
            """)

    private static let check = CommandSpec(
        kind: .check, name: "check",
        summary: "read scenario files and say what is wrong with them",
        usage: "squall check [PATH...] [--generated]", options: [generated, help],
        example: "squall check scenarios/cancel my-scenario.yaml")

    private static let list = CommandSpec(
        kind: .list, name: "list",
        summary: "print the ids of scenarios, one a line, each row of a matrix",
        usage: "squall list [PATH...] [--filter GLOB] [--profile NAME|FILE [--expect]] [--show]\n"
            + "       squall list [PATH...] --symptom [WORDS... | --markdown]",
        options: [
            generated,
            Option(
                name: "--undecided", argument: nil,
                summary: "the rows of the generated matrix that no rule decides; they are not run"),
            Option(
                name: "--show", argument: nil,
                summary: "print the one scenario that is meant as a file, to keep and to edit"),
            filter, smoke, level, suite, nightly,
            Option(
                name: "--profile", argument: "NAME|FILE",
                summary: "say what this profile leaves out, and why"),
            Option(
                name: "--expect", argument: nil,
                summary: "show what is expected, and what the profile changed"),
            Option(
                name: "--symptom", argument: "WORDS...",
                summary: "the files about what a user says: all words, in any case; without: all",
                takesWords: true),
            Option(
                name: "--markdown", argument: nil,
                summary: "write the table of contents of scenarios/README.md; with --symptom the "
                    + "page scenarios/SYMPTOMS.md"),
            Option(
                name: "--coverage", argument: nil,
                summary: "print tables of what the scenarios cover: topics, rules, moments"),
            help,
        ],
        example: """
            squall list --filter 'partial/**'
            squall list --symptom paused download
            squall list --profile apple --expect scenarios/cancel/running-upload.yaml
            squall list generated/upload.query/try-later
            squall list --show generated/delete/conflict/respond-409/before-commit/once > my.yaml
            """)

    private static let serve = CommandSpec(
        kind: .serve, name: "serve",
        summary: "run the mock backend for any client that can be pointed at a host and port",
        usage: "squall serve [options]",
        options: [
            Option(
                name: "--host", argument: "ADDRESS",
                summary: "loopback address to listen on (default 127.0.0.1)"),
            Option(
                name: "--port", argument: "N",
                summary: "port to listen on (default 9199; 0: any free one)"),
            Option(
                name: "--tls", argument: nil,
                summary: "speak HTTPS with a throw-away certificate; needed for the `tls` faults"),
            Option(
                name: "--scenario", argument: "FILE",
                summary:
                    "backend and faults of a scenario; a matrix wants a row: FILE[how=reset]; a "
                    + "generated row its id"),
            Option(
                name: "--fault", argument: "TEXT",
                summary: "a fault: \"MATCH [path=GLOB] [@ AT]: ACTION [VALUE], ...\"",
                isRepeatable: true),
            Option(
                name: "--data", argument: "FILE=OBJECT",
                summary: "a local file that is there as an object", isRepeatable: true),
            Option(name: "--seed", argument: "N", summary: "seed of all draws (default 1)"),
            Option(
                name: "--sources", argument: "FOLDER",
                summary: "write what the scenario's steps upload into it, a file for each task"),
            Option(
                name: "--journal", argument: "FILE",
                summary: "write every exchange as a line of JSON"),
            journalLimit,
            Option(
                name: "--explain", argument: nil,
                summary: "say in each answer, in X-Squall-Fault, which faults have fired on it"),
            Option(
                name: "--control-port", argument: "N",
                summary: "loopback port of the control API (0: any free one)"),
            Option(
                name: "--control-token", argument: "TOKEN",
                summary: "who uses the control API must say it (better: SQUALL_CONTROL_TOKEN)"),
            Option(
                name: "--until-idle", argument: "DURATION",
                summary: "stop after so long without a request"),
            Option(
                name: "--allow-remote", argument: nil,
                summary: "listen on an address that is not loopback"),
        ] + LimitOptions.all + [help],
        takesPaths: false,
        example: """
            squall serve --fault "upload.body @ request-body 60%: disconnect reset"
            squall serve --fault "download#2: respond 404" --data photo.jpg=images/photo.jpg
            squall serve --scenario scenarios/lostreply/final-answer-lost.yaml
            squall serve --tls --fault "connect#1: tls expired"
            """)

    private static let faults = CommandSpec(
        kind: .faults, name: "faults",
        summary: "show the faults that the backend can make, with lines to try them",
        usage: "squall faults [NAME] [--outcomes] [--markdown]",
        options: [
            Option(
                name: "--outcomes", argument: nil,
                summary: "put every fault at every request to the reference client"),
            Option(
                name: "--markdown", argument: nil,
                summary: "write the page Conformance/FAULTS.md to standard output, or with "
                    + "--outcomes FAULT-TABLE.md"),
            help,
        ],
        operand: "NAME is a fault's name or number; without one: a line for each fault",
        example: """
            squall faults                                  all of them
            squall faults cut-download                     one, with its parameters and examples
            squall faults --markdown > Conformance/FAULTS.md
            squall faults --outcomes                       where the reference client departs
            squall faults --outcomes --markdown > Conformance/FAULT-TABLE.md
            """)
}
