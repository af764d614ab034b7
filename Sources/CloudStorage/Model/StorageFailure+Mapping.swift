internal import StorageModel

extension StorageFailure {
    /// What an answer other than success means (rule D26).
    init(_ reply: StorageReply, at path: StoragePath, _ table: AnswerTable = .documented) {
        let code = table.code(of: reply.status)
        self.init(code, Self.words(code, reply, path))
        keep(reply, at: path)
    }

    /// A broken exchange.
    init(_ failure: TransportFailure, at path: StoragePath, _ table: TransportTable = .documented) {
        let row = table.row(failure.fault)
        let name = failure.fault.map { " (\($0.rawValue))" } ?? ""
        self.init(.unknown, "The connection failed\(name): \(row.words): \(failure.message).")
        transport = failure.fault
        urlError = failure.urlError ?? row.urlError
        systemError = failure.systemError
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

    /// Bytes at rest or on arrival that are not those of the other side.
    static func falseBytes(_ what: String, at path: StoragePath) -> StorageFailure {
        var failure = StorageFailure(.nonMatchingChecksum, what)
        failure.bucket = path.bucket
        failure.object = path.object
        return failure
    }

    private static func words(
        _ code: StorageErrorCode, _ reply: StorageReply, _ path: StoragePath
    ) -> String {
        switch code {
        case .unauthenticated:
            "The user is not signed in, or the credentials are no longer valid."
        case .quotaExceeded: "The quota of the bucket \(path.bucket) is used up."
        case .unauthorized: "The user may not do this at \(path.text)."
        case .objectNotFound: "There is no object at \(path.text)."
        default: "The server answered with status \(reply.status)."
        }
    }

    private mutating func keep(_ reply: StorageReply, at path: StoragePath) {
        status = reply.status
        body = reply.bodyText
        headers = reply.headersOfUse
        bucket = path.bucket
        object = path.object
    }
}
