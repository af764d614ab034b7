import Glibc

/// Values in the order in which they came, from any thread, and a way to wait for one without sleeping.
package final class Recorder<Value: Sendable>: @unchecked Sendable {
    // Invariant: `recorded` is touched with `mutex` held.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var recorded: [Value] = []

    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func append(_ value: Value) {
        pthread_mutex_lock(mutex)
        recorded.append(value)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Everything so far.
    package var values: [Value] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return recorded
    }

    package func removeAll() {
        pthread_mutex_lock(mutex)
        recorded.removeAll()
        pthread_mutex_unlock(mutex)
    }

    /// Waits until `isEnough` holds of everything so far, and returns it. Blocks the thread.
    ///
    /// - Throws: `DeadlinePassed` with what came until then.
    @discardableResult
    package func wait(
        for what: String = "values", within limit: Duration = .seconds(10),
        until isEnough: ([Value]) -> Bool
    ) throws(DeadlinePassed) -> [Value] {
        var moment = Self.moment(after: limit)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isEnough(recorded) {
            guard pthread_cond_timedwait(condition, mutex, &moment) != ETIMEDOUT else {
                guard !isEnough(recorded) else { break }
                throw DeadlinePassed(what: what, seen: recorded.map { "\($0)" })
            }
        }
        return recorded
    }

    /// Waits until `count` values have come, and returns all.
    @discardableResult
    package func wait(
        count: Int, within limit: Duration = .seconds(10)
    ) throws(DeadlinePassed) -> [Value] {
        try wait(for: "\(count) values", within: limit) { $0.count >= count }
    }

    private static func moment(after limit: Duration) -> timespec {
        var moment = timespec()
        clock_gettime(CLOCK_REALTIME, &moment)
        let (seconds, attoseconds) = limit.components
        moment.tv_sec += Int(seconds)
        moment.tv_nsec += Int(attoseconds / 1_000_000_000)
        if moment.tv_nsec >= 1_000_000_000 {
            moment.tv_nsec -= 1_000_000_000
            moment.tv_sec += 1
        }
        return moment
    }
}

/// What a test waited for did not come.
package struct DeadlinePassed: Error, CustomStringConvertible {
    package let what: String
    /// What came until then.
    package let seen: [String]

    package var description: String { "waited for \(what), saw \(seen)" }
}
