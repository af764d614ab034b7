/// A name as a key: compared byte by byte, because objects whose names differ in their Unicode
/// form alone are different objects.
struct NameKey: Hashable, Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: NameKey, other: NameKey) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    static func < (one: NameKey, other: NameKey) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}
