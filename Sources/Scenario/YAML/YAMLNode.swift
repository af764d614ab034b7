import StorageModel

/// A value of a YAML document, with its place.
struct YAMLNode: Sendable {
    enum Style: Hashable, Sendable {
        case plain
        case singleQuoted
        case doubleQuoted
        /// `|` or `>`.
        case block
    }

    struct Pair: Sendable {
        var key: YAMLNode
        var value: YAMLNode
    }

    indirect enum Value: Sendable {
        case scalar(String, Style)
        case sequence([YAMLNode])
        /// In the order of the file; keys are scalars and differ.
        case mapping([Pair])
    }

    var value: Value
    var place: SourcePlace

    init(_ value: Value, _ place: SourcePlace) {
        self.value = value
        self.place = place
    }

    /// A plain scalar.
    init(text: String, _ place: SourcePlace) {
        self.init(.scalar(text, .plain), place)
    }

    /// The text of a scalar, whatever its style.
    var scalar: String? {
        if case .scalar(let text, _) = value { text } else { nil }
    }

    var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = value { nodes } else { nil }
    }

    var mapping: [Pair]? {
        if case .mapping(let pairs) = value { pairs } else { nil }
    }

    var isPlain: Bool {
        if case .scalar(_, .plain) = value { true } else { false }
    }

    /// True for an empty plain scalar, `null` and `~`. Source: YAML 1.2.2 section 10.3.2.
    var isNull: Bool {
        guard isPlain, let scalar else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar)
    }

    /// The place of a character inside the scalar's text, for a scalar written on one line.
    func place(atOffset offset: Int) -> SourcePlace {
        switch value {
        case .scalar(_, .plain):
            SourcePlace(file: place.file, line: place.line, column: place.column + offset)
        case .scalar(_, .singleQuoted), .scalar(_, .doubleQuoted):
            SourcePlace(file: place.file, line: place.line, column: place.column + 1 + offset)
        case .scalar(_, .block), .sequence, .mapping:
            place
        }
    }

    /// What it is, for messages.
    var kindName: String {
        switch value {
        case .scalar: isNull ? "nothing" : "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The value of a key of a mapping.
    subscript(key: String) -> YAMLNode? {
        mapping?.first { $0.key.scalar == key }?.value
    }
}
