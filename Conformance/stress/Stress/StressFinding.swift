/// Something that broke rules, with what shows it.
package struct StressFinding: Sendable {
    /// Where it was found, for people.
    package var place: String
    /// The round or batch that plays it again; nil: the run as a whole.
    package var number: Int?
    package var violations: [Violation]
    /// What happened, line by line.
    package var tape: [String]

    package init(
        place: String, number: Int? = nil, violations: [Violation], tape: [String] = []
    ) {
        self.place = place
        self.number = number
        self.violations = violations
        self.tape = tape
    }
}
