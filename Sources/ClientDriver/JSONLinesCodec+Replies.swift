import StorageModel

extension JSONLinesCodec {
    /// What a reply may hold beside `answer`; none of them says that it is done.
    static let replyMembers = [
        "error", "unsupported", "metadata", "page", "url", "fetched", "reference", "snapshot",
        "several",
    ]

    static func value(_ reply: ClientReply) -> [String: MessageValue?] {
        switch reply {
        case .error(let error): ["error": value(error)]
        case .unsupported(let text): ["unsupported": .string(text)]
        case .lost: ["unsupported": .string("lost")]
        case .result(let result): value(result)
        }
    }

    private static func value(_ result: ClientResult) -> [String: MessageValue?] {
        switch result {
        case .done: [:]
        case .metadata(let fields): ["metadata": metadata(fields)]
        case .list(let page):
            [
                "page": object([
                    "items": .array(page.items.map(MessageValue.string)),
                    "prefixes": .array(page.prefixes.map(MessageValue.string)),
                    "nextPageToken": page.nextPageToken.map(MessageValue.string),
                ])
            ]
        case .url(let url): ["url": .string(url)]
        case .fetched(let answer): ["fetched": value(answer)]
        case .reference(let reference):
            [
                "reference": object([
                    "name": .string(reference.name), "path": .string(reference.path),
                    "bucket": .string(reference.bucket),
                    "parent": reference.parent.map(MessageValue.string),
                ])
            ]
        case .snapshot(let snapshot): ["snapshot": value(snapshot)]
        case .several(let replies): ["several": .array(replies.map { object(value($0)) })]
        }
    }

    private static func value(_ answer: ClientResult.Answer) -> MessageValue {
        object([
            "status": .integer(Int64(answer.status)), "body": .string(answer.path),
            "headers": .array(
                answer.headers.fields.map { .array([.string($0.name), .string($0.value)]) }),
        ])
    }

    private static func value(_ snapshot: ClientResult.Snapshot) -> MessageValue {
        object([
            "status": snapshot.status.map { .string($0.rawValue) },
            "completed": .integer(snapshot.completed),
            "total": snapshot.total.map(MessageValue.integer),
            "metadata": snapshot.metadata.map { metadata($0) },
            "error": snapshot.error.map(value),
        ])
    }

    // MARK: Reading

    static func reply(_ fields: MessageFields) throws(MessageError) -> ClientReply {
        let given = replyMembers.filter(fields.has)
        guard !given.isEmpty else { return .result(.done) }
        let name = try fields.exactlyOne(of: replyMembers)
        let path = fields.at(name)
        let value = try fields.value(name)
        switch name {
        case "error": return .error(try error(value, at: path))
        case "unsupported": return .unsupported(try fields.string(name))
        case "metadata": return .result(.metadata(try metadata(value, at: path)))
        case "page": return .result(.list(try page(value, at: path)))
        case "url": return .result(.url(try fields.string(name)))
        case "fetched": return .result(.fetched(try answer(value, at: path)))
        case "reference": return .result(.reference(try reference(value, at: path)))
        case "snapshot": return .result(.snapshot(try snapshot(value, at: path)))
        default: return .result(.several(try several(fields, name)))
        }
    }

    private static func page(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> ClientResult.Page {
        let fields = try MessageFields(
            value, path: path, known: ["items", "prefixes", "nextPageToken"])
        return ClientResult.Page(
            items: try fields.strings("items"), prefixes: try fields.strings("prefixes"),
            nextPageToken: try fields.optionalString("nextPageToken"))
    }

    private static func answer(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> ClientResult.Answer {
        let fields = try MessageFields(value, path: path, known: ["status", "headers", "body"])
        var headers = HTTPHeaders()
        for (index, pair) in try fields.list("headers").enumerated() {
            guard case .array(let two) = pair, two.count == 2, case .string(let name) = two[0],
                case .string(let text) = two[1]
            else { throw fields.wrong("headers[\(index)]", "is not [name, value]") }
            headers.add(name, text)
        }
        return ClientResult.Answer(
            status: Int(try fields.integer("status", in: 100...999)), headers: headers,
            path: try fields.string("body"))
    }

    private static func reference(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> ClientResult.Reference {
        let fields = try MessageFields(
            value, path: path, known: ["name", "path", "bucket", "parent"])
        return ClientResult.Reference(
            name: try fields.string("name"), path: try fields.string("path"),
            bucket: try fields.string("bucket"), parent: try fields.optionalString("parent"))
    }

    private static func snapshot(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> ClientResult.Snapshot {
        let fields = try MessageFields(
            value, path: path, known: ["status", "completed", "total", "metadata", "error"])
        return ClientResult.Snapshot(
            status: fields.optional("status") == nil
                ? nil : try fields.named("status", TransferEvent.Kind.self),
            completed: try fields.integer("completed", in: byteCounts),
            total: try fields.optionalInteger("total", in: byteCounts),
            metadata: try optionalMetadata(fields), error: try optionalError(fields))
    }

    private static func several(
        _ fields: MessageFields, _ name: String
    ) throws(MessageError) -> [ClientReply] {
        var replies: [ClientReply] = []
        for (index, value) in try fields.list(name).enumerated() {
            let path = "\(fields.at(name))[\(index)]"
            replies.append(
                try reply(try MessageFields(value, path: path, known: replyMembers)))
        }
        return replies
    }
}
