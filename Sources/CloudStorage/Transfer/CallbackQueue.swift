internal import EventLoop

/// Where observers and completions are called: one after the other, in the order of `enqueue`.
protocol CallbackQueue: Sendable {
    /// Takes a piece of work and returns without having run it.
    func enqueue(_ work: @escaping @Sendable () -> Void)
}

/// A loop's thread as callback queue.
struct LoopCallbackQueue: CallbackQueue {
    let loop: EventLoop

    func enqueue(_ work: @escaping @Sendable () -> Void) { loop.post(work) }
}
