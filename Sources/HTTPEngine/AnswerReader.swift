import CMicroHTTPD
import StorageModel

/// Gives libmicrohttpd the bytes of a body: exactly up to the next stop, then the handler is asked.
final class AnswerReader {
    private let engine: HTTPEngine
    private let exchange: HTTPExchange
    private let link: Link
    private let body: any ByteSource
    private let isChunked: Bool

    /// Bytes asked for at once where the answer stops on its way: those that wait need little memory.
    private static let stoppingBlockSize: Int64 = 16 << 10

    init(
        _ engine: HTTPEngine, _ exchange: HTTPExchange, _ link: Link, _ body: any ByteSource,
        isChunked: Bool
    ) {
        self.engine = engine
        self.exchange = exchange
        self.link = link
        self.body = body
        self.isChunked = isChunked
    }

    /// The response holds this reader until it is destroyed.
    func makeResponse() -> OpaquePointer? {
        let me = Unmanaged.passRetained(self).toOpaque()
        let size = isChunked ? UInt64.max : UInt64(body.count)
        let made = MHD_create_response_from_callback(
            size, blockSize,
            { context, position, out, room in
                guard let context, let out else { return MHD_CONTENT_READER_END_WITH_ERROR }
                return Unmanaged<AnswerReader>.fromOpaque(context).takeUnretainedValue()
                    .read(Int64(position), UnsafeMutableRawBufferPointer(start: out, count: room))
            }, me,
            { context in
                if let context { Unmanaged<AnswerReader>.fromOpaque(context).release() }
            })
        if made == nil { Unmanaged<AnswerReader>.fromOpaque(me).release() }
        return made
    }

    private var blockSize: Int {
        let most =
            exchange.responseStops.isEmpty ? Int64(HTTPEngine.blockSize) : Self.stoppingBlockSize
        return Int(min(most, max(body.count, 1024)))
    }

    /// Is asked only when everything before `position` is with the kernel.
    private func read(_ position: Int64, _ out: UnsafeMutableRawBufferPointer) -> Int {
        guard exchange.stage == .responseBody, case .parser = exchange.carrier, !link.isTaken,
            !link.isDead
        else { return MHD_CONTENT_READER_END_WITH_ERROR }
        exchange.sent = position
        engine.headOfAnswerSent(exchange)
        switch engine.walk(exchange) {
        case .left: return MHD_CONTENT_READER_END_WITH_ERROR
        case .stay:
            guard !engine.isStopping else { return MHD_CONTENT_READER_END_WITH_ERROR }
            engine.suspend(link)
            return 0
        case .flow: break
        }
        let size = exchange.roomForAnswer(atMost: out.count)
        if size == 0 { return MHD_CONTENT_READER_END_OF_STREAM }
        let copied = body.copy(
            from: position, into: UnsafeMutableRawBufferPointer(rebasing: out[..<size]))
        return copied > 0 ? copied : MHD_CONTENT_READER_END_WITH_ERROR
    }
}

extension HTTPEngine {
    func headOfAnswerSent(_ exchange: HTTPExchange) {
        guard !exchange.isResponseHeadSent else { return }
        exchange.isResponseHeadSent = true
        if usesDoor { exchange.doorOffset = Self.pieceSize }
    }
}

extension HTTPExchange {
    /// How many bytes of the answer's body may go out before something has to be asked.
    func roomForAnswer(atMost limit: Int) -> Int {
        let stop = nextResponseStop ?? Int64.max
        return Int(min(Int64(limit), min(responseLength, stop, doorOffset) - sent))
    }
}
