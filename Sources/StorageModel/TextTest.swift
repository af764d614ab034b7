/// A condition on a text that may be absent: a header, a query value, a field.
package enum TextTest: Hashable, Sendable {
    case equals(String)
    case absent
    case present
    case contains(String)
    case matches(Glob)

    package func holds(_ text: String?) -> Bool {
        switch self {
        case .equals(let wanted): text == wanted
        case .absent: text == nil
        case .present: text != nil
        case .contains(let part): text.map { Self.contains($0, part) } ?? false
        case .matches(let glob): text.map(glob.matches) ?? false
        }
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard !part.isEmpty else { return true }
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { start in
            text[start..<start + part.count].elementsEqual(part)
        }
    }
}
