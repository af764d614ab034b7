/// JSON as the dialect writes it: keys sorted, so that equal values are equal bytes.
enum JSONText: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case array([JSONText])
    case object([String: JSONText])

    static func bytes(_ members: [String: JSONText]) -> [UInt8] {
        var out: [UInt8] = []
        JSONText.object(members).write(to: &out)
        out.append(UInt8(ascii: "\n"))
        return out
    }

    private func write(to out: inout [UInt8]) {
        switch self {
        case .string(let text): Self.write(text, to: &out)
        case .integer(let number): out += String(number).utf8
        case .bool(let flag): out += (flag ? "true" : "false").utf8
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                element.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to out: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
            case 0x0A: out += "\\n".utf8
            case 0..<0x20:
                out += "\\u00".utf8
                out += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
