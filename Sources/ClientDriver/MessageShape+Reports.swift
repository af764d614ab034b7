import StorageModel

// What a client sends, and the shapes inside of messages.
extension MessageShape {
    static let answerToHello = MessageShape([
        .required("answer", .ids), .required("hello", .object(.hello)),
    ])
    static let answer = shape(.reply).adding([.required("answer", .ids)])

    static let event = MessageShape([
        .required("event", .name(eventNames)), .required("task", .text),
        .optional("observer", .text), .required("completed", .bytes), .optional("total", .bytes),
        .optional("error", .object(.error)), .optional("metadata", .metadata),
    ])

    static let completion = MessageShape([
        .required("completion", .text), .optional("error", .object(.error)),
        .optional("metadata", .metadata), .optional("content", .text),
    ])

    static let question = MessageShape([
        .required("ask", .word("token")), .required("id", .ids), .optional("refresh", .flag),
        .optional("instance", .text),
    ])

    static func shape(_ name: ShapeName) -> MessageShape {
        switch name {
        case .moment:
            MessageShape([
                .required("task", .text), .required("event", .name(eventNames)),
                .optional("ordinal", .integer(1...(1 << 31))), .optional("atLeast", .bytes),
            ])
        case .stream:
            MessageShape([
                .required("path", .text), .optional("rewinds", .flag),
                .optional("gaps", .objects(.gap)),
            ])
        case .gap: MessageShape([.required("at", .bytes), .required("ms", .milliseconds)])
        case .memory: MessageShape([.required("maxSize", .bytes), .required("into", .text)])
        case .reading:
            MessageShape([.required("stopAt", .bytes), .required("ms", .milliseconds)])
        case .hello: hi
        case .error: error
        case .page:
            MessageShape([
                .required("items", .texts), .required("prefixes", .texts),
                .optional("nextPageToken", .text),
            ])
        case .fetched:
            MessageShape([
                .required("status", status), .required("headers", .headers),
                .required("body", .text),
            ])
        case .image:
            MessageShape([
                .required("states", .names(ClientResult.Image.states, "state of an image")),
                .required("origin", .name(ClientResult.Image.origins)),
                .optional("stale", .flag), .required("body", .text),
            ])
        case .reference:
            MessageShape([
                .required("name", .text), .required("path", .text), .required("bucket", .text),
                .optional("parent", .text),
            ])
        case .snapshot:
            MessageShape([
                .optional("status", .name(eventNames)), .required("completed", .bytes),
                .optional("total", .bytes), .optional("metadata", .metadata),
                .optional("error", .object(.error)),
            ])
        case .reply: reply
        }
    }

    private static let status = MemberKind.integer(100...999)

    private static let hi = MessageShape([
        .required("name", .text), .required("version", .text),
        .required("protocol", .integer(version...version)), .optional("profile", .text),
        .required("capabilities", .names(Capability.allCases.map(\.rawValue), "capability")),
    ])

    private static let version = Int64(ClientHello.protocolVersion)

    private static let error = MessageShape([
        .required("code", .name(ErrorCode.allCases.map(\.rawValue))), .required("name", .text),
        .required("message", .text), .optional("status", status),
        .optional("transport", .name(TransportFault.allCases.map(\.rawValue))),
        .optional("body", .text),
    ])

    /// None of them says that it is done.
    private static let reply: MessageShape = {
        let members: [Member] = [
            .optional("error", .object(.error)), .optional("unsupported", .text),
            .optional("metadata", .metadata), .optional("page", .object(.page)),
            .optional("url", .text), .optional("fetched", .object(.fetched)),
            .optional("image", .object(.image)),
            .optional("reference", .object(.reference)),
            .optional("snapshot", .object(.snapshot)), .optional("several", .objects(.reply)),
        ]
        return MessageShape(
            members, choice: Choice(names: members.map(\.name), isRequired: false))
    }()
}
