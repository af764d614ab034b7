internal import EventLoop

/// Where observers and completions are called: one after the other, in the order of `enqueue`.
public protocol StorageCallbackQueue: Sendable {
    /// Takes a piece of work and returns without having run it.
    func enqueue(_ work: @escaping @Sendable () -> Void)
}

/// A loop's thread as callback queue.
struct LoopCallbackQueue: StorageCallbackQueue {
    let loop: EventLoop

    func enqueue(_ work: @escaping @Sendable () -> Void) { loop.post(work) }
}
