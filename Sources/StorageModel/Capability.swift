/// What a client under test can do, as it says so itself; a scenario that needs more is skipped.
package enum Capability: String, Hashable, Sendable, CaseIterable, Comparable {
    case uploadData = "upload.data"
    case uploadFile = "upload.file"
    case uploadStream = "upload.stream"
    /// An upload goes on in a new process.
    case uploadContinue = "upload.continue"
    case downloadMemory = "download.memory"
    case downloadFile = "download.file"
    case pause
    case resume
    case cancel
    /// Observers of its own beside the recorder that every task has.
    case observe
    /// Observers are removed one by one.
    case handles
    /// Commands are carried out inside a callback.
    case inside
    /// Commands are carried out on several threads at once.
    case threads
    case snapshots
    /// A task is managed through its snapshot.
    case snapshotTask = "snapshot-task"
    case metadata
    case list
    case delete
    case url
    case reference
    case tokens
    case instances
    case processes
    /// The number of connections can be set.
    case connections
    /// Retry times can be set.
    case limits
    case chunkSize = "chunk-size"
    /// Bytes are verified in both directions.
    case checksums
    case localFaults = "local-faults"
    /// The program may let go of a task.
    case release
    case restart
    /// A lost upload session is started anew.
    case sessionRestart = "session-restart"
    case preconditions
    case slowReader = "slow-reader"
    case decoding
    /// Has a loader of images with caches (rule D29).
    case images
    case keepAlive = "keep-alive"
    /// The transport never repeats a request by itself.
    case noResend = "no-resend"

    package static func < (one: Capability, other: Capability) -> Bool {
        one.rawValue < other.rawValue
    }
}
