/// The habits of a client; as it stands, what the profile `documented` has.
package struct Traits: Hashable, Sendable {
    /// What is told when a transfer starts.
    package enum StartEvent: String, Hashable, Sendable, CaseIterable {
        case resume
        case none
        /// A progress of no bytes; two where waiting and running are told apart.
        case zeroProgress = "zero-progress"
    }

    /// Before which ends the last progress is told once more.
    package enum ClosingProgress: String, Hashable, Sendable, CaseIterable {
        case none
        case success
        /// And before a failure that neither the user nor a local file brought about.
        case successAndFailure = "success-and-failure"
    }

    package enum ProgressEvents: String, Hashable, Sendable, CaseIterable {
        case reported
        case none
    }

    /// What the completed bytes of an upload are.
    package enum ProgressUnit: String, Hashable, Sendable, CaseIterable {
        case acknowledged
        case sent
    }

    /// What the total of an upload is.
    package enum ProgressTotal: String, Hashable, Sendable, CaseIterable {
        case object
        /// The metadata that starts the session counts, in the completed bytes too.
        case objectAndMetadata = "object-and-metadata"
    }

    /// When a pause is told.
    package enum PauseEvent: String, Hashable, Sendable, CaseIterable {
        /// Once the exchange has stopped and the durable offset is known.
        case stopped
        case atCall = "at-call"
    }

    /// Whether a pause of a download into memory is told.
    package enum MemoryPause: String, Hashable, Sendable, CaseIterable {
        case told
        case untold
    }

    /// What follows a token that the server refuses.
    package enum RefusedToken: String, Hashable, Sendable, CaseIterable {
        /// A new one is asked for, once.
        case renewed
        case final
    }

    /// What tells of a cancel.
    package enum CancelledEvent: String, Hashable, Sendable, CaseIterable {
        case failure
        /// An event of its own, which an observer of failures alone does not hear.
        case own
    }

    package enum CancelWhilePaused: String, Hashable, Sendable, CaseIterable {
        case fails
        /// The task stays paused.
        case ignored
    }

    /// Whether the server is told of a cancelled upload.
    package enum CancelCommand: String, Hashable, Sendable, CaseIterable {
        case sent
        case notSent = "not-sent"
    }

    /// What an observer hears of what was before it.
    package enum LateObserver: String, Hashable, Sendable, CaseIterable {
        /// The end, where the task has ended.
        case replayEnd = "replay-end"
        /// The state of the task, whatever it is.
        case replay
        /// The same, but nothing after a cancel.
        case replayButCancel = "replay-but-cancel"
        case nothing
    }

    /// What follows a connection that broke under a body.
    package enum AfterBreak: String, Hashable, Sendable, CaseIterable {
        case query
        /// The same body again, and nothing is asked.
        case resend
    }

    package enum QueryFailure: String, Hashable, Sendable, CaseIterable {
        case retried
        case fatal
    }

    /// What follows a refusal by a session that says that it is active.
    package enum RefusedWhileActive: String, Hashable, Sendable, CaseIterable {
        case query
        /// The same body again, and nothing is asked.
        case retry
        case fail
    }

    /// The error once no try is left.
    package enum Exhausted: String, Hashable, Sendable, CaseIterable {
        case retryLimitExceeded
        /// What the last try came to.
        case lastError = "last-error"
    }

    package enum Checksum: String, Hashable, Sendable, CaseIterable {
        case verified
        case unchecked
    }

    /// How a small upload is sent.
    package enum SmallUpload: Hashable, Sendable {
        case resumable
        /// Up to so many bytes in one request with metadata and object.
        case multipart(upTo: Int64)
        /// Every upload in one request that is the object alone.
        case media
    }

    /// How an upload is cut.
    package enum Chunks: Hashable, Sendable {
        /// As the scenario sets it.
        case settable
        case whole
        /// Bytes of each but the last.
        case fixed(Int64)
        /// Bytes of the first and the most of one; each is twice the one before.
        case doubling(Int64, Int64)
    }

    /// Where a download goes on after a break or a pause.
    package enum DownloadResume: String, Hashable, Sendable, CaseIterable {
        case range
        case restart
        /// After a pause of a download to a file at the byte where it stopped, else at the beginning.
        case afterPause = "after-pause"
    }

    package var startEvent = StartEvent.resume
    package var closingProgress = ClosingProgress.none
    package var progressEvents = ProgressEvents.reported
    package var progressUnit = ProgressUnit.acknowledged
    package var progressTotal = ProgressTotal.object
    package var pauseEvent = PauseEvent.stopped
    package var memoryPause = MemoryPause.told
    package var refusedToken = RefusedToken.renewed
    package var cancelledEvent = CancelledEvent.failure
    package var cancelWhilePaused = CancelWhilePaused.fails
    package var cancelCommand = CancelCommand.sent
    package var lateObserver = LateObserver.replayEnd
    package var retries = RetryHabit()
    package var afterBreak = AfterBreak.query
    package var queryFailure = QueryFailure.retried
    package var refusedWhileActive = RefusedWhileActive.query
    package var exhausted = Exhausted.retryLimitExceeded
    package var checksum = Checksum.verified
    package var smallUpload = SmallUpload.resumable
    package var chunks = Chunks.settable
    package var downloadResume = DownloadResume.range
    package var errorNames = ErrorNames()

    package init() {}

    package static let documented = Traits()
}
