package import StorageModel

/// What was seen of one transfer: all that its recorder and its completion were told.
package struct TaskRecord: Hashable, Sendable {
    /// A call of the completion.
    package struct Completion: Hashable, Sendable {
        /// Nil for success.
        package var error: ClientError?
        package var time: Duration

        package init(error: ClientError? = nil, time: Duration) {
            self.error = error
            self.time = time
        }
    }

    /// As the scenario names it; in `repeat` with the round, `up#3`.
    package var name: String
    package var isUpload: Bool
    package var bucket: String
    package var path: String
    /// When the step that started it was carried out.
    package var start: Duration
    package var events: [TransferEvent] = []
    package var completions: [Completion] = []
    /// True unless it was started without one.
    package var hasCompletion = true
    /// True unless it was started without the recording observer.
    package var hasRecorder = true
    /// True when the process that it ran in was ended by a step.
    package var isCutOff = false

    package init(
        name: String, isUpload: Bool, bucket: String, path: String, start: Duration = .zero
    ) {
        self.name = name
        self.isUpload = isUpload
        self.bucket = bucket
        self.path = path
        self.start = start
    }

    /// True when its last word was a pause.
    package var isPausedAtEnd: Bool { events.last?.kind == .pause }
}
