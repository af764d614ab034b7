/// Something that a client can do and another may not: a scenario that needs more is skipped.
package enum Capability: String, Hashable, Sendable, CaseIterable, Comparable {
    case uploadData = "upload.data"
    case uploadFile = "upload.file"
    case uploadStream = "upload.stream"
    case uploadContinue = "upload.continue"
    case downloadMemory = "download.memory"
    case downloadFile = "download.file"
    case pause
    case resume
    case cancel
    case observe
    case handles
    case inside
    case threads
    case snapshots
    case snapshotTask = "snapshot-task"
    case metadata
    case list
    case delete
    case url
    case reference
    case tokens
    case instances
    case processes
    case connections
    /// Retry times can be set.
    case limits
    case chunkSize = "chunk-size"
    case checksums
    case localFaults = "local-faults"
    case release
    case restart
    /// Starts a lost session anew.
    case sessionRestart = "session-restart"
    case preconditions
    case slowReader = "slow-reader"
    case decoding
    case keepAlive = "keep-alive"
    /// Its transport never repeats a request by itself.
    case noResend = "no-resend"

    package static func < (one: Capability, other: Capability) -> Bool {
        one.rawValue < other.rawValue
    }
}
