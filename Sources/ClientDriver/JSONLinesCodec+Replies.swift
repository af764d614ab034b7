import StorageModel

extension JSONLinesCodec {
    static func value(_ reply: ClientReply) -> [String: MessageValue?] {
        switch reply {
        case .error(let error): ["error": value(error)]
        case .unsupported(let text), .hindered(let text): ["unsupported": .string(text)]
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
        case .image(let image): ["image": value(image)]
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

    private static func value(_ image: ClientResult.Image) -> MessageValue {
        object([
            "states": .array(image.states.map(MessageValue.string)),
            "origin": .string(image.origin), "stale": image.isStale ? .bool(true) : nil,
            "body": .string(image.path),
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
        guard let name = fields.chosen else { return .result(.done) }
        switch name {
        case "error": return .error(try error(fields.object(name, .error)))
        case "unsupported": return .unsupported(try fields.string(name))
        case "metadata":
            return .result(.metadata(try metadata(fields.value(name), at: fields.at(name))))
        case "page": return .result(.list(try page(fields.object(name, .page))))
        case "url": return .result(.url(try fields.string(name)))
        case "fetched": return .result(.fetched(try answer(fields.object(name, .fetched))))
        case "image": return .result(.image(try image(fields.object(name, .image))))
        case "reference":
            return .result(.reference(try reference(fields.object(name, .reference))))
        case "snapshot":
            return .result(.snapshot(try snapshot(fields.object(name, .snapshot))))
        default:
            var replies: [ClientReply] = []
            for inside in try fields.objects(name, .reply) { replies.append(try reply(inside)) }
            return .result(.several(replies))
        }
    }

    private static func page(_ fields: MessageFields) throws(MessageError) -> ClientResult.Page {
        ClientResult.Page(
            items: try fields.strings("items"), prefixes: try fields.strings("prefixes"),
            nextPageToken: try fields.optionalString("nextPageToken"))
    }

    private static func answer(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientResult.Answer {
        var headers = HTTPHeaders()
        for pair in try fields.list("headers") {
            if case .array(let two) = pair, two.count == 2, case .string(let name) = two[0],
                case .string(let text) = two[1]
            {
                headers.add(name, text)
            }
        }
        return ClientResult.Answer(
            status: Int(try fields.integer("status")), headers: headers,
            path: try fields.string("body"))
    }

    private static func image(_ fields: MessageFields) throws(MessageError) -> ClientResult.Image {
        ClientResult.Image(
            states: try fields.strings("states"), origin: try fields.string("origin"),
            isStale: fields.has("stale") ? try fields.flag("stale") : false,
            path: try fields.string("body"))
    }

    private static func reference(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientResult.Reference {
        ClientResult.Reference(
            name: try fields.string("name"), path: try fields.string("path"),
            bucket: try fields.string("bucket"), parent: try fields.optionalString("parent"))
    }

    private static func snapshot(
        _ fields: MessageFields
    ) throws(MessageError) -> ClientResult.Snapshot {
        ClientResult.Snapshot(
            status: fields.has("status")
                ? try fields.named("status", TransferEvent.Kind.self) : nil,
            completed: try fields.integer("completed"),
            total: try fields.optionalInteger("total"),
            metadata: try optionalMetadata(fields), error: try optionalError(fields))
    }
}
