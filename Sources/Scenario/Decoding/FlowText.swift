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
        return YAMLText.quoted(text)
    }
}

extension YAMLNode {
    /// One line, for messages.
    var flowText: String { FlowText.text(self) }
}

extension String {
    fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
