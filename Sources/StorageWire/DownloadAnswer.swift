import Checksums
import ObjectStore
import StorageModel

/// The answer to a download: headers as production sends them, a range where one is asked for.
struct DownloadAnswer {
    private let attributes: ObjectAttributes
    private let body: any ByteSource
    private let call: WireCall
    /// The content before compression, where it goes out so.
    private let unpacked: [UInt8]?
    private let memo: AnswerMemo?

    /// - Parameters:
    ///   - limit: bytes up to which compressed content is decompressed; beyond it, and where it is
    ///     no gzip content, it goes out as it is stored.
    ///   - memo: of the object as it is.
    init(_ object: StoredObject, _ call: WireCall, limit: Int64, memo: AnswerMemo? = nil) {
        self.memo = memo
        attributes = object.attributes
        body = object.body ?? ByteArraySource([])
        self.call = call
        let isPacked = attributes.contentEncoding?.lowercased() == "gzip"
        unpacked =
            isPacked && !Self.takesGzip(call.head.headers) && body.count <= limit
            ? Gzip.decompress(body.allBytes, limit: Int(limit)) : nil
    }

    var response: HTTPResponse {
        if let refusal = conditionRefusal { return refusal }
        if let unpacked {
            var headers = self.headers
            headers["Vary"] = "Accept-Encoding"
            headers["Warning"] = "214 UploadServer gunzipped"
            headers.remove("Accept-Ranges")
            return HTTPResponse(
                status: 200, headers: headers, body: ByteArraySource(unpacked), isChunked: true)
        }
        var headers = self.headers
        if let encoding = attributes.contentEncoding, encoding != "identity" {
            headers["Content-Encoding"] = encoding
            headers["Vary"] = "Accept-Encoding"
        }
        guard let range = wantedRange else {
            return HTTPResponse(status: 200, headers: headers, body: body)
        }
        let size = body.count
        guard let bytes = range.bytes(of: size) else {
            var answer = ErrorAnswer.response(
                status: 416, message: "The requested range is not in the object.")
            answer.headers["Content-Range"] = "bytes */\(size)"
            return answer
        }
        headers["Content-Range"] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(size)"
        return HTTPResponse(status: 206, headers: headers, body: SliceSource(body, bytes))
    }

    private var etag: String {
        attributes.md5.isEmpty
            ? "\"\(ObjectResource.etag(attributes))\""
            : "\"\(Hexadecimal.encode(attributes.md5))\""
    }

    private var lastModified: String { WireTime.httpDate(attributes.updated) }

    private var headers: HTTPHeaders {
        if let known = memo?.downloadFields { return known }
        let headers = madeHeaders
        memo?.downloadFields = headers
        return headers
    }

    private var madeHeaders: HTTPHeaders {
        var headers: HTTPHeaders = [
            "Content-Type": attributes.contentType ?? "application/octet-stream",
            "Content-Disposition": attributes.contentDisposition ?? defaultDisposition,
            "Accept-Ranges": "bytes",
            "ETag": etag,
            "Last-Modified": lastModified,
            "Cache-Control": attributes.cacheControl ?? "private, max-age=0",
            "x-goog-generation": String(attributes.generation),
            "x-goog-metageneration": String(attributes.metageneration),
            "x-goog-storage-class": attributes.storageClass,
            "x-goog-stored-content-encoding": attributes.contentEncoding ?? "identity",
            "x-goog-stored-content-length": String(attributes.size),
        ]
        if let language = attributes.contentLanguage { headers["Content-Language"] = language }
        if !attributes.md5.isEmpty {
            headers.add("x-goog-hash", "crc32c=\(CRC32C.base64(of: attributes.crc32c))")
            headers.add("x-goog-hash", "md5=\(Base64.encode(attributes.md5))")
        }
        for (key, value) in attributes.custom.sorted(by: { $0.key < $1.key }) {
            headers.add("x-goog-meta-\(Self.token(key))", Self.headerText(value))
        }
        if !attributes.downloadTokens.isEmpty {
            headers.add(
                "x-goog-meta-firebaseStorageDownloadTokens",
                attributes.downloadTokens.joined(separator: ","))
        }
        for name in ["Content-Type", "Content-Disposition", "Cache-Control", "Content-Language"] {
            if let value = headers[name] { headers[name] = Self.headerText(value) }
        }
        return headers
    }

    private var defaultDisposition: String {
        let last = attributes.name.split(separator: "/", omittingEmptySubsequences: false).last
        return "attachment; filename*=utf-8''\(PercentEncoding.encodeSegment(String(last ?? "")))"
    }

    /// The range asked for; nil where there is none, or where it was tied to other content.
    private var wantedRange: RangeHeader? {
        guard let range = call.range else { return nil }
        guard let condition = call.head.headers["If-Range"] else { return range }
        return condition == etag || condition == lastModified ? range : nil
    }

    /// Source: RFC 9110 section 13.2.2.
    private var conditionRefusal: HTTPResponse? {
        if let wanted = call.head.headers["If-Match"], !Self.lists(wanted, etag) {
            return ErrorAnswer.response(.preconditionFailed)
        }
        if let unwanted = call.head.headers["If-None-Match"] {
            return Self.lists(unwanted, etag) ? notModified : nil
        }
        if call.head.headers["If-Modified-Since"] == lastModified { return notModified }
        return nil
    }

    private var notModified: HTTPResponse {
        HTTPResponse(status: 304, headers: ["ETag": etag, "Last-Modified": lastModified])
    }

    private static func lists(_ header: String, _ etag: String) -> Bool {
        header.split(separator: ",").map(\.trimmingSpaces)
            .contains { $0 == "*" || $0 == etag || $0 == "W/" + etag }
    }

    private static func takesGzip(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "Accept-Encoding").flatMap { $0.split(separator: ",") }
            .contains { item in
                let parts = item.split(separator: ";").map(\.trimmingSpaces)
                guard let coding = parts.first?.lowercased() else { return false }
                let isRefused = parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
                return (coding == "gzip" || coding == "*") && !isRefused
            }
    }

    /// A custom key as part of a header name: what a name cannot hold is escaped.
    private static func token(_ key: String) -> String {
        PercentEncoding.encodeSegment(key, keeping: "!#$&'*+^`|")
    }

    /// A value as a header can hold it: control characters and all beyond ASCII are escaped.
    private static func headerText(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return value }
        let kept = String(decoding: (0x20...0x7E).map { UInt8($0) }, as: UTF8.self)
        return PercentEncoding.encodeSegment(value, keeping: kept)
    }
}
