import StorageModel

/// Writes texts as YAML reads them.
enum YAMLText {
    /// A text: as it is where that is read as the same text, else in double quotes.
    static func scalar(_ text: String) -> String {
        scalar(text, isPlain: false, isInFlow: true)
    }

    /// A scalar: as it is where that is read as the same scalar, else in double quotes.
    ///
    /// - Parameters:
    ///   - isPlain: whether it may be read as what it looks like: a number, `true`, nothing.
    ///   - isInFlow: whether it stands between brackets, where fewer characters are free.
    static func scalar(_ text: String, isPlain: Bool, isInFlow: Bool) -> String {
        let mayBePlain = isPlain || !looksLikeData(text)
        return mayBePlain && isSafe(text, isInFlow: isInFlow) ? text : quoted(text)
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

    /// Whether the plain scalar is more than a text. Source: YAML 1.2.2 section 10.3.2, and what
    /// other readers take for more.
    private static func looksLikeData(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return true }
        let words = ["null", "~", "true", "false", "yes", "no", "on", "off", "y", "n"]
        if words.contains(text.lowercased()) { return true }
        guard "0123456789+-.".unicodeScalars.contains(first) else { return false }
        let isNumber = text.utf8.contains { (0x30...0x39).contains($0) }
        guard isNumber || text.contains("inf") || text.contains("nan") else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
            default: "+-._xoinINFt".utf8.contains(byte)
            }
        }
    }

    /// Whether the text is read as itself without quotes. Stricter than YAML 1.2.2 section 7.3.3:
    /// readers differ at the edges of the rule.
    private static func isSafe(_ text: String, isInFlow: Bool) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first, let last = scalars.last, last != " " else { return false }
        let next = scalars.count > 1 ? scalars[1] : " "
        guard
            isLetter(first) || "/._(+~".unicodeScalars.contains(first)
                || (first == "-" && isLetter(next)),
            !text.hasPrefix("...")
        else { return false }
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            switch scalar {
            case ":" where !isLetter(next) && next != "/": return false
            case "#" where index > 0 && scalars[index - 1] == " ": return false
            case "[", "]", "{", "}", "\"": return false
            case ",", "?": if isInFlow { return false }
            default: if !isPrintable(scalar) { return false }
            }
        }
        return true
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: scalar.value > 0xFF && isPrintable(scalar)
        }
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
