import StorageModel

extension Shape {
    /// The block `backend`, and content.
    var backendTable: KeyTable? {
        switch self {
        case .backend: Self.wholeBackend
        case .bandwidth:
            KeyTable(keys: [
                optional("up", .rate, "towards the server"),
                optional("down", .rate, "towards the client"),
            ])
        case .token:
            KeyTable(keys: [
                optional(
                    "valid", .duration,
                    "how long it is valid from its first use; left out: for ever")
            ])
        case .connectionLimit:
            KeyTable(keys: [
                required("max", .integer(1...4000), "connections at once"),
                optional(
                    "then", .choice(BackendSettings.ConnectionLimit.Beyond.self),
                    "what becomes of one more; default refuse"),
            ])
        case .linkChange:
            KeyTable(keys: [required("at", .duration, "when")]) + Self.link
        case .linkState: Self.link
        case .resumable:
            KeyTable(keys: [
                required("lifetime", .someDuration, "how long an upload session lives; default 7d")
            ])
        case .settings: Self.settingsTable
        case .access:
            KeyTable(keys: [
                required(
                    "rules", .list(.shape(.accessRule)),
                    "a request is allowed when one of them allows it")
            ])
        case .accessRule: Self.rule
        case .object:
            Self.contentTable + Self.fields
                + KeyTable(keys: [
                    optional(
                        "copies", .integer(1...BackendLimits.copies),
                        "so many objects; the path has ${n} in it")
                ])
        case .content: Self.contentTable
        default: nil
        }
    }

    private static let wholeBackend = KeyTable(keys: [
        optional("bucket", .bucket, "the bucket that steps mean; default demo.appspot.com"),
        optional(
            "granularity", .someSize,
            "the unit of upload bodies that are not the last; default 256KiB"),
        optional(
            "access", .any([.words(["open", "signed-in"]), .shape(.access)]),
            "who may do what; default open"),
        optional("plan", .words(["blaze", "spark"]), "spark refuses executables; default blaze"),
        optional(
            "tokens", .map(.shape(.token), keys: .name), "the bearer tokens that the backend knows"),
        optional(
            "objects", .map(.shape(.object), keys: .any),
            "by path: the objects that are there at the start"),
        optional("latency", .duration, "time before each answer; default 0ms"),
        optional("bandwidth", .shape(.bandwidth), "rates of all transfers; default unlimited"),
        optional("connections", .shape(.connectionLimit), "how many connections there may be"),
        optional(
            "link", .list(.shape(.linkChange)),
            "when the network goes down and comes up, in the order of time"),
        optional("resumable", .shape(.resumable), "upload sessions"),
        optional(
            "keep", .words(["bytes", "verify"]),
            "verify: generated uploads are checked and thrown away; default bytes"),
        optional("settings", .shape(.settings), "where nobody knows what production does"),
    ])

    static let link = KeyTable(keys: [
        required("state", .words(["up", "down"]), "what the network becomes"),
        optional(
            "how", .words(["refuse", "blackhole"]),
            "what new connections meet while it is down; default refuse"),
        optional(
            "keep", .boolean,
            "true: established connections live on; false: they fall silent for good; default false"
        ),
    ])

    private static let settingsTable = KeyTable(keys: [
        optional(
            "offset-mismatch", .any([.words(["append", "overlap"]), .integer(400...599)]),
            "what a body at a wrong offset gets; default 400"),
        optional(
            "checksum-mismatch", .any([.words(["ignore"]), .integer(400...599)]),
            "what an upload with a wrong hash gets; default 400"),
        optional(
            "session-in-use", .integer(400...599),
            "what a second body of a session gets; default 423"),
        optional(
            "fresh-connections", .boolean, "true: the connection is closed after every answer"),
        optional(
            "resends", .choice(ScenarioBackend.Resends.self),
            "whether requests that a transport repeats by itself count"),
        optional(
            "overlapping-query", .choice(BackendSettings.OverlappingQuery.self),
            "what a query during a body does; default answer"),
    ])

    private static let rule = KeyTable(keys: [
        required("allow", .list(.choice(AccessRule.Right.self)), "the rights"),
        required("path", .glob, "the objects"),
        optional("signed-in", .boolean, "true: only with a valid token"),
        optional("tokens", .list(.name), "only with one of these tokens"),
        optional("max-size", .anySize, "only objects up to this size"),
        optional("content-type", .glob, "only objects of these types"),
    ])

    /// The fields of metadata that a client may set.
    static let fields = KeyTable(
        keys: MetadataFields.settable.map { optional($0, .text, "the field \($0)") } + [
            optional("custom", .map(.text, keys: .any), "fields of the user's own")
        ])

    static let contentTable = KeyTable(
        keys: [
            optional("size", .anySize, "so many generated bytes"),
            optional("seed", .anyNumber, "which bytes are generated"),
            optional("zeros", .boolean, "true: all bytes are zero"),
            optional("text", .text, "the bytes of a text in UTF-8"),
            optional("base64", .inner(.base64), "bytes in base64"),
            optional("file", .fileName, "a file beside the scenario"),
            optional("gzip", .boolean, "true: stored compressed"),
        ], oneOf: [["size", "text", "base64", "file"]],
        together: [("seed", with: "size"), ("zeros", with: "size")])
}
