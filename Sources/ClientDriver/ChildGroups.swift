import EventLoop
import Glibc

/// The process groups of the children that are alive, for a signal handler that ends this process.
package enum ChildGroups {
    // Invariant: a slot is written by one thread at a time, whoever has claimed it under the lock; the
    // handler only reads, and may read a number that has just been taken out.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<pid_t> = {
        let slots = UnsafeMutablePointer<pid_t>.allocate(capacity: count)
        slots.initialize(repeating: 0, count: count)
        return slots
    }()
    private static let count = 256

    /// Before any handler is set: what it touches must be there.
    package static func prepare() { slots[0] = slots[0] }

    static func add(_ pid: pid_t) {
        lock.withLock { slots in
            if let free = (0..<count).first(where: { slots[$0] == 0 }) { slots[free] = pid }
        }
    }

    static func remove(_ pid: pid_t) {
        lock.withLock { slots in
            for index in 0..<count where slots[index] == pid { slots[index] = 0 }
        }
    }

    /// Holds the slots for whoever writes them.
    private static let lock = Lock(slots)

    /// Ends all of them without notice. May be called in a signal handler.
    package static func kill() {
        for index in 0..<count where slots[index] > 0 { Glibc.kill(-slots[index], SIGKILL) }
    }
}
