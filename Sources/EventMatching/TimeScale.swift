package import StorageModel

/// How the times of a scenario file relate to those that were seen.
package struct TimeScale: Hashable, Sendable {
    /// Seen time for one second of the file.
    package var factor: Double
    /// How far a seen time may be off, in either direction.
    package var grace: Duration

    /// Virtual time: exact.
    package static let exact = TimeScale(factor: 1, grace: .zero)

    package init(factor: Double, grace: Duration) {
        self.factor = factor
        self.grace = grace
    }

    /// The least silence to be seen for one that the file asks for.
    package func least(_ duration: Duration) -> Duration {
        guard self != .exact else { return duration }
        let nanoseconds = Double(duration.nanoseconds) * factor
        return max(.zero, .nanoseconds(Int64(nanoseconds)) - grace)
    }

    /// A test on seen times for a test of the file.
    package func widened(_ test: NumberTest) -> NumberTest {
        guard self != .exact else { return test }
        let grace = Double(grace.nanoseconds)
        return test.widened(lowerBy: grace, upperBy: grace, factor: factor)
    }
}
