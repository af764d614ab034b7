import StorageModel

extension Shape {
    /// The file itself and its block `client`.
    var fileTable: KeyTable? {
        switch self {
        case .scenario: Self.scenarioTable
        case .client: Self.clientTable
        case .tokenScript:
            KeyTable(keys: [
                required(
                    "script", .some(.shape(.tokenAnswer)),
                    "one entry for each time that the client asks; the last one repeats")
            ])
        case .tokenAnswer:
            KeyTable(
                keys: [
                    optional("after", .duration, "how long the client waits for the answer"),
                    optional("give", .name, "the token that it gets"),
                    optional("fail", .text, "the words with which it gets none"),
                ], oneOf: [["give", "fail"]])
        case .instance:
            KeyTable(keys: [required("bucket", .bucket, "the bucket of this storage instance")])
        default: nil
        }
    }

    private static let scenarioTable = KeyTable(
        keys: [
            required("title", .text, "one sentence that can be false"),
            optional("about", .text, "why it matters to a user"),
            optional("symptom", .text, "what a user says when he has it"),
            optional(
                "source", .list(.text),
                "the rules that it is about (D17, W4, R13), field cases (B072) and links"),
            optional(
                "level", .choice(ScenarioFile.Level.self),
                "how binding it is; 'must' cites a published rule (D or W); default must"),
            optional(
                "class", .choice(ScenarioFile.Class.self),
                "the class of clients that it is for; default lifecycle"),
            optional(
                "smoke", .any([.boolean, .map(.data, keys: .name)]),
                "true: it is in the short set; with a matrix a mapping tells which rows are"),
            optional(
                "tags", .list(.name), "words of your own; 'nightly' keeps it out of the daily run"),
            optional(
                "since", .inner(.suiteVersion),
                "the version of the suite that brought it; default 1.0"),
            optional(
                "needs", .list(.choice(Capability.self)),
                "capabilities of the client that steps and expectations do not show"),
            optional(
                "matrix", .map(.some(.data), keys: .name),
                "names with lists of values: every combination is a scenario of its own"),
            optional(
                "matrix-exclude", .list(.map(.data, keys: .name)), "combinations that are left out"),
            optional("backend", .shape(.backend), "what the server is like and holds"),
            optional("client", .shape(.client), "how the client is set up"),
            optional(
                "faults", .list(.any([.inner(.faultLine), .shape(.fault)])),
                "what goes wrong, and when"),
            optional(
                "steps", .list(.any(Shape.steps.map { .shape($0) })),
                "what the client is made to do"),
            optional("expect", .shape(.expectation), "what must come of it"),
            optional(
                "profiles", .map(.data, keys: .profile),
                "by profile: what it changes in 'expect' or, as skip, why it is left out"),
            optional(
                "exchanges", .positive, "more exchanges than this are a failure; default 2000"),
            optional(
                "clock", .choice(ScenarioFile.Clock.self), "the clock that it needs; default any"),
            optional("deadline", .someDuration, "the time by which all must be over; default 1h"),
            optional(
                "settle", .duration, "silence watched after the last terminal event; default 5s"),
            optional(
                "repeat", .positive, "runs with different seeds, all of which must pass; default 1"),
        ], together: [("matrix-exclude", with: "matrix")])

    private static let clientTable = KeyTable(keys: [
        optional(
            "chunkSize", .any([.words(["whole"]), .someSize]),
            "bytes of a request body; whole: one request; default whole"),
        optional(
            "maxUploadRetryTime", .duration,
            "how long uploads are retried; 0s: not at all; default 10m"),
        optional("maxDownloadRetryTime", .duration, "how long downloads are retried; default 10m"),
        optional("maxOperationRetryTime", .duration, "how long all else is retried; default 2m"),
        optional(
            "idleTimeout", .someDuration, "silence after which a request is given up; default 60s"),
        optional("connections", .positive, "connections that the client may have at once"),
        optional(
            "token", .any([.words(["none"]), .name, .shape(.tokenScript)]),
            "who is signed in: none, a token of the backend, or a script of answers"),
        optional(
            "instances", .map(.shape(.instance), keys: .name),
            "further storage instances; steps say in: NAME"),
        optional("processes", .list(.name), "further processes; steps say process: NAME"),
    ])
}
