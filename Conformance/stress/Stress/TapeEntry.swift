package import CloudStorage

/// One thing that happened to a task, in the order in which its callback queue came to it.
package enum TapeEntry: Sendable, CustomStringConvertible {
    /// An observer was called. 0 to 5: the recorder of the status with this raw value, there from the
    /// start and before all others; higher numbers came later.
    case told(observer: Int, Showing)
    case completed(Showing)
    case note(Note)

    /// What somebody did. A note is put on the queue after the call that it tells of had returned,
    /// and one that says `began` before the call is made.
    package enum Note: Sendable {
        case added(observer: Int)
        /// These are not to be called from here on.
        case removed([Int])
        case pauseBegan(Int)
        case pauseReturned(Int)
        case cancelReturned
        case did(String)
    }

    package var description: String {
        switch self {
        case .told(let observer, let showing):
            observer <= 5 ? "\(showing)" : "    observer \(observer): \(showing)"
        case .completed(let showing): "completion \(showing)"
        case .note(.added(let observer)): "    observer \(observer) added"
        case .note(.removed(let observers)): "    removed \(observers)"
        case .note(.pauseBegan(let number)): "    pause \(number) called"
        case .note(.pauseReturned(let number)): "    pause \(number) returned"
        case .note(.cancelReturned): "    cancel returned"
        case .note(.did(let what)): "    \(what)"
        }
    }
}

/// What is known of a task beside its tape.
package struct TapeFacts: Sendable {
    /// What each observer waited for.
    package var observers: [Int: StorageTaskStatus] = [:]
    /// Observers that were added on another thread than the callback queue's: while the transfer runs,
    /// one of the start is told first that it has started.
    package var addedElsewhere: Set<Int> = []
    /// Observers that somebody removed at any time.
    package var removed: Set<Int> = []
    /// Somebody removed many at once, the recorders too: the tape has holes.
    package var hasHoles = false
    /// Calls that were made.
    package var pauses = 0
    package var resumes = 0
    package var cancels = 0
    /// Fewer bytes than before were reported in between.
    package var mayFall = false
    /// There are moments in which it is too late to cancel.
    package var mayBeTooLate = false
    /// A failure other than a cancel may come.
    package var mayFail = false

    package init() {
        for status in StorageTaskStatus.allCases { observers[status.rawValue] = status }
    }
}

/// A rule that was broken, and how that showed.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Those of the scenario language's section on expectations, and those of observers and of what a
    /// process holds.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        case oneTerminal = "one-terminal"
        case nothingAfter = "nothing-after"
        case completion
        case progressBounds = "progress-bounds"
        case progressTotal = "progress-total"
        case progressMonotone = "progress-monotone"
        case quietWhilePaused = "quiet-while-paused"
        case alternation
        case storedBytes = "stored-bytes"
        case noPartialFile = "no-partial-file"
        case silentAfterCancel = "silent-after-cancel"
        case noComplaint = "no-complaint"
        case begins = "begins-with-resume"
        case lastProgress = "last-progress"
        case errorWithFailure = "error-with-failure-alone"
        case unchanging = "snapshots-do-not-change"
        case cause = "nothing-without-cause"
        case cancelAtOnce = "cancel-at-once"
        case ownStatus = "own-status"
        case removed = "removed-is-silent"
        case missed = "nothing-missed"
        case order = "order-of-observers"
        case ends
        case oneGeneration = "one-generation"
        case cancelCommand = "cancel-command"
        case expectedEnd = "expected-end"
        case leftover = "nothing-left"
    }

    package var rule: Rule
    package var text: String

    package init(_ rule: Rule, _ text: String) {
        self.rule = rule
        self.text = text
    }

    package var description: String { "\(rule.rawValue): \(text)" }
}
