/// Text of others, made harmless for a terminal and for a line of a report.
package enum PlainText {
    /// Control characters become visible: a line feed `\n`, an escape `\x1B`.
    ///
    /// So nothing that a client or a server says can move a cursor or change a colour.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? visible($0) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return scalar.value < 0x100
                ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
        }
    }
}
