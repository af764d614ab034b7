package import StorageModel

/// What the progress events of a task must come to (expectation `progress`).
package struct ProgressTest: Hashable, Sendable {
    package enum Total: Hashable, Sendable {
        /// The client never knows it.
        case unknown
        case bytes(NumberTest)
    }

    package var total: Total?
    /// On the completed bytes of the first progress event.
    package var first: NumberTest?
    /// On the completed bytes of the last one.
    package var last: NumberTest?
    /// On the number of progress events.
    package var count: NumberTest?
    /// On how often the completed bytes went down.
    package var falls: NumberTest?
    /// On completed divided by total of the last one, from 0 to 1.
    package var fraction: NumberTest?
    /// True: progress of no bytes before any other tells of the start, and is left out.
    package var leavesOutStart = false
    /// Before which ends the last progress is told once more, which is left out.
    package var closing = Closing.none

    /// The ends before which a client tells its last progress once more.
    package enum Closing: Hashable, Sendable {
        case none
        case success
        /// And any failure but that of a cancel.
        case successAndFailure
    }

    package init() {}
}
