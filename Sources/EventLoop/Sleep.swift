/// One call of `sleep`, as the loop knows it.
final class Sleeper: @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    var continuation: CheckedContinuation<Bool, Never>?
    var timer: LoopTimer?
    var isAwake = false
}

extension EventLoop {
    /// Sleeps on the scenario's clock; returns early, with false, when the task is cancelled or the
    /// loop stops.
    ///
    /// Nothing is counted while asleep: the wake-up is a Swift job, and jobs are counted by the loop.
    package func sleep(for delay: Duration) async -> Bool {
        let sleeper = Sleeper()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform { self.begin(sleeper, continuation, delay) }
            }
        } onCancel: {
            perform { self.wake(sleeper, finished: false) }
        }
    }

    private func begin(
        _ sleeper: Sleeper, _ continuation: CheckedContinuation<Bool, Never>, _ delay: Duration
    ) {
        guard !sleeper.isAwake, !isStopping else { return continuation.resume(returning: false) }
        sleeper.continuation = continuation
        sleepers[ObjectIdentifier(sleeper)] = sleeper
        sleeper.timer = timer(after: delay) { [weak self] in
            self?.wake(sleeper, finished: true)
        }
    }

    func wake(_ sleeper: Sleeper, finished: Bool) {
        guard !sleeper.isAwake else { return }
        sleeper.isAwake = true
        sleepers[ObjectIdentifier(sleeper)] = nil
        sleeper.timer.map(cancel)
        sleeper.timer = nil
        sleeper.continuation?.resume(returning: finished)
        sleeper.continuation = nil
    }
}
