/// A rule that scenarios cite: what a client owes, in one sentence.
package struct Rule: Hashable, Sendable {
    /// Whose promise a rule is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The product pages promise it.
        case document = "D"
        /// The wire protocol asks it of a client.
        case wire = "W"
        /// Nobody wrote it down; a client that breaks it cannot be relied on.
        case robustness = "R"

        /// True where a public text says it, so that a scenario may demand it.
        package var isPublished: Bool { self != .robustness }
    }

    package let kind: Kind
    /// From 1, without gaps within a kind; a number never changes its meaning.
    package let number: Int
    /// One sentence, with its full stop.
    package let sentence: String
    /// The public text that says it, or of a robustness rule what shows the need.
    package let source: String
    /// The invariant that watches over it in every run, by its name; nil where none does.
    package let invariant: String?

    /// As scenarios write it: `W4`.
    package var name: String { kind.rawValue + "\(number)" }
}
