internal import StorageModel

/// A whole answer of the server.
package struct StorageReply: Hashable, Sendable {
    package enum UploadStatus: Hashable, Sendable {
        case active
        case final
        case cancelled
        /// No such header, or another word.
        case unsaid
    }

    var status: Int
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []

    init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    var uploadStatus: UploadStatus {
        switch headers["X-Goog-Upload-Status"] {
        case "active": .active
        case "final": .final
        case "cancelled": .cancelled
        default: .unsaid
        }
    }

    /// Bytes that the server says it holds of an upload; nil where it says nothing that makes sense.
    var sizeReceived: Int64? {
        headers["X-Goog-Upload-Size-Received"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Chunks have to be multiples of this.
    var granularity: Int64 {
        let said = headers["X-Goog-Upload-Chunk-Granularity"].flatMap { Int64($0) } ?? 0
        return said > 0 ? said : 262_144
    }

    /// How long the server asks to wait: seconds, or until a date on the server's own clock.
    ///
    /// Source: RFC 9110 section 10.2.3.
    var retryAfter: Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int64(text) { return .seconds(max(0, min(seconds, 1_000_000_000))) }
        guard let then = InternetTime.milliseconds(httpDate: text), let now = date
        else { return nil }
        return .milliseconds(max(0, then - now))
    }

    /// The body as text for an error, at most its first 64 KiB.
    var bodyText: String? {
        body.isEmpty ? nil : String(decoding: body.prefix(65_536), as: UTF8.self)
    }

    /// What an error keeps of the head: nothing that opens a door, such as a session's address.
    static let headersOfUse = [
        "Content-Type", "Date", "Retry-After", "WWW-Authenticate", "X-Goog-Upload-Status",
        "X-Goog-Upload-Size-Received",
    ]

    /// Those of them that the answer has, each at most 1 KiB.
    var headersOfUse: [String: String] {
        var kept: [String: String] = [:]
        for name in Self.headersOfUse {
            guard let value = headers[name] else { continue }
            kept[name] = String(decoding: value.utf8.prefix(1024), as: UTF8.self)
        }
        return kept
    }

    /// When it was sent, on the server's clock: milliseconds since 1970.
    var date: Int64? { headers["Date"].flatMap(InternetTime.milliseconds(httpDate:)) }
}
