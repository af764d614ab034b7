import StorageModel

/// Where the keys and lists stand in the text of a client's file.
struct KnownListsLayout: Sendable {
    /// One pair of the file.
    struct Pair: Sendable {
        /// Of the key's name.
        var key: SourcePlace
        var value: YAMLNode

        /// The entries of a list; none where the value is no list.
        var entries: [YAMLNode] { value.sequence ?? [] }
    }

    let file: String
    private let pairs: [String: Pair]

    init(_ root: YAMLNode) {
        file = root.place.file
        var pairs: [String: Pair] = [:]
        for pair in root.mapping ?? [] {
            guard let name = pair.key.scalar else { continue }
            pairs[name] = Pair(key: pair.key.place, value: pair.value)
        }
        self.pairs = pairs
    }

    var keys: [String] { Array(pairs.keys) }

    subscript(key: String) -> Pair? { pairs[key] }
}
