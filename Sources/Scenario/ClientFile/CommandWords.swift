/// The words of a command that is written as one text.
///
/// Blanks part the words; single quotes keep everything, double quotes everything but `\"` and `\\`,
/// a backslash the next character. Source: POSIX.1-2017, Shell Command Language 2.2, without what
/// needs a shell: that is refused, so that nobody waits for an expansion that never comes.
struct CommandWords {
    enum Failure: Error, Hashable {
        /// A quote that does not end; where it begins, in scalars from 0.
        case openQuote(at: Int)
        /// A backslash with nothing behind it.
        case openBackslash(at: Int)
        /// Something that only a shell would understand.
        case needsShell(Character, at: Int)

        var offset: Int {
            switch self {
            case .openQuote(let offset), .openBackslash(let offset), .needsShell(_, let offset):
                offset
            }
        }
    }

    /// What a shell would act on outside quotes.
    private static let operators: Set<Unicode.Scalar> = [
        "$", "`", "|", "&", ";", "<", ">", "(", ")", "*", "?", "[", "#", "~", "{", "}",
    ]
    /// Of these, what it acts on at the beginning of a word alone.
    private static let leading: Set<Unicode.Scalar> = ["#", "~", "{", "}"]

    private(set) var words: [String] = []
    private var word: String.UnicodeScalarView?

    init(_ text: String) throws(Failure) {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            index = try take(scalars, at: index)
        }
        endWord()
    }

    /// Takes what begins at an index; returns where it goes on.
    private mutating func take(_ scalars: [Unicode.Scalar], at index: Int) throws(Failure) -> Int {
        switch scalars[index] {
        case " ", "\t", "\n":
            endWord()
            return index + 1
        case "'", "\"": return try takeQuoted(scalars, from: index)
        case "\\":
            guard index + 1 < scalars.count else { throw .openBackslash(at: index) }
            append(scalars[index + 1])
            return index + 2
        case let scalar:
            let isFirst = word == nil
            if Self.operators.contains(scalar), isFirst || !Self.leading.contains(scalar) {
                throw .needsShell(Character(scalar), at: index)
            }
            append(scalar)
            return index + 1
        }
    }

    private mutating func takeQuoted(
        _ scalars: [Unicode.Scalar], from start: Int
    ) throws(Failure) -> Int {
        let quote = scalars[start]
        word = word ?? String.UnicodeScalarView()
        var index = start + 1
        while index < scalars.count, scalars[index] != quote {
            if quote == "\"" {
                if scalars[index] == "$" || scalars[index] == "`" {
                    throw .needsShell(Character(scalars[index]), at: index)
                }
                let next = index + 1 < scalars.count ? scalars[index + 1] : " "
                if scalars[index] == "\\", next == "\"" || next == "\\" { index += 1 }
            }
            append(scalars[index])
            index += 1
        }
        guard index < scalars.count else { throw .openQuote(at: start) }
        return index + 1
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        word = word ?? String.UnicodeScalarView()
        word?.append(scalar)
    }

    private mutating func endWord() {
        if let word { words.append(String(word)) }
        word = nil
    }
}
