import Foundation

/// JSON as a value. Whole numbers are kept exactly.
indirect enum MessageValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([MessageValue])
    case object([String: MessageValue])

    init(from decoder: any Decoder) throws {
        let box = try decoder.singleValueContainer()
        if let text = try? box.decode(String.self) {
            self = .string(text)
        } else if let integer = try? box.decode(Int64.self) {
            self = .integer(integer)
        } else if let members = try? box.decode([String: MessageValue].self) {
            self = .object(members)
        } else if let elements = try? box.decode([MessageValue].self) {
            self = .array(elements)
        } else if let flag = try? box.decode(Bool.self) {
            self = .bool(flag)
        } else if box.decodeNil() {
            self = .null
        } else {
            self = .number(try box.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var box = encoder.singleValueContainer()
        switch self {
        case .null: try box.encodeNil()
        case .bool(let flag): try box.encode(flag)
        case .integer(let integer): try box.encode(integer)
        case .number(let number): try box.encode(number)
        case .string(let text): try box.encode(text)
        case .array(let elements): try box.encode(elements)
        case .object(let members): try box.encode(members)
        }
    }

    /// Reads one document; nil for text that is no JSON.
    init?(parsing text: [UInt8]) {
        guard let value = try? JSONDecoder().decode(MessageValue.self, from: Data(text)) else {
            return nil
        }
        self = value
    }

    /// One line without its end, members sorted; nil for a number that JSON cannot say.
    var line: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What a message calls this kind of value.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
