/// The keys of one mapping: what the decoder takes, and what the schema shows.
struct KeyTable: Sendable {
    struct Key: Sendable {
        let name: String
        let kind: ValueKind
        /// One sentence without a full stop.
        let about: String
        var isRequired = false
    }

    /// In the order in which messages and schemas show them.
    var keys: [Key]
    /// Of each group exactly one is given.
    var oneOf: [[String]] = []
    /// Of each group at least one is given.
    var someOf: [[String]] = []
    /// Of each pair not both are given.
    var apart: [(String, String)] = []
    /// The first goes only with the second.
    var together: [(String, with: String)] = []

    var names: [String] { keys.map(\.name) }

    /// The keys of both; the groups of both.
    static func + (one: KeyTable, other: KeyTable) -> KeyTable {
        var sum = one
        sum.keys += other.keys
        sum.oneOf += other.oneOf
        sum.someOf += other.someOf
        sum.apart += other.apart
        sum.together += other.together
        return sum
    }
}

/// A key that may be left out.
func optional(_ name: String, _ kind: ValueKind, _ about: String) -> KeyTable.Key {
    KeyTable.Key(name: name, kind: kind, about: about)
}

/// A key that must be there.
func required(_ name: String, _ kind: ValueKind, _ about: String) -> KeyTable.Key {
    KeyTable.Key(name: name, kind: kind, about: about, isRequired: true)
}
