import StorageModel

extension ProfileBlock {
    /// As the language writes it: what is replaced, and `null` for what is removed.
    var node: YAMLNode {
        var entries = replaced.node.pairs
        if let skip { entries.insert(("skip", .text(skip)), at: 0) }
        for path in removed { Self.remove(path, from: &entries) }
        return .map(entries)
    }

    private static func remove(_ path: [String], from entries: inout [(String, YAMLNode?)]) {
        guard let key = path.first else { return }
        let null = YAMLNode.word("null")
        guard path.count > 1 else {
            entries.append((key, null))
            return
        }
        let members = [(path[1], Optional(null))]
        guard let index = entries.firstIndex(where: { $0.0 == key }), let entry = entries[index].1
        else {
            entries.append((key, .map(members)))
            return
        }
        // Requests without conditions are a list, which has no member to remove.
        let old = entry.mapping == nil ? [("are", Optional(entry))] : entry.pairs
        entries[index].1 = .map(old + members)
    }
}
