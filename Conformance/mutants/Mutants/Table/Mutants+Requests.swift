import CloudStorage

// Mistakes on the wire: in what is sent, and in what is read of answers.
extension Mutants {
    private static func wire(
        _ name: String, _ mistake: String, breaks rules: [String], says: [String]...,
        on wire: WireMistake
    ) -> Mutant {
        Mutant(name, mistake, breaks: rules, says: says, .wire(wire))
    }

    static let requests: [Mutant] = uploads + downloads

    private static let uploads: [Mutant] = [
        wire(
            "query-skipped", "goes on after a break without asking what was kept",
            breaks: ["D14", "W6"], says: ["upload.query"], on: .asksNothing),
        wire(
            "resume-from-zero", "believes after a break that nothing was kept",
            breaks: ["D14", "W6", "W7"], says: ["upload.query"], ["offset"], on: .believes(0)),
        wire(
            "refused-request-repeated", "sends a refused request once more",
            breaks: ["D26", "W17"],
            says: ["status 403 came", "expected"], on: .repeats(status: 403)),
        wire(
            "kept-size-unread", "does not read how much of a chunk was kept",
            breaks: ["D14", "W4", "W7"],
            says: ["offset"],
            on: .readsNo(["X-Goog-Upload-Size-Received"], of: [.chunk])),
        wire(
            "upload-started-twice", "starts each upload twice", breaks: ["D14", "W39"],
            says: ["upload.start"], on: .startsTwice),
        wire(
            "request-after-cancel", "sends a request again that it gave up",
            breaks: ["D15"], says: ["after the cancelled failure"], on: .goesOn(after: .seconds(1))
        ),
        wire(
            "body-at-the-cancel", "begins a body in the instant of the cancel",
            breaks: ["D15"], says: ["after the cancelled failure"], on: .goesOn(after: .zero)),
        wire(
            "offset-too-large", "says of its second body that it begins a unit further on",
            breaks: ["D14", "W4"], says: ["offset"], on: .shiftsOffset(by: 256 << 10)),
        wire(
            "offset-one-off", "says of its second body that it begins a byte further on",
            breaks: ["D14", "W4"], says: ["offset"], on: .shiftsOffset(by: 1)),
        wire(
            "chunk-sent-again", "sends a chunk again that was acknowledged", breaks: ["D14", "W7"],
            says: ["offset"], on: .sendsAgain(body: 2)),
        wire(
            "chunks-of-the-beginning", "sends the beginning of the source in every chunk",
            breaks: ["D5", "W7"], says: ["differ"], ["nonMatchingChecksum"], on: .sendsTheBeginning),
        wire(
            "cancel-kept-to-itself", "does not tell the server of a cancel",
            breaks: ["D14", "W11"],
            says: ["open upload sessions"], ["upload.cancel"], on: .keepsCancelToItself),
        wire(
            "metadata-dropped", "sends no metadata with an upload", breaks: ["D8", "D22"],
            says: ["custom"], ["metadata."], ["cacheControl"], ["contentLanguage"],
            on: .sendsEmptyObject(.start)),
        wire(
            "update-without-fields", "sends a metadata update without its fields",
            breaks: ["D13", "W33"], says: ["metadata"], ["contentType"], ["contentLanguage"],
            on: .sendsEmptyObject(.update)),
        wire(
            "stored-elsewhere", "uploads to another name than it was told",
            breaks: ["D2", "D5", "W2"],
            says: ["is not stored"], ["is stored"],
            on: .replaces("name=", with: "name=x", of: .start)),
        wire(
            "path-of-one-segment", "takes a path of several segments for one name",
            breaks: ["D1", "W1"], says: ["objectNotFound"], ["is not stored"],
            on: .replaces("%2F", with: "%252F", of: .media)),
        wire(
            "session-url-changed", "sends bodies to another URL than its session's",
            breaks: ["W3"], says: ["upload."], ["failure"],
            on: .replaces("upload_id=", with: "upload_id=x", of: .chunk)),
        wire(
            "last-body-not-final", "never says that a body is the last one", breaks: ["D20", "W8"],
            says: ["upload.finalize"], ["not ended"],
            on: .commands("upload, finalize", as: "upload")),
        wire(
            "finalizes-each-chunk", "says of every body that it is the last one",
            breaks: ["D5", "W8"],
            says: ["upload.finalize"], ["final"],
            on: .commands("upload", as: "upload, finalize")),
    ]

    private static let downloads: [Mutant] = [
        wire(
            "range-missing", "asks for everything again after a break", breaks: ["D18", "W27"],
            says: ["progress fell"], ["offset="], on: .ignoresRange),
        wire(
            "range-one-off", "asks for one byte too few after a break", breaks: ["D10", "W27"],
            says: ["progress fell"], ["offset="], ["failure"], on: .shiftsRange(by: 1)),
        wire(
            "download-lost", "never sends the request of a download", breaks: ["D10", "D20"],
            says: ["not ended"], on: .loses(.media)),
        wire(
            "metadata-request-lost", "never sends a request for metadata", breaks: ["D13"],
            says: ["answered"], ["never"], on: .loses(.metadata)),
        wire(
            "list-lost", "never sends a request for a list", breaks: ["D1"],
            says: ["answered"], ["never"], on: .loses(.list)),
        wire(
            "page-token-dropped", "asks for the first page of a list again and again",
            breaks: ["D1", "W35"], says: ["items"], ["failure"], ["never"],
            on: .replaces("pageToken=", with: "pageTokn=", of: .list)),
        wire(
            "delete-lost", "never sends a delete", breaks: ["D26"],
            says: ["answered"], ["never"], on: .loses(.delete)),
        wire(
            "missing-taken-for-success", "takes a missing object for an empty one",
            breaks: ["D26", "W16", "W34"], says: ["objectNotFound"], ["success"],
            on: .mistakes(404, for: 200)),
    ]

    static let heads: [Mutant] = [
        wire(
            "retry-after-ignored", "does not read when it is asked to come again",
            breaks: ["D26", "W19"], says: ["gap"], ["time"], ["ended"], ["after"],
            on: .readsNo(["Retry-After"], of: Set(RequestKind.allCases))),
        wire(
            "generation-unchecked", "does not look whether the rest is of the same object",
            breaks: ["D10", "D12", "W28"], says: ["equal no generation"], ["nonMatchingChecksum"],
            on: .readsNo(["ETag", "x-goog-generation", "x-goog-hash"], of: [.media])),
        wire(
            "download-checksum-unread", "does not read the checksum of a download",
            breaks: ["D26", "W30"], says: ["nonMatchingChecksum"],
            on: .readsNo(["x-goog-hash"], of: [.media])),
        wire(
            "granularity-unread", "does not read of which size chunks have to be",
            breaks: ["D5", "W5"], says: ["granularity"], ["upload."],
            on: .readsNo(["X-Goog-Upload-Chunk-Granularity"], of: [.start])),
        wire(
            "upload-status-unread", "does not read what became of an upload",
            breaks: ["D20", "W9"],
            says: ["upload."], ["not ended"], ["failure"],
            on: .readsNo(["X-Goog-Upload-Status"], of: [.chunk])),
        wire(
            "final-of-query-unread", "does not read that a query found the upload finished",
            breaks: ["W10", "D20"], says: ["upload."], ["failure"], ["not ended"],
            on: .readsNo(["X-Goog-Upload-Status"], of: [.query])),
        wire(
            "length-unread", "does not read how long a download is", breaks: ["D18", "W24"],
            says: ["total"], on: .readsNo(["Content-Length"], of: [.media])),
    ]

    /// A row of the table of header fields left out, or for some requests.
    private static func unsent(
        _ name: String, _ mistake: String, _ field: String, of kinds: Set<RequestKind>,
        breaks rules: [String], says: [String]...
    ) -> Mutant {
        Mutant(
            name, mistake, breaks: rules, says: says,
            .behaviour { behaviour in
                for index in behaviour.headers.rows.indices
                where behaviour.headers.rows[index].name == field {
                    behaviour.headers.rows[index].kinds.subtract(kinds)
                }
            })
    }

    static let headers: [Mutant] = [
        unsent(
            "token-missing", "sends no token", "Authorization",
            of: Set(RequestKind.allCases), breaks: ["D27", "W21"],
            says: ["unauth"], ["Authorization"], ["failure"]),
        unsent(
            "token-missing-in-session", "sends no token with the bodies of an upload",
            "Authorization", of: RequestKind.session, breaks: ["D27", "W21"],
            says: ["unauth"], ["Authorization"], ["failure"]),
        unsent(
            "offset-missing", "does not say where a body begins", "X-Goog-Upload-Offset",
            of: [.chunk], breaks: ["D5", "W4"], says: ["offset"], ["failure"]),
        unsent(
            "command-missing", "does not say what a body of an upload is", "X-Goog-Upload-Command",
            of: [.chunk], breaks: ["D5", "W8"], says: ["command"], ["failure"], ["upload."]),
        unsent(
            "protocol-missing", "does not say in which way it uploads", "X-Goog-Upload-Protocol",
            of: [.start], breaks: ["D5", "W2"], says: ["failure"], ["protocol"]),
        unsent(
            "condition-missing", "loads an image again that it has", "If-None-Match",
            of: [.media], breaks: ["D29"], says: ["download"], ["304"], ["cached"]),
    ]
}
