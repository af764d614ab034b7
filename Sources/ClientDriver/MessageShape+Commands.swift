import StorageModel

// What Squall sends.
extension MessageShape {
    static let hello = call("hello", [.required("protocol", .ids)])
    static let sync = call("sync")
    static let end = call("end")
    static let tokenGiven = MessageShape([
        .required("answer", .ids), .required("token", .textOrNull),
    ])
    static let tokenFailed = MessageShape([.required("answer", .ids), .required("error", .text)])

    static let configure = call(
        "configure",
        [
            .required("run", .ids), .required("host", .text),
            .required("port", .integer(1...65535)), .required("bucket", .text),
            .required("directory", .text), .required("timeScale", .number(through: 1000)),
            .required("seed", .bytes), .optional("chunkSize", .integer(1...(1 << 53))),
            .required("maxUploadRetryMs", .milliseconds),
            .required("maxDownloadRetryMs", .milliseconds),
            .required("maxOperationRetryMs", .milliseconds), .required("idleMs", .milliseconds),
            .optional("connections", .integer(1...65535)), .optional("signedIn", .flag),
            .optional("instances", .fields),
        ])

    private static func call(_ verb: String, _ members: [Member] = []) -> MessageShape {
        MessageShape([.required("do", .word(verb)), .required("id", .ids)] + members)
    }

    /// A command as it stands inside another: without an id.
    init(_ verb: ClientCommand.VerbName) {
        self = Self.own(verb).adding([
            .required("do", .word(verb.rawValue)), .optional("on", .object(.moment)),
            .optional("instance", .text),
        ])
    }

    /// The members that a verb has for itself.
    private static func own(_ verb: ClientCommand.VerbName) -> MessageShape {
        switch verb {
        case .upload: upload
        case .download: download
        case .pause, .resume, .cancel:
            MessageShape([.required("task", .text), .optional("through", .word("snapshot"))])
        case .snapshot, .release, .purge: MessageShape([.required("task", .text)])
        case .observe:
            MessageShape([
                .required("task", .text), .required("observer", .text),
                .required("events", events), .optional("renew", .flag),
            ])
        case .unobserve:
            MessageShape(
                [
                    .optional("task", .text), .optional("observer", .text),
                    .optional("events", events),
                ], choice: Choice(names: ["observer", "task"], isRequired: true))
        case .getMetadata, .delete, .url: MessageShape(place())
        case .updateMetadata: MessageShape(place() + [.required("set", .metadata)])
        case .list:
            // Out of range on purpose is what some scenarios ask for.
            MessageShape(
                place("prefix") + [
                    .optional("maxResults", .integer(-(1 << 31)...(1 << 31))),
                    .optional("pageToken", .text),
                ])
        case .listAll: MessageShape(place("prefix"))
        case .fetch: MessageShape([.required("url", .text), .required("into", .text)])
        case .image: MessageShape(place() + [.required("into", .text)])
        case .reference:
            MessageShape(
                [.optional("path", .text), .optional("url", .text)],
                choice: Choice(names: ["path", "url"], isRequired: true))
        case .token: MessageShape([.required("signedIn", .flag)])
        case .restart: MessageShape([])
        case .burst, .parallel: MessageShape([.required("commands", .commands)])
        }
    }

    private static func place(_ name: String = "object") -> [Member] {
        [.required(name, .text), .optional("bucket", .text)]
    }

    private static let upload = MessageShape(
        place() + [
            .required("task", .text), .optional("data", .text), .optional("file", .text),
            .optional("stream", .object(.stream)), .optional("metadata", .metadata),
            .optional("conditions", .fields), .optional("continues", .text),
            .optional("recorder", .flag), .optional("completion", .flag),
        ], choice: Choice(names: ["data", "file", "stream"], isRequired: true))

    private static let download = MessageShape(
        place() + [
            .required("task", .text), .optional("memory", .object(.memory)),
            .optional("file", .text), .optional("reading", .object(.reading)),
            .optional("recorder", .flag), .optional("completion", .flag),
        ], choice: Choice(names: ["memory", "file"], isRequired: true))

    static let eventNames = TransferEvent.Kind.allCases.map(\.rawValue)
    private static let events = MemberKind.names(eventNames, "event")
}
