/// A smoke scenario with faults, run once more without them, beside the run with them.
package struct Twin: Hashable, Sendable {
    /// The raw value is the name that reports use.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The client did or told something else without the faults, as it has to.
        case differs
        /// It did and told the same, although a transfer of it was refused or broken.
        case same
        /// It told of the same failure, although nothing was refused or broken.
        case unfounded
        /// It did and told the same, and the faults refused and broke nothing that would forbid it.
        case cannotTell = "cannot-tell"
        /// The run without the faults did not come to its end.
        case notRun = "not-run"
    }

    /// The id of the scenario.
    package var scenario: String
    package var file: String
    package var outcome: Outcome
    /// True when the run with the faults ended in a failure that a client does not come to by itself, as
    /// it does to a cancel or to a file that is too large.
    package var isFailure: Bool
    /// Why it cannot tell or was not run; nil otherwise.
    package var reason: String?

    package init(
        scenario: String, file: String, outcome: Outcome, isFailure: Bool = false,
        reason: String? = nil
    ) {
        self.scenario = scenario
        self.file = file
        self.outcome = outcome
        self.isFailure = isFailure
        self.reason = reason
    }

    /// True where the client's events may not depend on what happens.
    package var isSuspicious: Bool { outcome == .same || outcome == .unfounded }

    /// True where an honest client cannot but do or tell something else.
    package var isTelling: Bool { isSuspicious || outcome == .differs }
}
