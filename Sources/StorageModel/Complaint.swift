/// Something that the server refuses because the client broke the protocol.
package struct Complaint: Hashable, Sendable {
    /// Every complaint that there is; the raw value is the name that files and outputs use.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case brokenHTTP = "broken-http"
        case unknownRoute = "unknown-route"
        case missingCommand = "missing-command"
        case unknownCommand = "unknown-command"
        case missingSession = "missing-session"
        case missingName = "missing-name"
        case missingOffset = "missing-offset"
        case offsetMismatch = "offset-mismatch"
        case oddGranularity = "odd-granularity"
        case overlappingRequests = "overlapping-requests"
        case bytesAfterEnd = "bytes-after-end"
        case beyondAnnouncedSize = "beyond-announced-size"
        case totalMismatch = "total-mismatch"
        case malformedTotal = "malformed-total"
        case unexpectedBody = "unexpected-body"
        case malformedBody = "malformed-body"
    }

    package var kind: Kind
    /// What is wrong with this request and what would be right, in one sentence.
    package var sentence: String

    package init(_ kind: Kind, sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    /// A stable name: `offset-mismatch`, `odd-granularity`, ...
    package var name: String { kind.rawValue }
}

extension Complaint.Kind {
    /// The rule that the client broke, in one sentence.
    package var rule: String {
        switch self {
        case .brokenHTTP:
            "A request is HTTP/1.1: a request line, one Host field, one way of telling where the "
                + "body ends, and a body that ends there."
        case .unknownRoute: "A request goes to a path and method that the API has."
        case .missingCommand:
            "Every request of a resumable upload says in X-Goog-Upload-Command what it wants."
        case .unknownCommand:
            "The commands are start, upload, 'upload, finalize', finalize, query and cancel; start "
                + "belongs on the object's URL, the others on the upload's."
        case .missingSession:
            "Commands after start go to the upload URL that the answer to start gave."
        case .missingName:
            "An upload names its object: in the path, in the query or in the JSON metadata."
        case .missingOffset:
            "A request with object bytes says in X-Goog-Upload-Offset, as a whole number, where in "
                + "the object they begin."
        case .offsetMismatch: "A body begins at the byte up to which the session holds the object."
        case .oddGranularity:
            "A body that is not the upload's last is a whole number of granularity units."
        case .overlappingRequests:
            "Of one upload session one body is under way at a time, unless the connection of the "
                + "one before is closed."
        case .bytesAfterEnd: "A session that was finished or cancelled takes no more bytes."
        case .beyondAnnouncedSize:
            "No body reaches beyond the size that the start request announced."
        case .totalMismatch:
            "The request that finishes an upload leaves the object at the announced size."
        case .malformedTotal: "The announced size of an object is a whole number of bytes."
        case .unexpectedBody:
            "The command finalize comes without a body; with bytes it is 'upload, finalize'."
        case .malformedBody:
            "Metadata is a JSON object with values of the right kinds, and a multipart upload has "
                + "two parts and a closing delimiter."
        }
    }

    /// The table of `Conformance/COMPLAINTS.md`.
    package static var table: String {
        (["| Name | The rule that the client broke |", "| --- | --- |"]
            + allCases.map { "| `\($0.rawValue)` | \($0.rule) |" }).joined(separator: "\n")
    }
}
