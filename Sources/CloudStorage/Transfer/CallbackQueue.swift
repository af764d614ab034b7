internal import EventLoop

/// Where observers and completions are called: one after the other, in the order of `enqueue`.
package protocol CallbackQueue: Sendable {
    /// Takes a piece of work and returns without having run it.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// True where the calling code itself runs on the queue, so that nothing can be called meanwhile.
    var isCurrent: Bool { get }
}

/// A loop's thread as callback queue.
struct LoopCallbackQueue: CallbackQueue {
    let loop: EventLoop

    func enqueue(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

    var isCurrent: Bool { loop.isCurrent }
}
