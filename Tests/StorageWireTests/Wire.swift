import Checksums
import FoundationEssentials
import ObjectStore
import StorageModel
import StorageWire

/// A backend without sockets: requests in, answers out. The clock moves by hand.
final class Wire {
    final class Clock {
        /// Milliseconds since 1970.
        var time: Int64 = 1_714_564_800_000
    }

    let clock = Clock()
    let store: ObjectStore
    let dialect: FirebaseDialect
    let tokens: TokenRegistry
    /// Of the last request.
    private(set) var complaints: [String] = []

    init(limits: StoreLimits = StoreLimits(), _ change: (inout BackendSettings) -> Void = { _ in })
    {
        var settings = BackendSettings()
        change(&settings)
        let clock = clock
        store = ObjectStore(
            buckets: settings.bucket.map { [$0] + settings.otherBuckets }, limits: limits, seed: 7,
            wallClock: { clock.time })
        dialect = FirebaseDialect(settings: settings)
        let start = clock.time
        tokens = TokenRegistry(tokens: settings.tokens) { .milliseconds(clock.time - start) }
    }

    func begin(
        _ method: String, _ target: String, _ headers: HTTPHeaders = [:], length: Int? = nil
    ) -> CallInProgress {
        var headers = headers
        headers.add("Host", "127.0.0.1:4711")
        if let length { headers.add("Content-Length", String(length)) }
        let head = HTTPRequestHead(method: method, target: target, headers: headers)
        return dialect.begin(dialect.classify(head), store: store, tokens: tokens)
    }

    /// Sends a whole request; `piece` cuts its body.
    func send(
        _ method: String, _ target: String, _ headers: HTTPHeaders = [:], body: [UInt8] = [],
        piece: Int = 65_536, keeping: KeptBytes = .all
    ) -> HTTPResponse {
        let call = begin(
            method, target, headers, length: body.isEmpty && method == "GET" ? nil : body.count)
        call.receive(body, piece: piece)
        let answer = call.finish(keeping: keeping)
        complaints = call.complaints.map(\.name)
        return answer
    }

    /// Sends a request whose connection breaks after `count` bytes of its body.
    @discardableResult
    func sendBroken(
        _ target: String, _ headers: HTTPHeaders, body: [UInt8], after count: Int,
        keeping: KeptBytes = .wholeUnits
    ) -> CallInProgress {
        let call = begin("POST", target, headers, length: body.count)
        call.receive(Array(body[..<count]))
        call.cut(keeping: keeping)
        complaints = call.complaints.map(\.name)
        return call
    }

    /// Starts a session; returns its upload URL's target.
    func start(
        _ headers: HTTPHeaders = [:], name: String = "a.bin", size: Int? = nil, json: String = "{}"
    ) -> String {
        var all: HTTPHeaders = [
            "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start",
        ]
        if let size { all.add("X-Goog-Upload-Header-Content-Length", String(size)) }
        for field in headers.fields { all.add(field.name, field.value) }
        let answer = send(
            "POST", "/v0/b/demo.appspot.com/o?name=\(name)", all, body: Array(json.utf8))
        let url = answer.headers["X-Goog-Upload-URL"] ?? ""
        return String(url.dropFirst("http://127.0.0.1:4711".count))
    }

    /// Sends a command to an upload URL.
    func command(
        _ command: String, _ target: String, offset: Int? = nil, body: [UInt8] = [],
        keeping: KeptBytes = .all
    ) -> HTTPResponse {
        send(
            "POST", target, Self.headers(command, offset: offset), body: body, keeping: keeping)
    }

    static func headers(_ command: String, offset: Int? = nil) -> HTTPHeaders {
        var headers: HTTPHeaders = ["X-Goog-Upload-Command": command]
        if let offset { headers.add("X-Goog-Upload-Offset", String(offset)) }
        return headers
    }

    /// Uploads in one request; the name is already escaped for a query.
    @discardableResult
    func upload(
        _ name: String, _ body: [UInt8], _ headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        send("POST", "/v0/b/demo.appspot.com/o?name=\(name)", headers, body: body)
    }

    func get(_ name: String, _ headers: HTTPHeaders = [:], query: String = "?alt=media")
        -> HTTPResponse
    {
        send("GET", "/v0/b/demo.appspot.com/o/\(name)\(query)", headers)
    }

    func patch(_ name: String, _ json: String) -> HTTPResponse {
        send("PATCH", "/v0/b/demo.appspot.com/o/\(name)", body: Array(json.utf8))
    }
}

extension CallInProgress {
    func receive(_ bytes: [UInt8], piece: Int = 65_536) {
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + piece)
            bytes[position..<end].withUnsafeBytes { receive($0) }
            position = end
        }
    }
}

extension HTTPResponse {
    var bytes: [UInt8] { body.allBytes }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A text field of the body's JSON object.
    func field(_ name: String) -> String? {
        (try? JSONDecoder().decode(Fields.self, from: Data(bytes)))?.texts[name]
    }

    /// Custom metadata.
    var custom: [String: String] {
        (try? JSONDecoder().decode(Fields.self, from: Data(bytes)))?.custom ?? [:]
    }

    var uploadStatus: String? { headers["X-Goog-Upload-Status"] }

    var sizeReceived: String? { headers["X-Goog-Upload-Size-Received"] }
}

/// The text fields of a JSON object, and its custom metadata.
private struct Fields: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    var texts: [String: String] = [:]
    var custom: [String: String] = [:]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        for key in members.allKeys {
            texts[key.stringValue] = try? members.decode(String.self, forKey: key)
        }
        custom =
            (try? members.decode([String: String].self, forKey: Key(stringValue: "metadata")))
            ?? [:]
    }
}

/// Bytes that are another at every place and of every seed.
func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    SyntheticContent(size: Int64(count), seed: seed).allBytes
}

/// A granularity unit.
let unit = 262_144

extension Wire {
    /// Base64 of the content's MD5.
    func md5(_ content: [UInt8]) -> String { Base64.encode(MD5.digest(of: content)) }
}

/// Where two contents differ first; nil for equal ones. (The test library's own comparison of long
/// arrays takes minutes once they differ.)
func difference(_ one: [UInt8]?, _ other: [UInt8]) -> Int? {
    guard let one else { return -1 }
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return place ?? (one.count == other.count ? nil : min(one.count, other.count))
}
