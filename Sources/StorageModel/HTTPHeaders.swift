/// Header fields in the order of the wire; names compare without regard to case.
///
/// Source: RFC 9110 section 5.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of the field; setting replaces every field of that name, nil removes them.
    package subscript(_ name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            guard let newValue else { return remove(name) }
            let first = fields.firstIndex { Self.same($0.name, name) }
            let field = Field(name: name, value: newValue)
            guard let first else { return fields.append(field) }
            fields[first] = field
            let rest = fields[(first + 1)...].filter { !Self.same($0.name, name) }
            fields.replaceSubrange((first + 1)..., with: rest)
        }
    }

    package func values(of name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Appends a field, also where one of that name is there already.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    package mutating func remove(_ name: String) {
        fields.removeAll { Self.same($0.name, name) }
    }

    /// Gives the fields called `name` another name; their order and values stay.
    package mutating func rename(_ name: String, to newName: String) {
        for index in fields.indices where Self.same(fields[index].name, name) {
            fields[index].name = newName
        }
    }

    /// True for names that differ in the case of ASCII letters at most.
    package static func same(_ one: String, _ other: String) -> Bool {
        let (one, other) = (one.utf8, other.utf8)
        guard one.count == other.count else { return false }
        // Most names of one length differ in their last letter already.
        guard let last = one.last, let otherLast = other.last else { return true }
        guard lowercased(last) == lowercased(otherLast) else { return false }
        var (place, otherPlace) = (one.startIndex, other.startIndex)
        while place < one.endIndex {
            guard lowercased(one[place]) == lowercased(other[otherPlace]) else { return false }
            one.formIndex(after: &place)
            other.formIndex(after: &otherPlace)
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
