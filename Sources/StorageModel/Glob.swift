/// A pattern: `*` within one path segment (alone: everything), `**` across segments, `?` one
/// character; all else stands for itself.
package struct Glob: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case character(Character)
        case one
        case many
        case manySegments

        var isCharacter: Bool { if case .character = self { true } else { false } }
    }

    private let parts: [Part]
    /// The parts before the first that is no character, as bytes; nil where one is not ASCII.
    private let prefix: [UInt8]?
    package let description: String

    package init(_ text: String) {
        description = text
        parts = text == "*" ? [.manySegments] : Self.parts(of: text)
        prefix = Self.prefix(of: parts)
    }

    package func matches(_ text: String) -> Bool {
        if let prefix, Self.surelyLacks(text, prefix) { return false }
        let text = Array(text)
        // reachable[i]: the parts so far can match the first i characters.
        var reachable = [Bool](repeating: false, count: text.count + 1)
        reachable[0] = true
        for part in parts { reachable = Self.step(reachable, part, text) }
        return reachable[text.count]
    }

    /// Tells most texts that do not fit by their bytes: plain ASCII that begins otherwise.
    private static func surelyLacks(_ text: String, _ prefix: [UInt8]) -> Bool {
        var bytes = text.utf8.makeIterator()
        for wanted in prefix {
            guard let byte = bytes.next() else { return true }
            if byte != wanted { return byte < 0x80 }
        }
        return false
    }

    private static func prefix(of parts: [Part]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for case .character(let character) in parts.prefix(while: \.isCharacter) {
            // A line end of two bytes is one character.
            guard let byte = character.asciiValue, byte != 0x0A else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func step(_ from: [Bool], _ part: Part, _ text: [Character]) -> [Bool] {
        var to = [Bool](repeating: false, count: from.count)
        switch part {
        case .character(let wanted):
            for index in text.indices where from[index] && text[index] == wanted {
                to[index + 1] = true
            }
        case .one:
            for index in text.indices where from[index] && text[index] != "/" {
                to[index + 1] = true
            }
        case .many, .manySegments:
            var isOpen = false
            for index in from.indices {
                isOpen = isOpen || from[index]
                to[index] = isOpen
                if part == .many, index < text.count, text[index] == "/" { isOpen = false }
            }
        }
        return to
    }

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        for character in text {
            switch character {
            case "*" where parts.last == .many: parts[parts.count - 1] = .manySegments
            case "*": parts.append(.many)
            case "?": parts.append(.one)
            default: parts.append(.character(character))
            }
        }
        return parts
    }
}
