internal import StorageModel

extension StorageFailure {
    /// What an answer other than success means (rule D26).
    ///
    /// Source: firebase-ios-sdk, `FirebaseStorage/Sources/StorageError.swift` (which status is which code).
    init(_ reply: StorageReply, at path: StoragePath) {
        switch reply.status {
        case 401:
            self.init(
                .unauthenticated,
                "The user is not signed in, or the credentials are no longer valid.")
        case 402: self.init(.quotaExceeded, "The quota of the bucket \(path.bucket) is used up.")
        case 403: self.init(.unauthorized, "The user may not do this at \(path.text).")
        case 404: self.init(.objectNotFound, "There is no object at \(path.text).")
        default: self.init(.unknown, "The server answered with status \(reply.status).")
        }
        keep(reply, at: path)
    }

    /// A broken exchange.
    init(_ failure: TransportFailure, at path: StoragePath) {
        let name = failure.fault.map { " (\($0.rawValue))" } ?? ""
        self.init(.unknown, "The connection failed\(name): \(failure.message).")
        transport = failure.fault
        bucket = path.bucket
        object = path.object
    }

    /// An answer that says success and makes no sense.
    init(invalid reply: StorageReply, _ reason: String, at path: StoragePath) {
        self.init(.unknown, "The server's answer makes no sense: \(reason).")
        keep(reply, at: path)
    }

    /// The end of all tries: what the last one failed with is kept.
    var asRetryLimit: StorageFailure {
        var failure = self
        failure.code = .retryLimitExceeded
        failure.message = "The retry time is over. The last try failed so: \(message)"
        return failure
    }

    private mutating func keep(_ reply: StorageReply, at path: StoragePath) {
        status = reply.status
        body = reply.bodyText
        bucket = path.bucket
        object = path.object
    }
}
