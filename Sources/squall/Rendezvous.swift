import Glibc

/// A value that one thread waits for and another sets, once.
final class Rendezvous<Value: Sendable>: @unchecked Sendable {
    // Invariant: `value` is written before the semaphore is raised and read after it was lowered.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var value: Result<Value, any Error>?

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func set(_ result: Result<Value, any Error>) {
        value = result
        sem_post(semaphore)
    }

    func wait() throws -> Value {
        while sem_wait(semaphore) != 0 {}
        guard let value else { throw RendezvousError() }
        return try value.get()
    }
}

/// Nobody has set the value: a bug of ours.
struct RendezvousError: Error {}
