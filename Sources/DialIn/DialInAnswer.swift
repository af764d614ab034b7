import StorageModel

/// Answers to a client that dials in: JSON, readable for a page of any origin.
enum DialInAnswer {
    /// Source: the Fetch standard, section 3.2.
    private static let fields: HTTPHeaders = [
        "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    ]

    static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        var headers = fields
        headers["Content-Type"] = "application/json"
        return HTTPResponse(
            status: status, headers: headers, body: ByteArraySource(Array((text + "\n").utf8)))
    }

    static func error(_ status: Int, _ message: String) -> HTTPResponse {
        json("{\"error\":\(quoted(message))}", status: status)
    }

    static func wrongMethod(_ allowed: String) -> HTTPResponse {
        var answer = error(405, "this takes \(allowed)")
        answer.headers["Allow"] = allowed
        return answer
    }

    static func body(_ body: any ByteSource, type: String) -> HTTPResponse {
        var headers = fields
        headers["Content-Type"] = type
        return HTTPResponse(status: 200, headers: headers, body: body)
    }

    /// The answer to `OPTIONS`. A page from a public network asks besides whether it may reach a
    /// private one. Source: the draft "Private Network Access", section 3.1.2.
    static func preflight(_ head: HTTPRequestHead) -> HTTPResponse {
        var headers = fields
        headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, PUT, OPTIONS"
        headers["Access-Control-Allow-Headers"] =
            head.headers["Access-Control-Request-Headers"] ?? "Content-Type"
        headers["Access-Control-Max-Age"] = "3600"
        if head.headers["Access-Control-Request-Private-Network"] == "true" {
            headers["Access-Control-Allow-Private-Network"] = "true"
        }
        headers["Vary"] = "Access-Control-Request-Headers, Access-Control-Request-Private-Network"
        return HTTPResponse(status: 204, headers: headers)
    }

    static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
