import StorageModel

extension JSONLinesCodec {
    static func value(_ message: ReportMessage) -> [String: MessageValue?] {
        switch message {
        case .hello(let id, let hello, let version):
            ["answer": .integer(Int64(id)), "hello": value(hello, version)]
        case .reply(let id, let reply): ["answer": .integer(Int64(id))].merging(value(reply)) { $1 }
        case .event(let event, let task, let observer): value(event, task, observer)
        case .completion(let completion, let task): value(completion, task)
        case .question(let id, let question):
            [
                "ask": .string("token"), "id": .integer(Int64(id)),
                "refresh": question.refreshes ? .bool(true) : nil,
                "instance": question.instance.map(MessageValue.string),
            ]
        }
    }

    static func report(_ value: MessageValue) throws(MessageError) -> ReportMessage {
        guard case .object(let members) = value else {
            throw MessageError(problem: "is \(value.kind), not an object")
        }
        if members["answer"] != nil { return try answer(value) }
        if members["event"] != nil { return try event(value) }
        if members["completion"] != nil { return try completion(value) }
        if members["ask"] != nil { return try question(value) }
        throw MessageError(problem: "has none of: answer, event, completion, ask")
    }

    // MARK: Hello

    private static func value(_ hello: ClientHello, _ version: Int) -> MessageValue {
        object([
            "name": .string(hello.name), "version": .string(hello.version),
            "protocol": .integer(Int64(version)), "profile": .string(hello.profile),
            "capabilities": .array(
                hello.capabilities.sorted().map(\.rawValue).map(MessageValue.string)),
        ])
    }

    private static func answer(_ value: MessageValue) throws(MessageError) -> ReportMessage {
        guard case .object(let members) = value, let hi = members["hello"], hi != .null else {
            let fields = try MessageFields(value, .answer)
            return .reply(id: try id(fields, "answer"), try reply(fields))
        }
        try checkVersion(hi)
        let fields = try MessageFields(value, .answerToHello)
        let hello = try fields.object("hello", .hello)
        let capabilities = Set(try hello.strings("capabilities").compactMap(Capability.init))
        return .hello(
            id: try id(fields, "answer"),
            ClientHello(
                name: try hello.string("name"), version: try hello.string("version"),
                profile: try hello.optionalString("profile") ?? "documented",
                capabilities: capabilities),
            protocolVersion: Int(try hello.integer("protocol")))
    }

    /// First of all: another version may say anything else in its own way.
    private static func checkVersion(_ hello: MessageValue) throws(MessageError) {
        guard case .object(let members) = hello, case .integer(let version)? = members["protocol"],
            version != ClientHello.protocolVersion
        else { return }
        throw MessageError(
            member: "hello.protocol", problem: "is \(version), not \(ClientHello.protocolVersion)")
    }

    // MARK: Events

    private static func value(
        _ event: TransferEvent, _ task: String, _ observer: String?
    ) -> [String: MessageValue?] {
        [
            "event": .string(event.kind.rawValue), "task": .string(task),
            "observer": observer.map(MessageValue.string), "completed": .integer(event.completed),
            "total": event.total.map(MessageValue.integer), "error": event.error.map(Self.value),
            "metadata": event.metadata.map { metadata($0) },
        ]
    }

    private static func event(_ value: MessageValue) throws(MessageError) -> ReportMessage {
        let fields = try MessageFields(value, .event)
        var event = TransferEvent(kind: try fields.named("event", TransferEvent.Kind.self))
        event.completed = try fields.integer("completed")
        event.total = try fields.optionalInteger("total")
        event.error = try optionalError(fields)
        event.metadata = try optionalMetadata(fields)
        return .event(
            event, task: try fields.string("task"),
            observer: try fields.optionalString("observer"))
    }

    // MARK: Completions and questions

    private static func value(
        _ completion: TaskCompletion, _ task: String
    ) -> [String: MessageValue?] {
        var path: String?
        if case .file(let file) = completion.content { path = file }
        return [
            "completion": .string(task), "error": completion.error.map(Self.value),
            "metadata": completion.metadata.map { metadata($0) },
            "content": path.map(MessageValue.string),
        ]
    }

    private static func completion(_ value: MessageValue) throws(MessageError) -> ReportMessage {
        let fields = try MessageFields(value, .completion)
        return .completion(
            TaskCompletion(
                error: try optionalError(fields), metadata: try optionalMetadata(fields),
                content: try fields.optionalString("content").map { .file(path: $0) }),
            task: try fields.string("completion"))
    }

    private static func question(_ value: MessageValue) throws(MessageError) -> ReportMessage {
        let fields = try MessageFields(value, .question)
        return .question(
            id: try id(fields),
            TokenQuestion(
                instance: try fields.optionalString("instance"),
                refreshes: try fields.flag("refresh")))
    }

    // MARK: Errors

    static func value(_ error: ClientError) -> MessageValue {
        object([
            "code": .string(error.code.rawValue), "name": .string(error.name),
            "message": .string(error.message),
            "status": error.status.map { .integer(Int64($0)) },
            "transport": error.transport.map { .string($0.rawValue) },
            "body": error.body.map(MessageValue.string),
        ])
    }

    static func error(_ fields: MessageFields) throws(MessageError) -> ClientError {
        var error = ClientError(
            code: try fields.named("code", ErrorCode.self), name: try fields.string("name"),
            message: try fields.string("message"))
        error.status = try fields.optionalInteger("status").map { Int($0) }
        if fields.has("transport") {
            error.transport = try fields.named("transport", TransportFault.self)
        }
        error.body = try fields.optionalString("body")
        return error
    }

    static func optionalError(_ fields: MessageFields) throws(MessageError) -> ClientError? {
        guard let inside = try fields.optionalObject("error", .error) else { return nil }
        return try error(inside)
    }

    static func optionalMetadata(
        _ fields: MessageFields
    ) throws(MessageError) -> [String: String]? {
        guard let value = fields.optional("metadata") else { return nil }
        return try metadata(value, at: fields.at("metadata"))
    }
}
