/// A JSON value that keeps the order of its members and the spelling of its numbers.
///
/// Source: RFC 8259.
package indirect enum JSONValue: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// The number's text, as it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
}
