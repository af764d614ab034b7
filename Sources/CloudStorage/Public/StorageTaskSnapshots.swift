internal import EventLoop

/// What happens to a task, as a sequence: see `StorageObservableTask.snapshots`.
public struct StorageTaskSnapshots: AsyncSequence, Sendable {
    /// What has happened.
    public typealias Element = StorageTaskSnapshot
    /// It throws nothing.
    public typealias Failure = Never

    private let task: StorageObservableTask

    init(of task: StorageObservableTask) { self.task = task }

    /// Adds a subscriber to the task.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: task.observeAll().makeAsyncIterator())
    }

    /// One subscriber: it is removed from the task when the iterator is gone.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: AsyncStream<StorageTaskSnapshot>.Iterator

        /// The next event; nil after the terminal one, and once the Swift task is cancelled.
        public mutating func next() async -> StorageTaskSnapshot? { await snapshots.next() }

        /// As `next()`, without leaving the actor that asks.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> StorageTaskSnapshot? {
            await snapshots.next(isolation: actor)
        }
    }
}
