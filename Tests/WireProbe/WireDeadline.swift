import Glibc

/// A moment on the wall clock by which something must have come.
struct WireDeadline {
    private let moment: ContinuousClock.Instant

    init(_ duration: Duration) { moment = ContinuousClock.now + duration }

    /// Waits until one of the poll events is there; false when the deadline passes first.
    func wait(for events: Int32, on fd: Int32) -> Bool {
        while true {
            var query = pollfd(fd: fd, events: Int16(events), revents: 0)
            let left = max(.zero, moment - ContinuousClock.now)
            let milliseconds = left / .milliseconds(1)
            let count = poll(&query, 1, Int32(min(milliseconds.rounded(.up), 3_600_000)))
            if count > 0 { return true }
            if count == 0, ContinuousClock.now >= moment { return false }
        }
    }
}
