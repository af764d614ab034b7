import EventLoop
import Scenario
import StorageModel

@testable import CloudStorage

/// The rest of an upload, which the client behind sends in one request, in chunks that double.
final class HabitCut: @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    private let whole: TransportRequest
    private let id: Int
    private let sink: any TransportSink
    private let transport: HabitTransport
    private let most: Int64
    private let end: Int64
    private var offset: Int64

    init(
        _ whole: TransportRequest, _ id: Int, _ sink: any TransportSink,
        _ transport: HabitTransport, most: Int64
    ) {
        self.whole = whole
        self.id = id
        self.sink = sink
        self.transport = transport
        self.most = most
        offset = whole.headers["X-Goog-Upload-Offset"].flatMap { Int64($0) } ?? 0
        end = offset + whole.body.length
    }

    /// - Parameter length: of the next chunk.
    func next(_ length: Int64) {
        guard case .slice(let reader, _, _) = whole.body else { return }
        let size = min(length, end - offset)
        let isLast = offset + size == end
        var request = whole
        request.headers["X-Goog-Upload-Command"] = isLast ? "upload, finalize" : "upload"
        request.headers["X-Goog-Upload-Offset"] = String(offset)
        request.body = .slice(reader, offset: offset, length: size)
        let listener = HabitSink(sink, transport, request)
        if isLast { return transport.send(request, id, listener) }
        transport.send(request, id, Chunk(self, listener, offset + size, min(length * 2, most)))
    }

    fileprivate func took(_ bytes: Int64, then length: Int64) {
        offset = bytes
        transport.loop.post { [self] in
            guard transport.isRunning(id) else { return }
            if let path = transport.paths[whole.url] { transport.wire.acknowledged(path, bytes) }
            // What it told may have stopped it.
            guard transport.isRunning(id) else { return }
            next(length)
        }
    }

    /// The answer to a chunk that is not the last: the client behind hears of it if it is a bad one.
    private final class Chunk: TransportSink {
        private let cut: HabitCut
        private let sink: any TransportSink
        private let end: Int64
        private let following: Int64
        private var taken: Int64?

        init(_ cut: HabitCut, _ sink: any TransportSink, _ end: Int64, _ following: Int64) {
            self.cut = cut
            self.sink = sink
            self.end = end
            self.following = following
        }

        func received(_ head: ResponseHead) {
            guard head.status == 200, head.headers["X-Goog-Upload-Status"] == "active" else {
                return sink.received(head)
            }
            let said = head.headers["X-Goog-Upload-Size-Received"].flatMap { Int64($0) }
            taken = min(said ?? end, end)
        }

        func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
            taken != nil || sink.received(bytes)
        }

        func ended(_ failure: TransportFailure?) {
            guard failure == nil, let taken else { return sink.ended(failure) }
            cut.took(taken, then: following)
        }
    }
}
