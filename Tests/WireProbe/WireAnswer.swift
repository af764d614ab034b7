/// The head of an answer, as it was on the wire.
package struct WireHead: Hashable, Sendable {
    /// Everything up to and including the empty line.
    package let text: String
    package let version: String
    package let status: Int
    package let reason: String
    /// Fields in the order of the wire, names as sent.
    package let fields: [(name: String, value: String)]

    /// - Throws: `WireError.malformed` for a line that is no status line or no field.
    init(_ text: String) throws(WireError) {
        self.text = text
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard !lines.isEmpty else { throw .malformed(text) }
        let first = lines.removeFirst().split(
            separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard first.count >= 2, let status = Int(first[1]) else { throw .malformed(text) }
        version = String(first[0])
        self.status = status
        reason = first.count > 2 ? String(first[2]) : ""
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed(String(line)) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((String(line[..<colon]), String(value)))
        }
        self.fields = fields
    }

    /// The first value of a field, whatever the case of its name.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// An answer, read to its end.
package struct WireAnswer: Hashable, Sendable {
    package let head: WireHead
    /// The body without its chunk marks.
    package let body: [UInt8]
    /// How the connection ended, if the body's end or a break of it was told by that.
    package let ending: WireEnding?
    /// True when the body had the length that its head declares.
    package let isWhole: Bool

    package var status: Int { head.status }
    package var text: String { String(decoding: body, as: UTF8.self) }
}
