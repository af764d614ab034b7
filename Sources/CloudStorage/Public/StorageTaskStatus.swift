/// What an observer of a task can wait for (rules D16-D20).
///
/// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageConstants.swift` (raw values).
public enum StorageTaskStatus: Int, Hashable, Sendable, CaseIterable {
    /// No task ever has it.
    case unknown = 0
    /// The task started, or went on after a pause.
    case resume = 1
    /// Bytes were transferred.
    case progress = 2
    /// The task stands still until it is resumed.
    case pause = 3
    /// The task completed.
    case success = 4
    /// The task failed or was cancelled.
    case failure = 5

    /// True for the statuses that end a task.
    var isTerminal: Bool { self == .success || self == .failure }
}

/// Names an observer, so that it can be removed.
public typealias StorageHandle = String
