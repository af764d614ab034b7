import EventLoop
import Glibc

/// The handshake of a connection that was accepted, on the loop and without a thread.
///
/// Afterwards the socket belongs to whoever was told of the outcome.
final class TLSHandshake: @unchecked Sendable {
    // Invariant: confined to the loop.
    enum Outcome {
        /// The session may hold bytes of the client already.
        case done(TLSSession)
        /// These bytes are for the client before the connection ends.
        case failed(String, farewell: [UInt8])
        case clientLeft
        case plainHTTP
    }

    private static let failed = EventLoop.failed | EventLoop.hungUp
    /// Of wall time, for clients that connect and say nothing; `slow-handshake` comes before it.
    private static let patience = Duration.seconds(60)
    /// Alert 40, fatal, in the clear (RFC 8446 section 6.2): the first word of a server that
    /// refuses.
    private static let refusal: [UInt8] = [21, 3, 3, 0, 2, 2, 40]

    let descriptor: Int32
    private let loop: EventLoop
    private let session: TLSSession
    private let plan: TLSPlan
    private var finished: ((TLSHandshake, Outcome) -> Void)?
    private var timer: LoopTimer?
    private var isFirst = true

    init(
        _ descriptor: Int32, on loop: EventLoop, session: TLSSession, plan: TLSPlan,
        finished: @escaping (TLSHandshake, Outcome) -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.session = session
        self.plan = plan
        self.finished = finished
    }

    func begin() {
        guard plan.delay > .zero else { return listen() }
        watch(0)
        timer = loop.timer(after: plan.delay) { [weak self] in self?.listen() }
    }

    /// Closes the connection where it stands, and says nothing.
    func stop() {
        guard finished != nil else { return }
        forget()
        close(descriptor)
    }

    private func listen() {
        guard finished != nil else { return }
        timer = loop.realTimer(after: Self.patience) { [weak self] in
            guard let self else { return }
            finish(.failed("the client did not go on with the handshake", farewell: []))
        }
        goOn()
    }

    private func watch(_ interest: UInt32) {
        // A client that leaves while it is to wait is seen, too.
        let ends = interest == 0 ? EventLoop.peerClosed : 0
        loop.watch(descriptor, interest | ends) { [unowned self] events in
            let isOver = events & (Self.failed | ends) != 0
            if isOver, events & EventLoop.readable == 0 { return finish(.clientLeft) }
            goOn()
        }
    }

    private func goOn() {
        guard flush() else { return }
        switch SocketBytes.receive(descriptor, into: &session.incoming) {
        case .some: break
        case .none: return watch(EventLoop.readable)
        case .end, .broken: return finish(.clientLeft)
        }
        if isFirst {
            isFirst = false
            if looksLikeHTTP { return finish(.plainHTTP) }
            if plan.failsHandshake {
                return finish(.failed("a fault refused the handshake", farewell: Self.refusal))
            }
        }
        switch session.handshake() {
        case .needsMore:
            if flush() { watch(EventLoop.readable) }
        case .done: finish(.done(session))
        case .failed(let reason):
            finish(.failed(reason, farewell: session.outgoing.all))
        }
    }

    /// True when nothing is left to send.
    private func flush() -> Bool {
        switch SocketBytes.send(&session.outgoing, on: descriptor) {
        case .all: return true
        case .blocked: watch(EventLoop.writable)
        case .broken: finish(.clientLeft)
        }
        return false
    }

    /// A record of a handshake begins with 22; a request with a method.
    private var looksLikeHTTP: Bool {
        session.incoming.withFirst { bytes in
            guard let first = bytes.first else { return false }
            return first >= UInt8(ascii: "A") && first <= UInt8(ascii: "Z")
                && bytes.prefix(8).allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        }
    }

    private func forget() {
        finished = nil
        loop.unwatch(descriptor)
        timer.map(loop.cancel)
        timer = nil
    }

    private func finish(_ outcome: Outcome) {
        guard let finished else { return }
        forget()
        finished(self, outcome)
    }
}
