/// Why a text is no pattern.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case empty
        case unknownName = "unknown-name"
        case badNumber = "bad-number"
        case badQuantifier = "bad-quantifier"
        case badCode = "bad-code"
        case badValue = "bad-value"
        case unexpectedText = "unexpected-text"
        case misplaced
        case repeated
        case tooLarge = "too-large"
    }

    package let code: Code
    /// Characters of the text before the place of the mistake.
    package let offset: Int
    /// What is wrong and what would be right, in one sentence without a full stop.
    package let sentence: String
    /// What was probably meant instead of the word at `offset`.
    package let suggestion: String?

    package init(_ code: Code, at offset: Int, _ sentence: String, suggestion: String? = nil) {
        self.code = code
        self.offset = offset
        self.sentence = sentence
        self.suggestion = suggestion
    }

    package var description: String {
        suggestion.map { "\(sentence); did you mean '\($0)'?" } ?? sentence
    }
}
