/// Expected and seen side by side.
package struct Difference: Hashable, Sendable {
    package enum Mark: String, Hashable, Sendable {
        case same
        /// Of the right kind, with wrong values.
        case differs
        case missing
        case unexpected
    }

    package struct Row: Hashable, Sendable {
        package var mark: Mark
        /// When the element came.
        package var time: Duration?
        /// The part of the pattern; nil where nothing was expected.
        package var expected: String?
        /// What came; nil where nothing did.
        package var seen: String?
        /// What the server did about then, where that explains something.
        package var cause: String?

        package init(
            _ mark: Mark, time: Duration? = nil, expected: String? = nil, seen: String? = nil,
            cause: String? = nil
        ) {
            self.mark = mark
            self.time = time
            self.expected = expected
            self.seen = seen
            self.cause = cause
        }
    }

    /// The mistake, named in one sentence.
    package var sentence: String
    package var rows: [Row]

    package init(sentence: String, rows: [Row]) {
        self.sentence = sentence
        self.rows = rows
    }

    /// Where the two part: the first row that is not the same on both sides.
    package var firstParting: Int? { rows.firstIndex { $0.mark != .same } }
}
