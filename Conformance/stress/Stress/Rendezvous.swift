import EventLoop
import Glibc

/// Where threads wait for each other, so that what follows happens at the same time.
final class Rendezvous: @unchecked Sendable {
    // Invariant: the barrier lives as long as this and is destroyed when nobody waits.
    private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

    init(threads: Int) { pthread_barrier_init(barrier, nil, UInt32(threads)) }

    deinit {
        pthread_barrier_destroy(barrier)
        barrier.deallocate()
    }

    func wait() { pthread_barrier_wait(barrier) }

    static func yield() { sched_yield() }
}

/// How many of a kind there are.
package final class LiveCount: Sendable {
    private let count = Lock(0)

    package init() {}

    package var value: Int { count.withLock { $0 } }

    /// Counts for as long as it lives.
    final class Token: Sendable {
        private let owner: LiveCount

        init(_ owner: LiveCount) {
            self.owner = owner
            owner.count.withLock { $0 += 1 }
        }

        deinit { owner.count.withLock { $0 -= 1 } }
    }
}
