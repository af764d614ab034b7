/// A request line and its header fields, exactly as they came.
package struct HTTPRequestHead: Hashable, Sendable {
    package var method: String
    /// The raw request target, escapes untouched; an absolute form keeps its scheme and host.
    package var target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    package var version: String
    package var headers: HTTPHeaders

    package init(
        method: String, target: String, version: String = "HTTP/1.1", headers: HTTPHeaders = [:]
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
    }

    /// The body length that the client declares, in bytes; nil without a (valid) Content-Length.
    package var contentLength: Int64? {
        headers["Content-Length"].flatMap { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
        }
    }
}
