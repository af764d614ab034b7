internal import EventLoop

/// Cancels what may not be there yet: a cancel that comes first is not lost.
final class CancelSlot: Sendable {
    private let state = Lock<(cancel: (@Sendable () -> Void)?, isCancelled: Bool)>((nil, false))

    /// - Parameter cancel: called at once where `cancel()` was called already, else by that.
    func take(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }
}
