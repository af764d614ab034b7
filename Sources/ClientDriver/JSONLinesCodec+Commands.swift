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
        func plain(_ known: [String] = []) throws(MessageError) -> MessageFields {
            try MessageFields(value, known: ["do", "id"] + known)
        }
        switch verb {
        case "hello":
            let fields = try plain(["protocol"])
            return .hello(
                id: try id(fields), protocolVersion: Int(try fields.integer("protocol", in: ids)))
        case "configure":
            let fields = try plain(configurationMembers)
            return .configure(id: try id(fields), try configuration(fields))
        case "sync": return .sync(id: try id(plain()))
        case "end": return .end(id: try id(plain()))
        default:
            let (fields, command) = try clientCommand(value, path: "", extra: ["id"])
            return .perform(id: try id(fields), command)
        }
    }

    private static func tokenAnswer(_ value: MessageValue) throws(MessageError) -> CommandMessage {
        let fields = try MessageFields(value, known: ["answer", "token", "error"])
        let id = try id(fields, "answer")
        if try fields.exactlyOne(of: ["token", "error"]) == "error" {
            return .token(id: id, .failure(try fields.string("error")))
        }
        return .token(id: id, try fields.optionalString("token").map { .token($0) } ?? .none)
    }
}
