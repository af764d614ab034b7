import EventLoop
import StorageModel

@testable import CloudStorage

/// The reference client's transport, with one mistake.
final class WrongTransport: HTTPTransport, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let loop: EventLoop
    private let honest: CurlTransport
    private let mistake: WireMistake
    private var requests: [Int: TransportRequest] = [:]
    private var bodies = 0
    /// Where the last body began.
    private var lastOffset = "0"

    init(loop: EventLoop, _ mistake: WireMistake) {
        self.loop = loop
        honest = CurlTransport(loop: loop)
        self.mistake = mistake
    }

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        var request = request
        let command = request.headers["X-Goog-Upload-Command"] ?? ""
        let isBody = command.hasPrefix("upload")
        if isBody {
            bodies += 1
            lastOffset = request.headers["X-Goog-Upload-Offset"] ?? "0"
        }
        switch mistake {
        case .asksNothing where command == "query": return answer(sink)
        case .keepsCancelToItself where command == "cancel": return answer(sink)
        case .ignoresRange: request.headers["Range"] = nil
        case .shiftsOffset(let step) where isBody && bodies == 2:
            let offset = (Int64(lastOffset) ?? 0) + step
            request.headers["X-Goog-Upload-Offset"] = String(offset)
        case .startsTwice where command == "start":
            return honest.start(request, Again(sink, self, request, when: { _ in true }))
        case .sendsAgain(let body) where isBody && bodies == body:
            return honest.start(request, Again(sink, self, request, when: { _ in true }))
        case .repeats(let status):
            return honest.start(request, Again(sink, self, request, when: { $0 == status }))
        case .readsNoSize where isBody: return honest.start(request, Forgetful(sink))
        default: break
        }
        let id = honest.start(request, sink)
        requests[id] = request
        return id
    }

    func cancel(_ id: Int) {
        honest.cancel(id)
        guard case .goesOn(let delay) = mistake, let request = requests[id] else { return }
        _ = loop.timer(after: delay) { [honest] in _ = honest.start(request, Deaf()) }
    }

    func shutDown() { honest.shutDown() }

    fileprivate func startAgain(_ request: TransportRequest, _ sink: any TransportSink) {
        let carried = Carried(sink: sink)
        loop.post { [honest] in _ = honest.start(request, carried.sink) }
    }

    /// The answer that the client would like to its question.
    private func answer(_ sink: any TransportSink) -> Int {
        let head = ResponseHead(
            status: 200,
            headers: [
                "X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": lastOffset,
            ])
        let carried = Carried(sink: sink)
        loop.post {
            carried.sink.received(head)
            carried.sink.ended(nil)
        }
        return -1
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

/// Does not see what the server says it has.
private final class Forgetful: TransportSink {
    private let sink: any TransportSink

    init(_ sink: any TransportSink) { self.sink = sink }

    func received(_ head: ResponseHead) {
        var head = head
        head.headers["X-Goog-Upload-Size-Received"] = nil
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
