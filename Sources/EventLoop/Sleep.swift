extension EventLoop {
    /// Sleeps on the scenario's clock; returns early, with false, when the task is cancelled.
    ///
    /// No token is held while asleep: the wake-up is a Swift job, and jobs are counted by the loop.
    package func sleep(for delay: Duration) async -> Bool {
        let slot = Lock<(CheckedContinuation<Bool, Never>?, Bool)>((nil, false))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = slot.withLock { slot in
                    if !slot.1 { slot.0 = continuation }
                    return slot.1
                }
                if isCancelled { return continuation.resume(returning: false) }
                timer(after: delay) {
                    slot.withLock { slot in
                        defer { slot.0 = nil }
                        return slot.0
                    }?.resume(returning: true)
                }
            }
        } onCancel: {
            slot.withLock { slot in
                defer { slot = (nil, true) }
                return slot.0
            }?.resume(returning: false)
        }
    }
}
