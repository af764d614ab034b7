public import Foundation

/// A task as it was at the moment of an event (rule D21). It never changes.
public struct StorageTaskSnapshot: Sendable, CustomStringConvertible {
    /// The task: pause, resume and cancel it here (rule D23).
    public let task: StorageObservableTask
    /// Where the task reads or writes.
    public let reference: StorageReference
    /// What the task was doing, or how it ended.
    public let status: StorageTaskStatus
    /// Set for a failure alone (rule D20).
    public let error: (any Error)?
    /// For an upload what is being uploaded, after success what is stored; nil for downloads.
    public let metadata: StorageMetadata?
    /// Bytes that are safe: acknowledged by the server, or written.
    package let completed: Int64
    /// Bytes in all; nil where the client does not know.
    package let total: Int64?

    init(_ view: TransferView, of task: StorageObservableTask) {
        self.task = task
        reference = task.reference
        status = view.status
        error = view.error?.nsError
        metadata = view.metadata.map(StorageMetadata.init)
        completed = view.completed
        total = view.total
    }

    /// Bytes done and in all; the total is -1 where it is not known.
    public var progress: Progress? {
        let progress = Progress(parent: nil)
        progress.totalUnitCount = total ?? -1
        progress.completedUnitCount = completed
        return progress
    }

    /// The status, with the bytes or the error, for people.
    public var description: String {
        switch status {
        case .unknown: "<State: Unknown>"
        case .resume: "<State: Resume>"
        case .progress: "<State: Progress, \(completed) of \(total.map(String.init) ?? "?") bytes>"
        case .pause: "<State: Paused>"
        case .success: "<State: Success>"
        case .failure: "<State: Failed, \(error.map { "\($0)" } ?? "")>"
        }
    }
}
