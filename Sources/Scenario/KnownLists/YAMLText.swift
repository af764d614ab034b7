/// Writes texts as YAML reads them.
enum YAMLText {
    /// As it is where that is read as the same text, else in double quotes.
    static func scalar(_ text: String) -> String {
        let isPlain = text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"):
                index > 0
            default: false
            }
        }
        return isPlain && text.contains("/") ? text : quoted(text)
    }

    /// In double quotes. Source: YAML 1.2.2 section 5.7.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isPrintable(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\U" + padded(String(scalar.value, radix: 16), to: 8)
                }
            }
        }
        return result + "\""
    }

    /// One line of at most 160 characters that no line end or control character breaks.
    static func comment(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { isPrintable($0) ? $0 : "?" }
        let line = String(String.UnicodeScalarView(scalars))
        return line.count <= 160 ? line : line.prefix(157) + "..."
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0x200D, 0x2010...0x2027, 0x202F...0x2065, 0x206A...0xD7FF,
            0xE000...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...0x10_FFFF:
            true
        default: false
        }
    }

    private static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
