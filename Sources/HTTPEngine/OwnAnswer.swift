import EventLoop
import Glibc
import StorageModel

/// An answer that we write ourselves.
///
/// Either libmicrohttpd keeps the connection beside us and reads on, or it has let go of it: then the
/// connection ends with the answer, and what the client still sends is read here and thrown away.
final class OwnAnswer: @unchecked Sendable {
    // Invariant: confined to the loop.
    private static let failed = EventLoop.failed | EventLoop.hungUp

    let descriptor: Int32
    let exchange: HTTPExchange
    /// The connection, where libmicrohttpd has kept it.
    let link: Link?
    private unowned let engine: HTTPEngine
    private var pending: [UInt8] = []
    private var written = 0
    /// The bytes of `pending` that are the answer's body.
    private var payload = 0..<0
    private var isHeadQueued = false
    /// What is left of the head, in the order of carrying out.
    private var lead: ArraySlice<WireStep> = []
    private var timer: LoopTimer?
    private var isLastChunkQueued = false
    private var isReading: Bool
    private var isBlocked = false
    private var isReleased = false

    /// - Parameter descriptor: is closed with the answer.
    init(
        _ descriptor: Int32, _ exchange: HTTPExchange, _ engine: HTTPEngine,
        beside link: Link? = nil
    ) {
        self.descriptor = descriptor
        self.exchange = exchange
        self.engine = engine
        self.link = link
        isReading = link == nil
        watch()
    }

    /// Sends what can be sent, and asks at each point.
    func pump() {
        while timer == nil, flush() {
            guard case .flow = engine.walk(exchange), !isReleased else { return }
            if !isHeadQueued {
                isHeadQueued = true
                exchange.keepsConnection = link != nil && exchange.mayKeepConnection
                lead = Self.lead(exchange)
            } else if let step = lead.popFirst() {
                carryOut(step)
            } else if exchange.sent < exchange.responseLength {
                guard queueBlock() else { return clientLeft() }
            } else if exchange.isAnswerChunked, !isLastChunkQueued {
                isLastChunkQueued = true
                pending = lastChunk
            } else {
                exchange.stage = .responseEnd
            }
        }
    }

    /// There are bytes that its client does not take.
    var isClientAwaited: Bool { isBlocked }

    /// Gives the connection to another owner.
    func release() -> Int32 {
        isReleased = true
        timer.map(engine.loop.cancel)
        timer = nil
        engine.loop.unwatch(descriptor)
        return descriptor
    }

    var unsentBytes: Int { isReleased ? 0 : HTTPExchange.unsent(descriptor) }

    /// Nothing more of what was written leaves for the client.
    func mute() { if !isReleased { engine.mute(descriptor) } }

    /// Ends here; the connection ends with it unless libmicrohttpd has kept it.
    func stop() {
        guard !isReleased else { return }
        let descriptor = release()
        engine.ownAnswers[ObjectIdentifier(self)] = nil
        if link != nil {
            close(descriptor)
            return
        }
        if engine.muted.contains(exchange.connection) { Sockets.reset(descriptor) }
        engine.loop.time?.serverClosed(descriptor)
        close(descriptor)
        engine.connectionEnded(exchange.connection)
    }

    // MARK: Writing

    private func carryOut(_ step: WireStep) {
        switch step {
        case .send(let bytes): pending = bytes
        case .wait(let time):
            timer = engine.loop.timer(after: time) { [self] in
                timer = nil
                if !isReleased { pump() }
            }
        case .slices, .finishSending, .drain, .reset, .abort, .close: break
        }
    }

    /// False when the body does not give its bytes.
    private func queueBlock() -> Bool {
        guard let body = exchange.response?.body else { return false }
        var size = Int64(exchange.roomForAnswer(atMost: HTTPEngine.blockSize))
        if let place = badChunk, place > exchange.sent { size = min(size, place - exchange.sent) }
        let bytes = body.bytes(in: exchange.sent..<exchange.sent + size)
        guard bytes.count == size else { return false }
        guard exchange.isAnswerChunked else {
            (pending, payload) = (bytes, 0..<bytes.count)
            return true
        }
        let mark = exchange.sent == badChunk ? Self.badSize : String(size, radix: 16)
        let before = Array("\(mark)\r\n".utf8)
        pending = before + bytes + Array("\r\n".utf8)
        payload = before.count..<before.count + bytes.count
        return true
    }

    /// True when nothing is left to send.
    private func flush() -> Bool {
        while written < pending.count {
            let count = pending.withUnsafeBytes {
                send(
                    descriptor, $0.baseAddress.map { $0 + written }, $0.count - written,
                    Sockets.noSignal)
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
        if isHeadQueued, lead.isEmpty { engine.headOfAnswerSent(exchange) }
        return !isReleased
    }

    // MARK: Waiting

    private func watch() {
        guard isReading || isBlocked else { return engine.loop.unwatch(descriptor) }
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
        if let link { return engine.suspendedClientLeft(link) }
        let exchange = exchange
        let engine = engine
        stop()
        exchange.carrier = .none
        engine.clientLeft(exchange)
    }
}
