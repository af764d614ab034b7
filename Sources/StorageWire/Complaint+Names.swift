import StorageModel

/// What the dialect complains about: each name with its one sentence.
extension Complaint {
    static func unknownRoute(_ head: HTTPRequestHead) -> Complaint {
        Complaint(
            .unknownRoute,
            sentence:
                "\(head.method) \(RequestTarget.redacted(head.target)) is no request of this API: its paths are "
                + "/v0/b/BUCKET/o and /v0/b/BUCKET/o/NAME, where NAME is one segment with each "
                + "slash written as %2F.")
    }

    static let missingCommand = Complaint(
        .missingCommand,
        sentence: "The header X-Goog-Upload-Command is missing: a resumable upload says start, "
            + "upload, 'upload, finalize', finalize, query or cancel with every request.")

    static func unknownCommand(_ text: String) -> Complaint {
        Complaint(
            .unknownCommand,
            sentence: "X-Goog-Upload-Command is '\(text)', which is no command here: an upload "
                + "URL takes upload, 'upload, finalize', finalize, query and cancel, the object's "
                + "own URL takes start.")
    }

    static func sessionMissing(_ command: WireCall.Command) -> Complaint {
        Complaint(
            .missingSession,
            sentence: "The command '\(command.rawValue)' came without upload_id: it belongs on "
                + "the URL that the answer to start gave.")
    }

    static let missingOffset = Complaint(
        .missingOffset,
        sentence: "The header X-Goog-Upload-Offset is missing or no number: a body says at which "
            + "byte of the object it begins.")

    static func offsetMismatch(sent: Int64, wanted: Int64) -> Complaint {
        Complaint(
            .offsetMismatch,
            sentence: "A body begins at byte \(sent), but the session holds \(wanted) bytes: the "
                + "next body begins there.")
    }

    static func oddGranularity(length: Int64, granularity: Int64) -> Complaint {
        Complaint(
            .oddGranularity,
            sentence: "A body of \(length) bytes is not the last of its upload, but no multiple of "
                + "\(granularity) bytes.")
    }

    static func bytesAfterEnd(_ what: String) -> Complaint {
        Complaint(.bytesAfterEnd, sentence: "\(what): no more bytes may follow.")
    }

    static func totalMismatch(received: Int64, announced: Int64) -> Complaint {
        Complaint(
            .totalMismatch,
            sentence: "The upload was finished with \(received) bytes, but its start request "
                + "announced \(announced).")
    }

    static func beyondAnnouncedSize(end: Int64, total: Int64) -> Complaint {
        Complaint(
            .beyondAnnouncedSize,
            sentence: "A body reaches to byte \(end), but the start request announced \(total) "
                + "bytes.")
    }

    static let overlappingRequests = Complaint(
        .overlappingRequests,
        sentence: "Two bodies of one session were being sent at the same time: the second begins "
            + "when the first was answered or its connection closed.")

    static let unexpectedBody = Complaint(
        .unexpectedBody,
        sentence: "The command finalize came with a body: with bytes it is 'upload, finalize'.")

    static let malformedTotal = Complaint(
        .malformedTotal,
        sentence: "The announced size of the object is no whole number of bytes.")

    static func malformedBody(_ why: String) -> Complaint {
        Complaint(.malformedBody, sentence: why)
    }

    static let missingName = Complaint(
        .missingName,
        sentence: "The upload names no object: the name goes into the query (name=), into the "
            + "path, or into the JSON metadata.")
}
