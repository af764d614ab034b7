import StorageModel

extension JSONLinesCodec {
    static func value(_ message: CommandMessage) -> [String: MessageValue?] {
        switch message {
        case .hello(let id, let version):
            call("hello", id, ["protocol": .integer(Int64(version))])
        case .configure(let id, let configuration): call("configure", id, value(configuration))
        case .perform(let id, let command):
            value(command).merging(["id": .integer(Int64(id))]) { $1 }
        case .sync(let id): call("sync", id, [:])
        case .end(let id): call("end", id, [:])
        case .token(let id, let answer): value(answer, id)
        }
    }

    private static func call(
        _ verb: String, _ id: Int, _ members: [String: MessageValue?]
    ) -> [String: MessageValue?] {
        members.merging(["do": .string(verb), "id": .integer(Int64(id))]) { $1 }
    }

    private static func value(_ answer: TokenAnswer, _ id: Int) -> [String: MessageValue?] {
        let id = MessageValue.integer(Int64(id))
        switch answer {
        case .token(let token): return ["answer": id, "token": .string(token)]
        case .none: return ["answer": id, "token": .null]
        case .failure(let text): return ["answer": id, "error": .string(text)]
        }
    }

    static func command(_ value: MessageValue) throws(MessageError) -> CommandMessage {
        guard case .object(let members) = value else {
            throw MessageError(problem: "is \(value.kind), not an object")
        }
        if members["answer"] != nil { return try tokenAnswer(value) }
        guard case .string(let verb) = members["do"] else {
            throw MessageError(problem: "has none of: do, answer")
        }
        switch verb {
        case "hello":
            let fields = try MessageFields(value, .hello)
            return .hello(
                id: try id(fields), protocolVersion: Int(try fields.integer("protocol")))
        case "configure":
            let fields = try MessageFields(value, .configure)
            return .configure(id: try id(fields), try configuration(fields))
        case "sync": return .sync(id: try id(MessageFields(value, .sync)))
        case "end": return .end(id: try id(MessageFields(value, .end)))
        default:
            let (fields, command) = try clientCommand(value, path: "", hasID: true)
            return .perform(id: try id(fields), command)
        }
    }

    private static func tokenAnswer(_ value: MessageValue) throws(MessageError) -> CommandMessage {
        if case .object(let members) = value, members["error"] != nil {
            let fields = try MessageFields(value, .tokenFailed)
            return .token(id: try id(fields, "answer"), .failure(try fields.string("error")))
        }
        guard case .object(let members) = value, members["token"] != nil else {
            throw MessageError(problem: "needs one of: token, error")
        }
        let fields = try MessageFields(value, .tokenGiven)
        let token = try fields.optionalString("token")
        return .token(id: try id(fields, "answer"), token.map { .token($0) } ?? .none)
    }
}
