import Glibc

/// A thread beside a loop for long computations, made when first needed. It is idle or computes;
/// it never waits for anything but work.
final class CountedWorker: @unchecked Sendable {
    // Invariant: `queue`, `isEnding` and `thread` are touched with `mutex` held; the two pthread
    // objects live as long as this.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [@Sendable () -> Void] = []
    private var isEnding = false
    private var thread: LoopThread?

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs the work after all that was given earlier; false when there can be no thread.
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isEnding else { return false }
        if thread == nil {
            thread = try? LoopThread { [self] in loop() }
        }
        guard thread != nil else { return false }
        queue.append(work)
        pthread_cond_signal(condition)
        return true
    }

    /// Waits until everything given so far was done, and ends the thread.
    func stop() {
        pthread_mutex_lock(mutex)
        isEnding = true
        pthread_cond_signal(condition)
        let thread = thread
        pthread_mutex_unlock(mutex)
        thread?.join()
    }

    private func loop() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while queue.isEmpty {
            if isEnding { return nil }
            pthread_cond_wait(condition, mutex)
        }
        return queue.removeFirst()
    }
}

extension EventLoop {
    /// Runs `work` on the loop's worker thread, then `completion` on the loop.
    ///
    /// Works are done one after the other, in the order of the calls; so are the completions. It
    /// counts as work: the virtual clock does not move over it. In virtual time a completion is
    /// taken up when the loop has nothing else to do, so that its place does not depend on the
    /// speed of the machine. A completion that comes after the loop's end is dropped.
    package func offload<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result,
        then completion: @escaping @Sendable (Result) -> Void
    ) {
        let ticket = time?.offloadBegan(on: self)
        let isTaken = worker.run { [self] in
            let result = work()
            offloadEnded(ticket) { completion(result) }
        }
        guard !isTaken else { return }
        post { [self] in
            let result = work()
            offloadEnded(ticket) { completion(result) }
        }
    }

    /// The result of `work`, which runs on the loop's worker thread.
    package func offloaded<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            offload(work) { continuation.resume(returning: $0) }
        }
    }

    private func offloadEnded(
        _ ticket: VirtualTime.Ticket?, _ completion: @escaping @Sendable () -> Void
    ) {
        guard let time, let ticket else { return post(completion) }
        time.offloadEnded(ticket, completion)
    }
}
