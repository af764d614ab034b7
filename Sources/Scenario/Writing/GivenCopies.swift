import StorageModel

/// Objects of a backend as the language writes them: those that only a number tells apart as one
/// entry with `copies`.
enum GivenCopies {
    /// Fewer alike are written one by one.
    private static let least = 3

    static func node(_ objects: [BackendSettings.GivenObject]) -> YAMLNode {
        let entries = objects.map { (path: $0.path, node: $0.node) }
        var pairs: [(String, YAMLNode?)] = []
        var index = 0
        while index < entries.count {
            if let (path, node, count) = copies(entries[index...]) {
                pairs.append((path, .map(node.pairs + [("copies", .number(count))])))
                index += count
            } else {
                pairs.append((entries[index].path, entries[index].node))
                index += 1
            }
        }
        return .map(pairs)
    }

    /// The entry that the first objects are copies of, and how many they are.
    private static func copies(
        _ entries: ArraySlice<(path: String, node: YAMLNode)>
    ) -> (path: String, node: YAMLNode, count: Int)? {
        guard let first = entries.first, let second = entries.dropFirst().first,
            let path = template(first.path, second.path), path.contains("${n}"),
            let node = template(first.node, second.node)
        else { return nil }
        var count = 2
        for entry in entries.dropFirst(2).prefix(BackendLimits.copies - 2) {
            guard Substitution.counted(path, count + 1) == entry.path,
                Substitution.counted(node, count + 1).isEqual(to: entry.node)
            else { break }
            count += 1
        }
        return count >= least ? (path, node, count) : nil
    }

    /// The text that gives the one with 1 for `${n}` and the other with 2.
    private static func template(_ one: String, _ other: String) -> String? {
        if one == other { return one.contains("${") ? nil : one }
        let (first, second) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        guard first.count == second.count, !one.contains("${") else { return nil }
        var result = String.UnicodeScalarView()
        for (one, other) in zip(first, second) {
            if one == other {
                result.append(one)
            } else if one == "1", other == "2" {
                result.append(contentsOf: "${n}".unicodeScalars)
            } else {
                return nil
            }
        }
        return String(result)
    }

    private static func template(_ one: YAMLNode, _ other: YAMLNode) -> YAMLNode? {
        switch (one.value, other.value) {
        case (.scalar(let first, let style), .scalar(let second, _)):
            return template(first, second).map { YAMLNode(.scalar($0, style), one.place) }
        case (.mapping(let first), .mapping(let second)):
            guard first.count == second.count else { return nil }
            var pairs: [(String, YAMLNode?)] = []
            for (one, other) in zip(first, second) {
                guard let key = one.key.scalar, let two = other.key.scalar,
                    let name = template(key, two), let value = template(one.value, other.value)
                else { return nil }
                pairs.append((name, value))
            }
            return .map(pairs)
        case (.sequence, .sequence) where one.isEqual(to: other): return one
        default: return nil
        }
    }
}
