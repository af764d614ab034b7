import EventLoop
import Scenario
import StorageModel

@testable import CloudStorage

/// The reference client's transport, with the habits of another client on the wire.
final class HabitTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.

    /// An upload in one request: the client behind believes that there is a session.
    struct Single {
        let start: TransportRequest
        let isMedia: Bool
    }

    private let honest: CurlTransport
    let loop: EventLoop
    let traits: Traits
    let wire: HabitWire
    private var lastID = 0
    /// Exchanges under way, by the numbers that the client behind has for them.
    private var running: [Int: Int] = [:]
    /// Answers that no server gave, on their way.
    private var invented: Set<Int> = []
    /// The object's path, by the session's URL.
    var paths: [String: String] = [:]
    var singles: [String: Single] = [:]
    /// Where the body began that is to be sent again without a question, by the session's URL.
    private var resends: [String: String] = [:]

    /// Factor on the client's own waits, which is none on those that a server asks for.
    let waitScale: Double

    init(
        _ honest: CurlTransport, _ loop: EventLoop, _ traits: Traits, _ wire: HabitWire,
        _ waitScale: Double
    ) {
        self.waitScale = waitScale
        self.honest = honest
        self.loop = loop
        self.traits = traits
        self.wire = wire
    }

    // MARK: HTTPTransport

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        lastID += 1
        let id = lastID
        let request = counting(request)
        switch request.uploadCommand {
        case "start": begin(request, id, sink)
        case "cancel":
            if traits.cancelCommand == .notSent || singles[request.url] != nil {
                answer(sink, id, ["X-Goog-Upload-Status": "cancelled"])
            } else {
                send(request, id, sink)
            }
        case "query": query(request, id, sink)
        case "upload", "upload, finalize", "finalize": body(request, id, sink)
        default:
            var request = request
            let goesOn = traits.downloadResume == .afterPause && wire.goesOn
            wire.goesOn = false
            if traits.downloadResume != .range, !goesOn { request.headers["Range"] = nil }
            send(request, id, HabitSink(sink, self, request))
        }
        return id
    }

    func cancel(_ id: Int) {
        invented.remove(id)
        if let inner = running.removeValue(forKey: id) { honest.cancel(inner) }
    }

    func shutDown() { honest.shutDown() }

    // MARK: Sending

    /// Sends a request under the number that the client behind knows.
    func send(_ request: TransportRequest, _ id: Int, _ sink: any TransportSink) {
        running[id] = honest.start(request, sink)
    }

    /// False where the client behind has given the exchange up.
    func isRunning(_ id: Int) -> Bool { running[id] != nil }

    /// An answer that no server gave.
    private func answer(_ sink: any TransportSink, _ id: Int, _ headers: HTTPHeaders) {
        let head = ResponseHead(status: 200, headers: headers)
        let carried = OnOneLoop(value: sink)
        invented.insert(id)
        loop.post { [self] in
            guard invented.remove(id) != nil else { return }
            carried.value.received(head)
            carried.value.ended(nil)
        }
    }

    private func begin(_ request: TransportRequest, _ id: Int, _ sink: any TransportSink) {
        let path = request.objectPath
        wire.willStart(path, request.body.length)
        let size = request.headers["X-Goog-Upload-Content-Length"].flatMap { Int64($0) }
        let isSingle: Bool
        switch traits.smallUpload {
        case .resumable: isSingle = false
        case .multipart(let limit): isSingle = size ?? .max <= limit
        case .media: isSingle = true
        }
        guard isSingle else {
            return send(request, id, HabitSink(sink, self, request, startOf: path))
        }
        let url = request.url + "&single=\(id)"
        paths[url] = path
        singles[url] = Single(start: request, isMedia: traits.smallUpload == .media)
        answer(sink, id, ["X-Goog-Upload-Status": "active", "X-Goog-Upload-URL": url])
    }

    private func query(_ request: TransportRequest, _ id: Int, _ sink: any TransportSink) {
        let offset = resends.removeValue(forKey: request.url)
        let known = singles[request.url] == nil ? offset : "0"
        guard let known else { return send(request, id, HabitSink(sink, self, request)) }
        answer(
            sink, id, ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": known])
    }

    private func body(_ request: TransportRequest, _ id: Int, _ sink: any TransportSink) {
        let listener = HabitSink(sink, self, request)
        if let single = singles[request.url] { return send(single, request, id, listener) }
        guard case .doubling(let first, let most) = traits.chunks, request.body.length > first
        else { return send(request, id, listener) }
        HabitCut(request, id, sink, self, most: most).next(first)
    }

    /// The next question of this session gets no answer but this.
    func willResend(_ request: TransportRequest) {
        resends[request.url] = request.headers["X-Goog-Upload-Offset"] ?? "0"
    }

    // MARK: Bytes that go out

    private func counting(_ request: TransportRequest) -> TransportRequest {
        guard traits.progressUnit == .sent,
            case .slice(let reader, let offset, let length) = request.body,
            let path = paths[request.url]
        else { return request }
        var request = request
        let counted = CountingReader(reader) { [loop, wire] end in
            loop.post { wire.sent(path, end) }
        }
        request.body = .slice(counted, offset: offset, length: length)
        return request
    }
}

/// Tells how far a source was read.
private final class CountingReader: BodyReader {
    /// libcurl takes as much as it can have; what went out is told in smaller pieces.
    private static let step: Int64 = 100_000

    private let inner: any BodyReader
    private let tell: @Sendable (Int64) -> Void

    init(_ inner: any BodyReader, _ tell: @escaping @Sendable (Int64) -> Void) {
        self.inner = inner
        self.tell = tell
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = inner.read(at: offset, into: buffer)
        guard let count, count > 0 else { return count }
        let end = offset + Int64(count)
        for mark in stride(from: offset + Self.step, to: end, by: Int(Self.step)) { tell(mark) }
        tell(end)
        return count
    }
}

extension TransportRequest {
    /// Empty where it is no request of an upload session.
    var uploadCommand: String { headers["X-Goog-Upload-Command"] ?? "" }

    /// Of a request that begins an upload: bucket and path.
    var objectPath: String {
        let query = url.split(separator: "?").last ?? ""
        let name = query.split(separator: "&").first { $0.hasPrefix("name=") }?.dropFirst(5) ?? ""
        let parts = url.split(separator: "/")
        let bucket = parts.firstIndex(of: "b").map { parts[$0 + 1] } ?? ""
        return "\(bucket)/\(PercentEncoding.decode(name))"
    }
}
