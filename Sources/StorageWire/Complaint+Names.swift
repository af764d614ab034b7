import StorageModel

/// What the dialect complains about: each name with its one sentence.
extension Complaint {
    static func unknownRoute(_ head: HTTPRequestHead) -> Complaint {
        Complaint(
            name: "unknown-route",
            sentence:
                "\(head.method) \(RequestTarget.redacted(head.target)) is no request of this API: its paths are "
                + "/v0/b/BUCKET/o and /v0/b/BUCKET/o/NAME, where NAME is one segment with each "
                + "slash written as %2F.")
    }

    static let missingCommand = Complaint(
        name: "missing-command",
        sentence: "The header X-Goog-Upload-Command is missing: a resumable upload says start, "
            + "upload, 'upload, finalize', finalize, query or cancel with every request.")

    static func unknownCommand(_ text: String) -> Complaint {
        Complaint(
            name: "unknown-command",
            sentence: "X-Goog-Upload-Command is '\(text)', which is no command here: an upload "
                + "URL takes upload, 'upload, finalize', finalize, query and cancel, the object's "
                + "own URL takes start.")
    }

    static func sessionMissing(_ command: WireCall.Command) -> Complaint {
        Complaint(
            name: "missing-session",
            sentence: "The command '\(command.rawValue)' came without upload_id: it belongs on "
                + "the URL that the answer to start gave.")
    }

    static let missingOffset = Complaint(
        name: "missing-offset",
        sentence: "The header X-Goog-Upload-Offset is missing or no number: a body says at which "
            + "byte of the object it begins.")

    static func offsetMismatch(sent: Int64, wanted: Int64) -> Complaint {
        Complaint(
            name: "offset-mismatch",
            sentence: "A body begins at byte \(sent), but the session holds \(wanted) bytes: the "
                + "next body begins there.")
    }

    static func oddGranularity(length: Int64, granularity: Int64) -> Complaint {
        Complaint(
            name: "odd-granularity",
            sentence: "A body of \(length) bytes is not the last of its upload, but no multiple of "
                + "\(granularity) bytes.")
    }

    static func bytesAfterEnd(_ what: String) -> Complaint {
        Complaint(name: "bytes-after-end", sentence: "\(what): no more bytes may follow.")
    }

    static func totalMismatch(received: Int64, announced: Int64) -> Complaint {
        Complaint(
            name: "total-mismatch",
            sentence: "The upload was finished with \(received) bytes, but its start request "
                + "announced \(announced).")
    }

    static let overlappingRequests = Complaint(
        name: "overlapping-requests",
        sentence: "Two bodies of one session were being sent at the same time: the second begins "
            + "when the first was answered or its connection closed.")

    static let unexpectedBody = Complaint(
        name: "unexpected-body",
        sentence: "The command finalize came with a body: with bytes it is 'upload, finalize'.")

    static let malformedTotal = Complaint(
        name: "malformed-total",
        sentence: "The announced size of the object is no whole number of bytes.")

    static func malformedBody(_ why: String) -> Complaint {
        Complaint(name: "malformed-body", sentence: why)
    }

    static let missingName = Complaint(
        name: "missing-name",
        sentence: "The upload names no object: the name goes into the query (name=), into the "
            + "path, or into the JSON metadata.")
}
