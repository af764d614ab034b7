import StorageModel

/// Lays a tree out as a file: short things on one line, long ones on lines of their own.
struct YAMLWriter {
    /// Characters of a line, where what stands in it can be broken.
    private static let width = 100
    /// Longer keys need a mark. Source: YAML 1.2.2 section 7.4.2 (1024 characters).
    private static let keyLimit = 1000
    /// Lists whose entries have lines of their own, and mappings whose members have.
    private static let spread: Set<[String]> = [
        ["backend"], ["backend", "objects"], ["faults"], ["steps"], ["expect"],
    ]

    private let comments: YAMLComments

    init(comments: YAMLComments = YAMLComments()) { self.comments = comments }

    /// The whole file.
    func text(_ root: YAMLNode) -> String {
        let top = comments.lines([]).map(Self.comment)
        return (top + block(root, 0, [])).map { $0 + "\n" }.joined()
    }

    /// One line in flow style.
    static func flow(_ node: YAMLNode) -> String {
        switch node.value {
        case .scalar(let text, let style):
            return YAMLText.scalar(text, isPlain: style == .plain, isInFlow: true)
        case .sequence(let nodes): return "[" + nodes.map(flow).joined(separator: ", ") + "]"
        case .mapping(let pairs):
            return "{"
                + pairs.map { pair in
                    let key = flow(pair.key)
                    let mark = key.unicodeScalars.count > keyLimit ? "? " : ""
                    return "\(mark)\(key): \(flow(pair.value))"
                }.joined(separator: ", ") + "}"
        }
    }

    // MARK: Blocks

    private static func comment(_ line: String) -> String {
        line.isEmpty ? "#" : "# \(YAMLText.comment(line))"
    }

    /// The lines of a node that begins a line.
    private func block(_ node: YAMLNode, _ indent: Int, _ path: [String]) -> [String] {
        let margin = String(repeating: " ", count: indent)
        switch node.value {
        case .scalar: return [margin + Self.flow(node)]
        case .sequence(let nodes) where nodes.isEmpty: return [margin + "[]"]
        case .mapping(let pairs) where pairs.isEmpty: return [margin + "{}"]
        case .sequence(let nodes):
            return nodes.enumerated().flatMap { index, node in
                let path = path + [String(index)]
                return comments.lines(path).map { margin + Self.comment($0) }
                    + item(node, indent, path)
            }
        case .mapping(let pairs):
            return pairs.flatMap { pair in
                let path = path + [pair.key.scalar ?? ""]
                return comments.lines(path).map { margin + Self.comment($0) }
                    + self.pair(pair, indent, path)
            }
        }
    }

    /// An entry of a list: `- ` and what follows.
    private func item(_ node: YAMLNode, _ indent: Int, _ path: [String]) -> [String] {
        let margin = String(repeating: " ", count: indent)
        if let line = line(node, indent + 2, path) { return [margin + "- " + line] }
        var lines = block(node, indent + 2, path)
        // A comment of the first member would part the dash from it.
        guard let first = lines.first, !first.hasPrefix(margin + "  #") else {
            return [margin + "-"] + lines
        }
        lines[0] = margin + "- " + first.dropFirst(indent + 2)
        return lines
    }

    private func pair(_ pair: YAMLNode.Pair, _ indent: Int, _ path: [String]) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let key = scalarText(pair.key)
        guard key.unicodeScalars.count <= Self.keyLimit else {
            return [margin + "? " + key, margin + ": " + Self.flow(pair.value)]
        }
        let start = margin + key + ":"
        if let line = line(pair.value, indent + key.count + 2, path) { return [start + " " + line] }
        if let lines = wrapped(pair.value, start, path) { return lines }
        return [start] + block(pair.value, indent + 2, path)
    }

    private func scalarText(_ node: YAMLNode) -> String {
        guard case .scalar(let text, let style) = node.value else { return Self.flow(node) }
        return YAMLText.scalar(text, isPlain: style == .plain, isInFlow: false)
    }

    /// A node on one line; nil where it has lines of its own.
    private func line(_ node: YAMLNode, _ column: Int, _ path: [String]) -> String? {
        if case .scalar = node.value { return scalarText(node) }
        if !node.isEmpty {
            if Self.spread.contains(path) || comments.hasSome(below: path) { return nil }
            // A step, and what is expected of one name with several tests.
            let count = node.mapping?.count ?? 0
            if path.count == 2, path[0] == "steps" { return nil }
            if path.count == 2, path[0] == "expect", count > 1, path[1] != "sessions" {
                return nil
            }
        }
        let text = Self.flow(node)
        return column + text.count <= Self.width || node.isEmpty ? text : nil
    }

    /// A long list of short things, broken between them.
    private func wrapped(_ node: YAMLNode, _ start: String, _ path: [String]) -> [String]? {
        guard let nodes = node.sequence, !nodes.isEmpty, !Self.spread.contains(path),
            !comments.hasSome(below: path), nodes.allSatisfy({ $0.scalar != nil })
        else { return nil }
        let margin = String(repeating: " ", count: start.prefix { $0 == " " }.count + 4)
        var lines: [String] = []
        var line = start + " ["
        for (index, node) in nodes.enumerated() {
            let text = Self.flow(node) + (index == nodes.count - 1 ? "]" : ",")
            let isFresh = line.hasSuffix("[") || line == margin
            if !isFresh, line.count + 1 + text.count > Self.width {
                lines.append(line)
                line = margin
            }
            line += (line.hasSuffix("[") || line == margin ? "" : " ") + text
        }
        return lines + [line]
    }
}

extension YAMLNode {
    fileprivate var isEmpty: Bool {
        switch value {
        case .scalar: false
        case .sequence(let nodes): nodes.isEmpty
        case .mapping(let pairs): pairs.isEmpty
        }
    }
}
