/// What holds in every scenario without being written.
///
/// The raw value is the name that files and reports use.
package enum Invariant: String, Hashable, Sendable, CaseIterable {
    /// Exactly one terminal event for each started task.
    case oneTerminal = "one-terminal"
    case nothingAfter = "nothing-after"
    /// The completion is called once, and says what the terminal event says.
    case completion
    case progressBounds = "progress-bounds"
    case progressTotal = "progress-total"
    case progressMonotone = "progress-monotone"
    case quietWhilePaused = "quiet-while-paused"
    /// Pause and resume take turns.
    case alternation
    /// Needs the store and the disk: the runner looks.
    case storedBytes = "stored-bytes"
    /// Needs the disk: the runner looks.
    case noPartialFile = "no-partial-file"
    case silentAfterCancel = "silent-after-cancel"
    case noComplaint = "no-complaint"
}

/// An invariant that did not hold.
package struct InvariantViolation: Hashable, Sendable {
    package let invariant: Invariant
    /// The task that broke it; nil where it is nobody's.
    package let task: String?
    /// What happened and what should have, in one sentence.
    package let sentence: String
    package let time: Duration?

    package init(
        _ invariant: Invariant, task: String? = nil, _ sentence: String, time: Duration? = nil
    ) {
        self.invariant = invariant
        self.task = task
        self.sentence = sentence
        self.time = time
    }
}
