package import ObjectStore
package import StorageModel

/// Error answers in the provider's form: `{"error": {"code": 403, "message": "..."}}`.
package enum ErrorAnswer {
    /// A whole answer, with the headers that let a page in a browser read it.
    package static func response(status: Int, message: String) -> HTTPResponse {
        if status == 304 { return HTTPResponse(status: 304, headers: CrossOrigin.answerHeaders) }
        var headers = CrossOrigin.answerHeaders
        headers["Content-Type"] = "application/json; charset=UTF-8"
        let error = JSONValue.object(sorting: [
            "code": .number("\(status)"), "message": .string(message),
        ])
        let body = JSONValue.object(sorting: ["error": error]).bytes
        return HTTPResponse(status: status, headers: headers, body: ByteArraySource(body))
    }

    /// The answer that a refusal of the store becomes.
    package static func response(_ error: StoreError) -> HTTPResponse {
        switch error {
        case .noSuchObject(_, let name):
            response(status: 404, message: "Not Found. Could not get object \(name)")
        case .noSuchBucket(let name):
            response(status: 404, message: "Not Found. Could not access bucket \(name)")
        default: response(status: status(of: error), message: error.description)
        }
    }

    static let tooLarge = response(
        status: 413, message: "The request's metadata is longer than 1 MiB.")

    static func status(of error: StoreError) -> Int {
        switch error {
        case .noSuchBucket, .noSuchObject: 404
        case .invalidName, .invalidPrefix, .invalidPageToken, .invalidPageSize: 400
        case .preconditionFailed: 412
        case .notModified: 304
        case .objectTooLarge: 413
        case .tooManySessions: 429
        case .outOfMemory, .full: 507
        case .contentNotRead: 500
        }
    }
}
