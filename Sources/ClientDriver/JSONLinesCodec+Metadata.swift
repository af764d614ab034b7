private import StorageModel

// Metadata is one object of texts in memory, with `metadata.KEY` for custom fields; on the line it
// has the wire's own shape, so that an adapter can pass a server's resource on as it is.
extension JSONLinesCodec {
    private static let customPrefix = "metadata."

    static func metadata(_ fields: [String: String]) -> MessageValue {
        metadata(fields.mapValues(Optional.some))
    }

    static func metadata(_ fields: [String: String?]) -> MessageValue {
        var members: [String: MessageValue] = [:]
        var custom: [String: MessageValue] = [:]
        for (name, text) in fields {
            let value = text.map(MessageValue.string) ?? .null
            if name.hasPrefix(customPrefix) {
                custom[String(name.dropFirst(customPrefix.count))] = value
            } else {
                members[name] = value
            }
        }
        if !custom.isEmpty { members["metadata"] = .object(custom) }
        return .object(members)
    }

    static func metadata(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> [String: String] {
        // A server's resource may hold null; a field that is not there says the same.
        try metadataChange(value, at: path).compactMapValues { $0 }
    }

    static func metadataChange(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> [String: String?] {
        guard case .object(let members) = value else {
            throw MessageError(member: path, problem: "is \(value.kind), not an object")
        }
        var fields: [String: String?] = [:]
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            guard name == "metadata", case .object(let custom) = member else {
                fields[name] = .some(try scalar(member, at: "\(path).\(name)"))
                continue
            }
            for (key, member) in custom.sorted(by: { $0.key < $1.key }) {
                let text = try scalar(member, at: "\(path).metadata.\(key)")
                fields[customPrefix + key] = .some(text)
            }
        }
        return fields
    }

    /// A text, or a number or flag as its text; nil for null.
    private static func scalar(
        _ value: MessageValue, at path: String
    ) throws(MessageError) -> String? {
        switch value {
        case .null: return nil
        case .bool(let flag): return String(flag)
        case .integer(let integer): return String(integer)
        case .string(let text): return text
        case .number, .array, .object:
            throw MessageError(member: path, problem: "is \(value.kind), not a text")
        }
    }
}
