/// An answer as the backend means it; what faults make of it on the wire is another matter.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// The reason phrase; nil means the usual one for the status.
    package var reason: String?
    package var headers: HTTPHeaders
    package var body: any ByteSource
    /// True for an answer without a Content-Length, ended by its last chunk.
    package var isChunked: Bool

    package init(
        status: Int, reason: String? = nil, headers: HTTPHeaders = [:],
        body: any ByteSource = ByteArraySource([]), isChunked: Bool = false
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.isChunked = isChunked
    }
}
