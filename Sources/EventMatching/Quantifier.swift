/// The quantifiers of the text forms: `?`, `*`, `+`, ` x3`, ` x2..5`, ` x2..`.
enum Quantifier {
    /// Takes a quantifier off the end of a text.
    static func split(
        _ text: [Character]
    ) throws(PatternError) -> (body: [Character], repetition: Repetition) {
        let text = Array(text.reversed().drop { $0 == " " }.reversed())
        if let last = text.last, let repetition = symbol(last) {
            let body = Array(text.dropLast())
            if let before = body.last, symbol(before) != nil {
                throw PatternError(
                    .badQuantifier, at: body.count - 1, "two quantifiers: '\(before)' and '\(last)'"
                )
            }
            return (body, repetition)
        }
        guard let space = text.lastIndex(of: " "), text.indices.contains(space + 1),
            text[space + 1] == "x"
        else { return (text, .once) }
        let repetition = try counted(Array(text[(space + 1)...]), at: space + 1)
        return (Array(text[..<space].reversed().drop { $0 == " " }.reversed()), repetition)
    }

    static func symbol(_ character: Character) -> Repetition? {
        switch character {
        case "?": .optional
        case "*": .any
        case "+": .some
        default: nil
        }
    }

    /// Reads `x3`, `x2..5`, `x2..` or `x..5`.
    static func counted(
        _ word: [Character], at offset: Int
    ) throws(PatternError) -> Repetition {
        let counts = String(word.dropFirst())
        guard counts.allSatisfy({ $0.isNumber || $0 == "." }),
            let repetition = Repetition(times: counts)
        else {
            throw PatternError(
                .badQuantifier, at: offset,
                "'\(String(word))' is no count: x3, x2..5 or x2.. would be right")
        }
        return repetition
    }

    static func tooLarge(at offset: Int) -> PatternError {
        PatternError(
            .tooLarge, at: offset,
            "a pattern of more than 10000 elements: use + or * and test the number apart")
    }
}
