internal import EventLoop

/// Cancels a task that may not be there yet: a cancel that comes first is not lost.
final class CancelSlot: Sendable {
    private let state = Lock<(task: StorageObservableTask?, isCancelled: Bool)>((nil, false))

    func take(_ task: StorageObservableTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
