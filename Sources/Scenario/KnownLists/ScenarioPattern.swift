/// Which scenarios an entry of a list means: an id, or a pattern over ids.
///
/// `*` stands for any text inside one segment of the path, `**` for any text at all; everything else
/// stands for itself, brackets and question marks too, so that every id without a star is its own
/// pattern. A row belongs to the last segment whatever its values are: `partial/cut[*]` fits
/// `partial/cut[path=a/b]`.
///
/// It is not the `Glob` of object paths: there `?` is a wildcard, a lone `*` is everything, and a
/// slash in a row would end a segment.
package struct ScenarioPattern: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case byte(UInt8)
        case many
        case manySegments
    }

    /// As the file gives it.
    package let text: String
    private let parts: [Part]

    package init(_ text: String) {
        self.text = text
        parts = Self.parts(of: text)
    }

    package var description: String { text }

    /// Whether it has a wildcard, and with it can mean several scenarios.
    package var isWild: Bool { text.utf8.contains(UInt8(ascii: "*")) }

    /// Whether it says what it is about before its first wildcard: at least a letter or a digit.
    package var namesTopic: Bool {
        text.prefix { $0 != "*" }.contains { $0.isLetter || $0.isNumber }
    }

    package func matches(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        if bytes.elementsEqual(text.utf8) { return true }
        guard isWild, startsAlike(bytes) else { return false }
        let row = bytes.firstIndex(of: UInt8(ascii: "[")) ?? bytes.count
        // reachable[i]: the parts so far can match the first i bytes.
        var reachable = [Bool](repeating: false, count: bytes.count + 1)
        reachable[0] = true
        for part in parts { reachable = Self.step(reachable, part, bytes, row) }
        return reachable[bytes.count]
    }

    /// The positions of the ids that it means: the one that it is, letter for letter, or else all
    /// that it fits.
    package func positions(in ids: [String]) -> [Int] {
        let same = ids.indices.filter { ids[$0].utf8.elementsEqual(text.utf8) }
        return same.isEmpty ? ids.indices.filter { matches(ids[$0]) } : same
    }

    private func startsAlike(_ bytes: [UInt8]) -> Bool {
        for (index, part) in parts.enumerated() {
            guard case .byte(let byte) = part else { return true }
            guard index < bytes.count, bytes[index] == byte else { return false }
        }
        return true
    }

    /// - Parameter row: where the row begins; from there on a slash ends no segment.
    private static func step(
        _ from: [Bool], _ part: Part, _ bytes: [UInt8], _ row: Int
    ) -> [Bool] {
        var to = [Bool](repeating: false, count: from.count)
        switch part {
        case .byte(let wanted):
            for index in bytes.indices where from[index] && bytes[index] == wanted {
                to[index + 1] = true
            }
        case .many, .manySegments:
            var isOpen = false
            for index in from.indices {
                isOpen = isOpen || from[index]
                to[index] = isOpen
                let endsSegment =
                    index < row && index < bytes.count && bytes[index] == UInt8(ascii: "/")
                if part == .many, endsSegment { isOpen = false }
            }
        }
        return to
    }

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "*") where parts.last == .many: parts[parts.count - 1] = .manySegments
            case UInt8(ascii: "*") where parts.last == .manySegments: break
            case UInt8(ascii: "*"): parts.append(.many)
            default: parts.append(.byte(byte))
            }
        }
        return parts
    }
}
