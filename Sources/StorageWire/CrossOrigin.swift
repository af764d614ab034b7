package import StorageModel

/// What lets a page of another origin use the backend. Source: the Fetch standard, section 3.2.
package enum CrossOrigin {
    /// In every answer, error answers too: without them a page sees nothing but a network error.
    package static let answerHeaders: HTTPHeaders = [
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": exposed.joined(separator: ", "),
    ]

    private static let exposed = [
        "X-Goog-Upload-Status", "X-Goog-Upload-URL", "X-Goog-Upload-Control-URL",
        "X-Goog-Upload-Size-Received", "X-Goog-Upload-Chunk-Granularity", "X-GUploader-UploadID",
        "Content-Range", "Content-Length", "Content-Encoding", "Content-Disposition", "ETag",
        "Date", "x-goog-hash", "x-goog-generation", "x-goog-metageneration",
        "x-goog-stored-content-length", "x-goog-stored-content-encoding",
    ]

    /// Allowed where a preflight does not name the headers that it asks for.
    private static let allowed = [
        "Authorization", "Content-Type", "Range", "X-Firebase-AppCheck", "X-Firebase-GMPID",
        "X-Firebase-Storage-Version", "X-Goog-Upload-Protocol", "X-Goog-Upload-Command",
        "X-Goog-Upload-Offset", "X-Goog-Upload-Content-Length", "X-Goog-Upload-Content-Type",
        "X-Goog-Upload-Header-Content-Length", "X-Goog-Upload-Header-Content-Type",
        "X-HTTP-Method-Override",
    ]

    /// The answer to `OPTIONS`; `*` would not cover `Authorization`, so each header is named.
    static func preflight(_ head: HTTPRequestHead) -> HTTPResponse {
        var headers = answerHeaders
        headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        headers["Access-Control-Allow-Headers"] =
            head.headers["Access-Control-Request-Headers"] ?? allowed.joined(separator: ", ")
        headers["Access-Control-Max-Age"] = "3600"
        headers["Vary"] = "Access-Control-Request-Headers"
        return HTTPResponse(status: 204, headers: headers)
    }
}
