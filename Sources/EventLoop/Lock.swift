import Glibc

/// The project's one lock: a pthread mutex, because ThreadSanitizer sees it on Linux.
///
/// It is not recursive. No callback, `await` or blocking call belongs inside.
package final class Lock<Value>: @unchecked Sendable {
    // Invariant: `value` is touched with `mutex` held, and nowhere else.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
