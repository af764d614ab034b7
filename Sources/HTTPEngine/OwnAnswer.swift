import EventLoop
import Glibc
import StorageModel

/// An answer that we write ourselves, on a connection that libmicrohttpd has let go of; the connection
/// ends with it. What the client still sends is read and thrown away.
final class OwnAnswer: @unchecked Sendable {
    // Invariant: confined to the loop.
    private static let failed = EventLoop.failed | EventLoop.hungUp

    private let descriptor: Int32
    private let exchange: HTTPExchange
    private unowned let engine: HTTPEngine
    private var pending: [UInt8] = []
    private var written = 0
    /// The bytes of `pending` that are the answer's body.
    private var payload = 0..<0
    private var isHeadQueued = false
    private var isLastChunkQueued = false
    private var isReading = true
    private var isBlocked = false
    private var isReleased = false

    init(_ descriptor: Int32, _ exchange: HTTPExchange, _ engine: HTTPEngine) {
        self.descriptor = descriptor
        self.exchange = exchange
        self.engine = engine
        watch()
    }

    /// Sends what can be sent, and asks at each point.
    func pump() {
        while flush() {
            guard case .flow = engine.walk(exchange), !isReleased else { return }
            if !isHeadQueued {
                isHeadQueued = true
                pending = Self.head(exchange)
            } else if exchange.sent < exchange.responseLength {
                guard queueBlock() else { return clientLeft() }
            } else if isChunked, !isLastChunkQueued {
                isLastChunkQueued = true
                pending = Array("0\r\n\r\n".utf8)
            } else {
                exchange.stage = .responseEnd
            }
        }
    }

    /// Gives the connection to another owner.
    func release() -> Int32 {
        isReleased = true
        engine.loop.unwatch(descriptor)
        return descriptor
    }

    func stop() {
        guard !isReleased else { return }
        let descriptor = release()
        engine.ownAnswers[ObjectIdentifier(self)] = nil
        engine.loop.time?.serverClosed(descriptor)
        close(descriptor)
        engine.connectionEnded(exchange.connection)
    }

    // MARK: Writing

    private var isChunked: Bool {
        exchange.response?.isChunked == true && exchange.head.version != "HTTP/1.0"
            && exchange.head.method != "HEAD"
    }

    /// False when the body does not give its bytes.
    private func queueBlock() -> Bool {
        guard let body = exchange.response?.body else { return false }
        let size = exchange.roomForAnswer(atMost: HTTPEngine.blockSize)
        let bytes = body.bytes(in: exchange.sent..<exchange.sent + Int64(size))
        guard bytes.count == size else { return false }
        let before = isChunked ? Array("\(String(size, radix: 16))\r\n".utf8) : []
        pending = before + bytes + (isChunked ? Array("\r\n".utf8) : [])
        payload = before.count..<before.count + size
        return true
    }

    /// True when nothing is left to send.
    private func flush() -> Bool {
        while written < pending.count {
            let count = pending.withUnsafeBytes {
                send(
                    descriptor, $0.baseAddress.map { $0 + written }, $0.count - written,
                    Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                let before = written
                written += count
                exchange.sent += Int64(
                    payload.clamped(to: before..<max(before, written)).count)
            } else if errno == EAGAIN {
                isBlocked = true
                watch()
                return false
            } else if errno != EINTR {
                clientLeft()
                return false
            }
        }
        (pending, written, payload) = ([], 0, 0..<0)
        if isHeadQueued { engine.headOfAnswerSent(exchange) }
        return !isReleased
    }

    // MARK: Waiting

    private func watch() {
        let interest =
            (isReading ? EventLoop.readable : 0) | (isBlocked ? EventLoop.writable : 0)
        engine.loop.watch(descriptor, interest) { [unowned self] in happened($0) }
    }

    private func happened(_ events: UInt32) {
        if events & Self.failed != 0 { return clientLeft() }
        if events & EventLoop.readable != 0, isReading, ScriptedSocket.discard(descriptor) {
            isReading = false
            if engine.peers.peer(of: descriptor) == .gone { return clientLeft() }
            watch()
        }
        if events & EventLoop.writable != 0, isBlocked {
            isBlocked = false
            watch()
            pump()
        }
    }

    private func clientLeft() {
        let exchange = exchange
        let engine = engine
        stop()
        exchange.carrier = .none
        engine.clientLeft(exchange)
    }
}
