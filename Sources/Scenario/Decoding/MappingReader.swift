import StorageModel

/// Reads the keys of one mapping; unknown ones are reported when it is made.
struct MappingReader {
    let node: YAMLNode
    /// Characters of all keys that a message tells where none is near.
    private static let toldKeys = 240

    private let what: String
    private let decoder: ScenarioDecoder
    private let values: [String: YAMLNode]
    /// An unknown key is probably the one that is missing, so that one is not told as well.
    private let hasUnknownKeys: Bool

    /// - Parameter what: what the mapping is, for messages: `a fault`.
    init?(_ node: YAMLNode, _ what: String, keys: [String], _ decoder: ScenarioDecoder) {
        guard let pairs = node.mapping else {
            decoder.error("\(what) is a mapping, not \(node.kindName)", at: node.place)
            return nil
        }
        var values: [String: YAMLNode] = [:]
        var hasUnknownKeys = false
        for pair in pairs {
            guard let key = pair.key.scalar else { continue }
            guard keys.contains(key) else {
                decoder.unknown(
                    "unknown key '\(key)'", instead: key, of: keys, at: pair.key.place,
                    limit: Self.toldKeys)
                hasUnknownKeys = true
                continue
            }
            values[key] = pair.value
        }
        self.node = node
        self.what = what
        self.decoder = decoder
        self.values = values
        self.hasUnknownKeys = hasUnknownKeys
    }

    subscript(key: String) -> YAMLNode? { values[key] }

    var place: SourcePlace { node.place }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// Reads a key that may be left out.
    func read<Value>(_ key: String, _ read: (YAMLNode) -> Value?) -> Value? {
        values[key].flatMap(read)
    }

    /// The place of a key's name.
    func keyPlace(_ key: String) -> SourcePlace {
        node.mapping?.first { $0.key.scalar == key }?.key.place ?? node.place
    }

    /// Reads a key that must be there.
    func require<Value>(_ key: String, _ read: (YAMLNode) -> Value?) -> Value? {
        guard let value = values[key] else {
            if !hasUnknownKeys { decoder.error("\(what) needs '\(key)'", at: node.place) }
            return nil
        }
        return read(value)
    }

    /// The one of these keys that is given; reports none and several.
    func one(of keys: [String]) -> String? {
        let given = keys.filter(has)
        let list = keys.map { "'\($0)'" }.joined(separator: ", ")
        if given.isEmpty, !hasUnknownKeys {
            decoder.error("\(what) needs one of \(list)", at: node.place)
        }
        if given.count > 1 {
            decoder.error(
                "\(what) has only one of \(list)", at: keyPlace(given[1]))
        }
        return given.count == 1 ? given[0] : nil
    }
}
