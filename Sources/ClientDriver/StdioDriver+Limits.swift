extension StdioDriver {
    /// How long a child may take, and how much it may say.
    package struct Limits: Hashable, Sendable {
        /// For answers that do not wait for the network.
        package var reply = Duration.seconds(10)
        /// For the answer to `configure`, for that to `end`, and for that to the last `sync`.
        package var end = Duration.seconds(10)
        /// For a child that starts: an interpreter may take its time.
        package var hello = Duration.seconds(30)
        /// Bytes of a line.
        package var line = 4 << 20
        /// Messages in one scenario.
        package var messages = 100_000
        /// Between TERM and KILL.
        package var termination = Duration.milliseconds(500)
        /// For a child that was told to stop by the end of its input.
        package var stop = Duration.seconds(2)
        /// From the end of the child's output, or of its input, until it has to have ended.
        package var lastWords = Duration.milliseconds(500)
        /// Bytes of error output that are written to a scenario's file.
        package var errorOutput = 16 << 20

        package init() {}

        /// A client starts with an empty cache, beside others that do the same.
        private static let startFactor = 4

        /// - Parameter deadline: what a client file allows for one scenario, and so also for its
        ///   beginning and its end and, four times, for the start of the client; nil: as usual.
        package init(deadline: Duration?) {
            guard let deadline else { return }
            end = min(end, deadline)
            hello = min(hello, deadline * Self.startFactor)
        }
    }
}
