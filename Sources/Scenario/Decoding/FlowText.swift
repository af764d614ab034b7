/// A tree as one line of flow style: how messages and journals tell of it.
enum FlowText {
    static func text(_ node: YAMLNode) -> String {
        switch node.value {
        case .scalar(let text, let style): scalar(text, style)
        case .sequence(let nodes): "[" + nodes.map(text).joined(separator: ", ") + "]"
        case .mapping(let pairs):
            "{" + pairs.map { "\(text($0.key)): \(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    private static func scalar(_ text: String, _ style: YAMLNode.Style) -> String {
        let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !",{}[]".contains($0) }
        if style == .plain, isSafe { return text }
        let needsQuotes = text.isEmpty || !isSafe || text.contains(": ") || text.contains(" #")
        guard needsQuotes else { return text }
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

extension String {
    fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
