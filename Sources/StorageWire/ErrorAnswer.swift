package import StorageModel

/// Error answers in the provider's form: `{"error": {"code": 403, "message": "..."}}`.
package enum ErrorAnswer {
    package static func response(status: Int, message: String) -> HTTPResponse {
        var headers = CrossOrigin.answerHeaders
        headers["Content-Type"] = "application/json; charset=UTF-8"
        let body = JSONText.bytes([
            "error": .object(["code": .integer(Int64(status)), "message": .string(message)])
        ])
        return HTTPResponse(status: status, headers: headers, body: ByteArraySource(body))
    }
}
