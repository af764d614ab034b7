import EventLoop
import Glibc
package import StorageModel

/// An answer whose body has no end yet: pieces are pushed as they come to be. In wall time.
///
/// Each piece is a chunk of its own; a client of HTTP/1.0 gets the bytes without marks. The connection
/// ends with the answer. What waits for a slow reader is bounded: a piece for which there is no room is
/// not taken.
package final class LiveAnswer: @unchecked Sendable {
    // Invariant: confined to the engine's loop.
    private static let failed = EventLoop.failed | EventLoop.hungUp

    /// The kernel's share of what waits; it doubles the number.
    private static let kernelBuffer: Int32 = 64 << 10

    private let response: HTTPResponse
    private let limit: Int
    private var pending: [UInt8] = []
    private var written = 0
    private var isChunked = false
    private var isFinished = false
    private var connection: (descriptor: Int32, exchange: HTTPExchange, engine: HTTPEngine)?
    /// Called when everything that was pushed is with the kernel.
    package var drained: (() -> Void)?

    /// - Parameters:
    ///   - headers: its fields; those that say how the body ends are added.
    ///   - limit: bytes that may wait for the reader, besides what the kernel keeps.
    package init(status: Int, headers: HTTPHeaders, limit: Int) {
        response = HTTPResponse(status: status, headers: headers, isChunked: true)
        self.limit = limit
    }

    /// True until the client has left, the engine has stopped, or `finish`.
    package var isOpen: Bool { connection != nil && !isFinished }

    /// Takes bytes for the client; false: there is no room for them, or nobody to send them to. Where
    /// nothing waits there is room for any piece.
    package func push(_ bytes: [UInt8]) -> Bool {
        let waiting = pending.count - written
        guard isOpen, waiting == 0 || waiting + bytes.count <= limit else { return false }
        guard !bytes.isEmpty, connection?.exchange.head.method != "HEAD" else { return true }
        pending += isChunked ? Array("\(String(bytes.count, radix: 16))\r\n".utf8) : []
        pending += bytes + (isChunked ? Array("\r\n".utf8) : [])
        flush()
        return true
    }

    /// The body ends here; what waits is sent before.
    package func finish() {
        guard isOpen else { return }
        isFinished = true
        if isChunked { pending += Array("0\r\n\r\n".utf8) }
        flush()
    }

    // MARK: The connection

    func begin(on descriptor: Int32, _ exchange: HTTPExchange, _ engine: HTTPEngine) {
        connection = (descriptor, exchange, engine)
        exchange.response = response
        isChunked = exchange.head.version != "HTTP/1.0" && exchange.head.method != "HEAD"
        pending = OwnAnswer.head(exchange)
        var size = Self.kernelBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, 4)
        watch(isBlocked: false)
        // Not from inside libmicrohttpd, nor from inside a question to the handler.
        engine.loop.post { [self] in
            flush()
            if exchange.head.method == "HEAD" { finish() }
        }
    }

    /// The engine stops: sends what the kernel takes.
    func stop() {
        _ = send()
        close()
    }

    private func watch(isBlocked: Bool) {
        guard let (descriptor, _, engine) = connection else { return }
        let interest = EventLoop.readable | (isBlocked ? EventLoop.writable : 0)
        engine.loop.watch(descriptor, interest) { [unowned self] in happened($0) }
    }

    private func happened(_ events: UInt32) {
        guard let descriptor = connection?.descriptor else { return }
        // A client that has finished sending has nothing to wait for in an answer without an end.
        let isGone = events & EventLoop.readable != 0 && ScriptedSocket.discard(descriptor)
        if events & Self.failed != 0 || isGone { return clientLeft() }
        if events & EventLoop.writable != 0 { flush() }
    }

    private enum Sent {
        case all
        case blocked
        case failed
    }

    private func flush() {
        switch send() {
        case .all:
            if isFinished { return end() }
            watch(isBlocked: false)
            drained?()
        case .blocked:
            pending.removeFirst(written)
            written = 0
            watch(isBlocked: true)
        case .failed: clientLeft()
        }
    }

    /// Hands to the kernel what it takes.
    private func send() -> Sent {
        guard let (descriptor, exchange, _) = connection else { return .blocked }
        while written < pending.count {
            let count = pending.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + written }, $0.count - written,
                    Sockets.noSignal)
            }
            if count >= 0 {
                written += count
                exchange.sent += Int64(count)
            } else if errno == EAGAIN {
                return .blocked
            } else if errno != EINTR {
                return .failed
            }
        }
        (pending, written) = ([], 0)
        return .all
    }

    /// The whole answer is with the kernel.
    private func end() {
        guard let (descriptor, exchange, engine) = connection else { return }
        release()
        let script = engine.makeScript(
            [.finishSending, .drain, .close], on: descriptor, exchange.connection, staysOpen: false
        ) { _ in }
        engine.end(exchange, .complete)
        script.run()
    }

    private func clientLeft() {
        guard let (_, exchange, engine) = connection else { return }
        close()
        engine.clientLeft(exchange)
    }

    private func close() {
        guard let (descriptor, exchange, engine) = connection else { return }
        release()
        engine.loop.time?.serverClosed(descriptor)
        Glibc.close(descriptor)
        engine.connectionEnded(exchange.connection)
    }

    private func release() {
        guard let (descriptor, _, engine) = connection else { return }
        engine.loop.unwatch(descriptor)
        engine.liveAnswers[ObjectIdentifier(self)] = nil
        connection = nil
        drained = nil
    }
}

extension HTTPEngine {
    /// The exchange's answer has no end yet.
    func stream(_ exchange: HTTPExchange, _ answer: LiveAnswer) -> Walk {
        guard let descriptor = take(exchange) else {
            end(exchange, .clientLeft)
            return .left
        }
        exchange.stage = .silent
        liveAnswers[ObjectIdentifier(answer)] = answer
        answer.begin(on: descriptor, exchange, self)
        return .left
    }
}
