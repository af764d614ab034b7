package import CloudStorage
package import EventLoop
import StorageModel

/// The reference client's transport, with one mistake.
package final class WrongTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let loop: EventLoop
    private let honest: any HTTPTransport
    private let mistake: WireMistake
    private var requests: [Int: TransportRequest] = [:]
    /// Answers that no server gave, on their way; their numbers are below zero.
    private var invented: Set<Int> = []
    private var bodies = 0
    /// Where the last body began.
    private var lastOffset = "0"

    package init(_ honest: any HTTPTransport, loop: EventLoop, _ mistake: WireMistake) {
        self.loop = loop
        self.honest = honest
        self.mistake = mistake
    }

    package func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        let command = request.headers["X-Goog-Upload-Command"] ?? ""
        let isBody = command.hasPrefix("upload")
        if isBody {
            bodies += 1
            lastOffset = request.headers["X-Goog-Upload-Offset"] ?? "0"
        }
        switch mistake {
        case .asksNothing where command == "query": return answer(sink, lastOffset)
        case .believes(let size) where command == "query": return answer(sink, "\(size)")
        case .keepsCancelToItself where command == "cancel": return answer(sink, "0")
        case .loses(let kind) where request.kind == kind: return -1
        case .startsTwice where command == "start":
            return honest.start(request, Again(sink, self, request, when: { _ in true }))
        case .sendsAgain(let body) where isBody && bodies == body:
            return honest.start(request, Again(sink, self, request, when: { _ in true }))
        case .repeats(let status):
            return honest.start(request, Again(sink, self, request, when: { $0 == status }))
        case .readsNo(let fields, let kinds) where request.kind.map(kinds.contains) == true:
            return keep(
                request,
                HalfBlind(sink) { head in
                    for field in fields { head.headers[field] = nil }
                })
        case .mistakes(let status, let other):
            return keep(
                request,
                HalfBlind(sink) { head in
                    if head.status == status { head.status = other }
                })
        default: return keep(changed(request, isBody: isBody), sink)
        }
    }

    private func keep(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        let id = honest.start(request, sink)
        requests[id] = request
        return id
    }

    /// The request as it goes out.
    private func changed(_ request: TransportRequest, isBody: Bool) -> TransportRequest {
        var request = request
        switch mistake {
        case .ignoresRange: request.headers["Range"] = nil
        case .shiftsRange(let step):
            guard let text = request.headers["Range"]?.dropFirst(6).dropLast(),
                let first = Int64(text)
            else { break }
            request.headers["Range"] = "bytes=\(first + step)-"
        case .shiftsOffset(let step) where isBody && bodies == 2:
            let offset = (Int64(lastOffset) ?? 0) + step
            request.headers["X-Goog-Upload-Offset"] = String(offset)
        case .sendsTheBeginning where isBody:
            if case .slice(let source, _, let length) = request.body {
                request.body = .slice(source, offset: 0, length: length)
            }
        case .sendsEmptyObject(let kind) where request.kind == kind:
            request.body = .bytes(Array("{}".utf8))
        case .replaces(let part, let other, let kind) where request.kind == kind:
            request.url = request.url.replacing(part, with: other)
        case .commands(let command, let other)
        where request.headers["X-Goog-Upload-Command"] == command:
            request.headers["X-Goog-Upload-Command"] = other
        default: break
        }
        return request
    }

    package func cancel(_ id: Int) {
        guard invented.remove(id) == nil, id >= 0 else { return }
        honest.cancel(id)
        guard case .goesOn(let delay) = mistake, let request = requests[id] else { return }
        _ = loop.timer(after: delay) { [honest] in _ = honest.start(request, Deaf()) }
    }

    package func goOn(_ id: Int) { honest.goOn(id) }

    package func shutDown() { honest.shutDown() }

    fileprivate func startAgain(_ request: TransportRequest, _ sink: any TransportSink) {
        let carried = Carried(sink: sink)
        loop.post { [honest] in _ = honest.start(request, carried.sink) }
    }

    /// The answer that the client would like to its question.
    private func answer(_ sink: any TransportSink, _ size: String) -> Int {
        let head = ResponseHead(
            status: 200,
            headers: [
                "X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": size,
            ])
        let carried = Carried(sink: sink)
        let id = -1 - bodies - invented.count - requests.count
        invented.insert(id)
        loop.post { [self] in
            guard invented.remove(id) != nil else { return }
            carried.sink.received(head)
            carried.sink.ended(nil)
        }
        return id
    }
}

/// A sink on its way through a closure that may be called anywhere.
private struct Carried: @unchecked Sendable {
    // Invariant: used on the loop's thread alone.
    let sink: any TransportSink
}

/// Keeps a first answer for itself and sends the request again.
private final class Again: TransportSink, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let sink: any TransportSink
    private let transport: WrongTransport
    private let request: TransportRequest
    private let isWanted: (Int) -> Bool
    private var isSwallowing = false

    init(
        _ sink: any TransportSink, _ transport: WrongTransport, _ request: TransportRequest,
        when isWanted: @escaping (Int) -> Bool
    ) {
        self.sink = sink
        self.transport = transport
        self.request = request
        self.isWanted = isWanted
    }

    var isFull: Bool { !isSwallowing && sink.isFull }

    func received(_ head: ResponseHead) {
        isSwallowing = isWanted(head.status)
        if !isSwallowing { sink.received(head) }
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isSwallowing || sink.received(bytes)
    }

    func ended(_ failure: TransportFailure?) {
        guard isSwallowing else { return sink.ended(failure) }
        transport.startAgain(request, sink)
    }
}

/// Sees another head than the one that came.
private final class HalfBlind: TransportSink {
    private let sink: any TransportSink
    private let change: (inout ResponseHead) -> Void

    init(_ sink: any TransportSink, _ change: @escaping (inout ResponseHead) -> Void) {
        self.sink = sink
        self.change = change
    }

    var isFull: Bool { sink.isFull }

    func received(_ head: ResponseHead) {
        var head = head
        change(&head)
        sink.received(head)
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool { sink.received(bytes) }

    func ended(_ failure: TransportFailure?) { sink.ended(failure) }
}

/// Does not listen.
private final class Deaf: TransportSink {
    func received(_ head: ResponseHead) {}

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool { true }

    func ended(_ failure: TransportFailure?) {}
}
