package import FaultEngine
package import StorageModel

/// When an event of a task must come (expectation `time`).
package struct TimeTest: Hashable, Sendable {
    package var moment: TaskTrigger.Moment
    /// The n-th event of that kind, from 1.
    package var ordinal: Int
    /// On the completed bytes of the events that count; nil: all count.
    package var bytes: NumberTest?
    /// What the time is counted from; nil: the task's start.
    package var since: Trigger?
    package var test: NumberTest

    package init(
        _ moment: TaskTrigger.Moment, ordinal: Int = 1, since: Trigger? = nil, is test: NumberTest
    ) {
        self.moment = moment
        self.ordinal = ordinal
        self.since = since
        self.test = test
    }
}
