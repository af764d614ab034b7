import StorageModel

/// Puts matrix values and counts into a tree.
struct Substitution {
    /// A matrix row, in the order of the matrix.
    private let row: [(name: String, value: YAMLNode)]
    private let log: DiagnosticLog

    init(row: [(name: String, value: YAMLNode)], log: DiagnosticLog) {
        self.row = row
        self.log = log
    }

    /// `${n}` stays where something counts; elsewhere it is reported.
    func apply(_ node: YAMLNode, counts: Bool = false) -> YAMLNode {
        switch node.value {
        case .scalar(let text, let style): return scalar(node, text, style, counts)
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.map { apply($0, counts: counts) }), node.place)
        case .mapping(let pairs):
            let isRepeat = node["repeat"] != nil
            let new = pairs.map { pair in
                let counts =
                    counts || (isRepeat && pair.key.scalar == "do") || pair.value["copies"] != nil
                return YAMLNode.Pair(
                    key: apply(pair.key, counts: counts), value: apply(pair.value, counts: counts))
            }
            return YAMLNode(.mapping(new), node.place)
        }
    }

    private func scalar(
        _ node: YAMLNode, _ text: String, _ style: YAMLNode.Style, _ counts: Bool
    ) -> YAMLNode {
        guard text.contains("${") else { return node }
        let parts = Self.parts(of: text)
        if parts.count == 1, case .reference(let path, _) = parts[0] {
            guard path != ["n"] else { return counted(node, 0, counts) }
            guard let value = value(path, at: node.place, in: node) else { return node }
            return value.moved(to: node.place)
        }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .unclosed(let offset):
                report("'${' is never closed by '}'", at: node.place(atOffset: offset))
                return node
            case .reference(["n"], let offset):
                if !counts { return counted(node, offset, counts) }
                result += "${n}"
            case .reference(let path, let offset):
                let place = node.place(atOffset: offset)
                guard let value = value(path, at: place, in: node) else { return node }
                guard let text = value.scalar else {
                    report(
                        "'${\(path.joined(separator: "."))}' is \(value.kindName), "
                            + "which has no place inside a text", at: place)
                    return node
                }
                result += text
            }
        }
        return YAMLNode(.scalar(result, style), node.place)
    }

    private func counted(_ node: YAMLNode, _ offset: Int, _ counts: Bool) -> YAMLNode {
        if !counts {
            report(
                "'${n}' counts only in 'repeat' and in objects with 'copies'",
                at: node.place(atOffset: offset))
        }
        return node
    }

    /// - Parameter scalar: in which it stands.
    private func value(
        _ path: [String], at place: SourcePlace, in scalar: YAMLNode
    ) -> YAMLNode? {
        guard let first = path.first, let value = row.first(where: { $0.name == first })?.value
        else {
            let name = path.first ?? ""
            let known = row.map(\.name)
            report(
                "unknown matrix value '\(name)'", at: place,
                suggestion: Spelling.nearest(to: name, among: known), in: scalar)
            return nil
        }
        var node = value
        for member in path.dropFirst() {
            guard let next = node[member] else {
                let known = node.mapping?.compactMap { $0.key.scalar } ?? []
                report(
                    "the matrix value '\(first)' has no member '\(member)'", at: place,
                    suggestion: Spelling.nearest(to: member, among: known), in: scalar)
                return nil
            }
            node = next
        }
        return node
    }

    private func report(
        _ message: String, at place: SourcePlace, suggestion: String? = nil,
        in scalar: YAMLNode? = nil
    ) {
        let diagnostic = Diagnostic(place: place, message: message, suggestion: suggestion)
        guard let scalar else { return log.add(diagnostic) }
        log.addUnresolved(diagnostic, in: scalar.place)
    }
}

extension Substitution {
    private enum Part {
        case text(String)
        case reference([String], offset: Int)
        case unclosed(offset: Int)
    }

    /// A text with `${n}` replaced by a number.
    static func counted(_ text: String, _ number: Int) -> String {
        guard text.contains("${n}") else { return text }
        return parts(of: text).reduce(into: "") { result, part in
            switch part {
            case .text(let text): result += text
            case .reference(["n"], _): result += String(number)
            case .reference(let path, _): result += "${" + path.joined(separator: ".") + "}"
            case .unclosed: result += "${"
            }
        }
    }

    /// A tree with `${n}` replaced by a number, but in the rounds of a `repeat` inside.
    static func counted(_ node: YAMLNode, _ number: Int) -> YAMLNode {
        switch node.value {
        case .scalar(let text, let style):
            return YAMLNode(.scalar(counted(text, number), style), node.place)
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.map { counted($0, number) }), node.place)
        case .mapping(let pairs):
            let isRepeat = node["repeat"] != nil
            let new = pairs.map { pair in
                if isRepeat, pair.key.scalar == "do" { return pair }
                return YAMLNode.Pair(
                    key: counted(pair.key, number), value: counted(pair.value, number))
            }
            return YAMLNode(.mapping(new), node.place)
        }
    }

    /// True when `${n}` stands anywhere in the tree.
    static func counts(_ node: YAMLNode) -> Bool {
        switch node.value {
        case .scalar(let text, _): text.contains("${n}")
        case .sequence(let nodes): nodes.contains(where: counts)
        case .mapping(let pairs): pairs.contains { counts($0.key) || counts($0.value) }
        }
    }

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        let characters = Array(text.unicodeScalars)
        var index = 0
        while index < characters.count {
            guard characters[index] == "$", index + 1 < characters.count,
                characters[index + 1] == "{"
            else {
                plain.unicodeScalars.append(characters[index])
                index += 1
                continue
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            guard let end = characters[index...].firstIndex(of: "}") else {
                parts.append(.unclosed(offset: index))
                return parts
            }
            let inside = String(String.UnicodeScalarView(characters[(index + 2)..<end]))
            let path = inside.split(separator: ".", omittingEmptySubsequences: false)
            parts.append(.reference(path.map(String.init), offset: index))
            index = end + 1
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        return parts
    }
}

extension YAMLNode {
    /// The same value, told to stand somewhere else.
    func moved(to place: SourcePlace) -> YAMLNode {
        switch value {
        case .scalar: return YAMLNode(value, place)
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.map { $0.moved(to: place) }), place)
        case .mapping(let pairs):
            let moved = pairs.map {
                Pair(key: $0.key.moved(to: place), value: $0.value.moved(to: place))
            }
            return YAMLNode(.mapping(moved), place)
        }
    }
}
