/// Writes XML 1.0; the one place where text is escaped.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var open: [String] = []

    /// An element with others inside, which `content` writes.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [],
        content: (inout XMLWriter) -> Void
    ) {
        indent()
        text += "<\(name)\(Self.written(attributes))>\n"
        open.append(name)
        content(&self)
        open.removeLast()
        indent()
        text += "</\(name)>\n"
    }

    /// An element with text inside; empty text makes an empty element.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], text content: String = ""
    ) {
        indent()
        text += "<\(name)\(Self.written(attributes))"
        text +=
            content.isEmpty ? "/>\n" : ">\(Self.escaped(content, isAttribute: false))</\(name)>\n"
    }

    private mutating func indent() { text += String(repeating: "  ", count: open.count) }

    private static func written(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0.0)=\"\(escaped($0.1, isAttribute: true))\"" }.joined()
    }

    /// Markup becomes references; what XML cannot carry becomes visible, as `\x1B`.
    ///
    /// Source: Extensible Markup Language 1.0, fifth edition, section 2.2 (characters) and 3.3.3
    /// (white space in attributes).
    static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\n" where isAttribute: result += "&#10;"
            case "\t" where isAttribute: result += "&#9;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default:
                if isCharacter(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += visible(scalar)
                }
            }
        }
        return result
    }

    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return scalar.value < 0x10 ? "\\x0\(digits)" : "\\x\(digits)"
    }
}
