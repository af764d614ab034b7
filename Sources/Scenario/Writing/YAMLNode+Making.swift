import StorageModel

/// Trees that are made to be written.
extension YAMLNode {
    private static let nowhere = SourcePlace(file: "", line: 1, column: 1)

    /// A word of the language, a number, a size: it stands without quotes where YAML allows.
    static func word(_ text: String) -> YAMLNode { YAMLNode(.scalar(text, .plain), nowhere) }

    /// A text, whatever it looks like: `"5"`, `"null"`.
    static func text(_ text: String) -> YAMLNode {
        YAMLNode(.scalar(text, .doubleQuoted), nowhere)
    }

    static func number(_ number: some BinaryInteger) -> YAMLNode { word("\(number)") }

    static func flag(_ flag: Bool) -> YAMLNode { word(flag ? "true" : "false") }

    static func size(_ bytes: Int64) -> YAMLNode { word(bytes.sizeText) }

    static func duration(_ duration: Duration) -> YAMLNode { word(duration.exactText) }

    static func list(_ nodes: [YAMLNode]) -> YAMLNode { YAMLNode(.sequence(nodes), nowhere) }

    static func words(_ words: [String]) -> YAMLNode { list(words.map(word)) }

    static func texts(_ texts: [String]) -> YAMLNode { list(texts.map(text)) }

    /// A mapping; a key without a value is left out.
    static func map(_ pairs: [(String, YAMLNode?)]) -> YAMLNode {
        let given = pairs.compactMap { key, value in
            value.map { Pair(key: text(key), value: $0) }
        }
        return YAMLNode(.mapping(given), nowhere)
    }

    /// A mapping, sorted by its keys.
    static func map(_ texts: [String: String]) -> YAMLNode {
        map(texts.sorted { $0.key < $1.key }.map { ($0.key, text($0.value)) })
    }

    /// The pairs of a mapping, to stand among others.
    var pairs: [(String, YAMLNode?)] {
        (mapping ?? []).map { ($0.key.scalar ?? "", $0.value) }
    }

    var isEmptyMapping: Bool { mapping?.isEmpty ?? false }

    /// Nil for an empty mapping.
    var unlessEmpty: YAMLNode? { isEmptyMapping ? nil : self }
}
