/// A transfer whose work is done by a runner from outside: the task alone, without server and file.
///
/// It is an upload and a download to its observers: what it is told is reported as theirs is.
package final class DrivenTask: StorageObservableTask, @unchecked Sendable {
    // Invariant: constants; what changes is in the superclass's lock.
    private let total: Int64?
    private let runner: @Sendable () -> any TransferRunner

    /// - Parameters:
    ///   - total: bytes, where that is known at the start.
    ///   - runner: made when the task starts.
    ///   - completion: told the end once, after all observers.
    package init(
        reference: StorageReference, total: Int64?,
        runner: @escaping @Sendable () -> any TransferRunner,
        completion: @escaping @Sendable (StorageTaskSnapshot) -> Void
    ) {
        self.total = total
        self.runner = runner
        super.init(reference: reference, machine: TransferMachine())
        whenEnded(completion)
    }

    override func makeRunner(_ engine: StorageEngine) -> Result<Start, StorageFailure> {
        .success(Start(runner: runner(), total: total))
    }

    /// Starts on the callback queue's next turn, as every transfer does.
    package func begin() { enqueue() }

    // MARK: What a runner reports; reports of an older generation than the current one are ignored

    package func progressed(generation: Int, completed: Int64, total: Int64? = nil) {
        transition { $0.progressed(generation: generation, completed: completed, total: total) }
    }

    package func stopped(generation: Int, completed: Int64) {
        transition { $0.stopped(generation: generation, completed: completed) }
    }

    /// Asks to put the result in place; false: it is too late for that.
    package func mayFinish(generation: Int) -> Bool { finish(generation: generation) }

    package func succeeded(generation: Int, completed: Int64) {
        transition { $0.succeeded(generation: generation, completed: completed, metadata: nil) }
    }

    package func failed(generation: Int, _ failure: StorageFailure) {
        transition { $0.failed(generation: generation, failure) }
    }
}
