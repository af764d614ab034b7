import StorageModel

/// What libmicrohttpd lets pass and a server has to refuse.
enum HeadCheck {
    struct Refusal {
        let response: HTTPResponse
        /// Which rule of HTTP the client broke, in one sentence; nil for what is only too large.
        var brokenRule: String?
        /// True: where the request ends is not known, so the connection cannot be used again.
        let isFramingUnsure: Bool
    }

    /// Nil for a head that is fine.
    ///
    /// Source: RFC 9112 sections 3.2 (Host), 6.1 and 6.3 (length), RFC 9110 section 15.5.14 (413), RFC
    /// 6585 section 5 (431).
    static func refusal(
        of head: HTTPRequestHead, headSize: Int, limits: EngineLimits
    ) -> Refusal? {
        if headSize > limits.headSize {
            return Refusal(
                response: .plain(431, "The request head is larger than \(limits.headSize) bytes."),
                isFramingUnsure: false)
        }
        let hosts = head.headers.values(of: "Host").count
        if head.version == "HTTP/1.1", hosts != 1 {
            let found = hosts == 0 ? "none" : "\(hosts)"
            return broken(
                "A request needs one Host field; this one has \(found).", isFramingUnsure: false)
        }
        let lengths = Set(head.headers.values(of: "Content-Length"))
        if lengths.count > 1 {
            return broken(
                "The request has different Content-Length fields.", isFramingUnsure: true)
        }
        if !lengths.isEmpty, head.headers["Transfer-Encoding"] != nil {
            return broken(
                "The request has both Content-Length and Transfer-Encoding.",
                isFramingUnsure: true)
        }
        let codings = head.headers.values(of: "Transfer-Encoding")
        if codings.contains(where: { $0.lowercased() != "chunked" }) || codings.count > 1 {
            return broken(
                "The only transfer coding that is understood here is chunked.", status: 501,
                isFramingUnsure: true)
        }
        if let limit = limits.bodySize, let length = head.contentLength, length > limit {
            return Refusal(response: .tooLarge(limit), isFramingUnsure: false)
        }
        return nil
    }

    private static func broken(
        _ rule: String, status: Int = 400, isFramingUnsure: Bool
    ) -> Refusal {
        Refusal(response: .plain(status, rule), brokenRule: rule, isFramingUnsure: isFramingUnsure)
    }
}

extension HTTPResponse {
    /// A short text for people.
    static func plain(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: ByteArraySource(Array((text + "\n").utf8)))
    }

    static func tooLarge(_ limit: Int64) -> HTTPResponse {
        .plain(413, "The request body is larger than \(limit) bytes.")
    }

    /// For a handler that gave no answer where there must be one.
    static var noAnswer: HTTPResponse { .plain(500, "The backend gave no answer.") }
}
