/// Does the work of a task. Every call comes on the engine's loop; reports go to the task of `begin`.
package protocol TransferRunner: AnyObject, Sendable {
    /// Begins, or goes on from what is known to be safe.
    func begin(_ task: StorageObservableTask, generation: Int)
    /// Stops the exchange and reports `stopped`.
    func halt(generation: Int)
    /// Stops for good: cancels what the server holds, removes what is incomplete here.
    func abandon()
}
