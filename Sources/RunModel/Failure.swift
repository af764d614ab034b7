package import EventMatching
package import StorageModel

/// One reason why a scenario did not pass.
package struct Failure: Hashable, Sendable {
    /// What was not as it should be. The raw value is the name that reports use.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case events
        case error
        case progress
        case metadata
        case time
        case local
        case completion
        case result
        case stored
        case requests
        case exchanges
        case sessions
        case tokens
        case resources
        case complaints
        case ends
        case invariant
        /// The scenario was not over in time.
        case deadline
        /// More exchanges than its budget.
        case budget
        /// The client hung, died or said what nobody understands.
        case client
        /// Everything waits for something that cannot come.
        case deadlock
        /// A fault that never fired.
        case unfiredFault = "unfired-fault"
        /// A step whose moment never came.
        case missedStep = "missed-step"
        /// Squall or the machine broke.
        case infrastructure
    }

    package var kind: Kind
    /// The task, observer, result or path that it is about; nil for the scenario as a whole.
    package var subject: String?
    /// What is wrong and what would be right, in one sentence without a full stop.
    package var sentence: String
    /// Where the scenario file asks for it.
    package var place: SourcePlace?
    /// The invariant that did not hold.
    package var invariant: Invariant?
    package var difference: Difference?
    /// Further lines that explain: the nearest exchanges, who waits for what.
    package var notes: [String]

    package init(
        _ kind: Kind, subject: String? = nil, _ sentence: String, place: SourcePlace? = nil,
        invariant: Invariant? = nil, difference: Difference? = nil, notes: [String] = []
    ) {
        self.kind = kind
        self.subject = subject
        self.sentence = sentence
        self.place = place
        self.invariant = invariant
        self.difference = difference
        self.notes = notes
    }

    package init(_ violation: InvariantViolation, place: SourcePlace? = nil) {
        self.init(
            .invariant, subject: violation.task, violation.sentence, place: place,
            invariant: violation.invariant)
    }
}
