/// A pattern: `*` within one path segment (alone: everything), `**` across segments, `?` one
/// character; all else stands for itself.
package struct Glob: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case character(Character)
        case one
        case many
        case manySegments
    }

    private let parts: [Part]
    package let description: String

    package init(_ text: String) {
        description = text
        parts = text == "*" ? [.manySegments] : Self.parts(of: text)
    }

    package func matches(_ text: String) -> Bool {
        let text = Array(text)
        // reachable[i]: the parts so far can match the first i characters.
        var reachable = [Bool](repeating: false, count: text.count + 1)
        reachable[0] = true
        for part in parts { reachable = Self.step(reachable, part, text) }
        return reachable[text.count]
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
