import CEpoll
import EventLoop
import Glibc

/// Joins a client's TLS connection to the plain one that the engine works with, so that whatever the
/// engine does to a connection happens to the client's, at the same byte.
///
/// The engine's FIN becomes close_notify and FIN, its RST an RST behind everything that it sent; the
/// client's end becomes a FIN, and its leaving a leaving. Nothing is read that cannot be passed on at
/// once, so that whoever does not read is felt at the other end.
final class TLSRelay: @unchecked Sendable {
    // Invariant: confined to the loop.

    /// From the client to the engine.
    private enum Upward {
        case flowing
        /// close_notify has come. The FIN that most clients send with it may not have come yet.
        case parting
        /// Nothing more comes; the engine is told when it has taken the rest.
        case ending
        case ended
    }

    /// From the engine to the client.
    private enum Downward {
        case flowing
        /// FIN, when everything before it was sent.
        case ending
        /// RST, when everything before it has left for the client.
        case breaking
        case ended
    }

    private static let failed = EventLoop.failed | EventLoop.hungUp
    /// Times that one side is read in a turn, so that a fast peer does not keep the loop to itself.
    private static let turn = 8
    /// Of wall time: from a close_notify to its FIN, where the two belong together.
    private static let partingTime = Duration.milliseconds(20)
    /// Of wall time, for a client to close a connection that the engine has closed.
    private static let lingering = Duration.seconds(10)

    private let session: TLSSession
    private let loop: EventLoop
    private let peers: PeerStates
    private let omitsCloseNotify: Bool
    private var client: RelayEnd
    private var engine: RelayEnd
    private var ended: ((TLSRelay) -> Void)?

    private var up = Upward.flowing
    private var down = Downward.flowing
    /// Of the client, decrypted, for the engine.
    private var plain = ByteQueue()
    /// The client's FIN has come.
    private var isClientFinished = false
    /// The client's RST has come; what was sent before it may be there to be read.
    private var isClientBroken = false
    /// The engine's socket takes nothing more: it was closed or reset.
    private var isEngineBroken = false
    /// The engine has given the connection up.
    private var hasEngineLeft = false
    private var partingTimer: LoopTimer?
    private var lingerTimer: LoopTimer?
    private var lookTimer: LoopTimer?
    private var nextLook = Duration.milliseconds(1)

    /// - Parameters:
    ///   - client: the socket, after the handshake.
    ///   - engine: this end of the pair of which the engine has the other.
    ///   - ended: both sockets are closed.
    init(
        client: Int32, engine: Int32, session: TLSSession, on loop: EventLoop, peers: PeerStates,
        omitsCloseNotify: Bool, ended: @escaping (TLSRelay) -> Void
    ) {
        self.session = session
        self.loop = loop
        self.peers = peers
        self.omitsCloseNotify = omitsCloseNotify
        self.client = RelayEnd(client)
        self.engine = RelayEnd(engine)
        self.ended = ended
    }

    /// Passes on what there is.
    func run() {
        passUp()
        passDown()
        if up == .ended, down == .ended { finish() }
        guard ended != nil else { return }
        if hasEngineLeft, down == .ended { linger() }
        watch()
    }

    /// The engine has closed its end, or is about to.
    func engineLeft() {
        guard ended != nil, !hasEngineLeft else { return }
        hasEngineLeft = true
        if down == .ended { linger() }
    }

    /// The engine stops: the client gets what can be sent now, then FIN.
    func stop() {
        guard ended != nil else { return }
        for _ in 0..<1000 where down == .flowing && session.outgoing.isEmpty { passDown() }
        finish()
    }

    // MARK: To the engine

    private func passUp() {
        var reads = 0
        while ended != nil, up != .ended, !isEngineBroken {
            switch SocketBytes.send(&plain, on: engine.descriptor) {
            case .all: engine.isBlocked = false
            case .blocked:
                engine.isBlocked = true
                return
            case .broken: return engineBroke()
            }
            if up == .ending { return tellEnd() }
            if up == .flowing, decrypt() { continue }
            guard ended != nil, !isClientFinished, reads < Self.turn || isClientBroken else {
                return
            }
            reads += 1
            guard receive() else { return }
        }
        if up == .ended, !isClientFinished { _ = receive() }
    }

    /// True when there is something to pass on, or the end of it.
    private func decrypt() -> Bool {
        let reading = withUnsafeTemporaryAllocation(
            byteCount: TLSSession.recordSize, alignment: 1
        ) { room in
            let reading = session.read(into: room)
            if case .bytes(let count) = reading {
                plain.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
            return reading
        }
        switch reading {
        case .bytes: return true
        case .needsMore:
            guard isClientFinished else { return false }
            // FIN without close_notify.
            up = .ending
            return true
        case .ended:
            part()
            return true
        case .failed:
            // To the engine it is a client that broke its connection; the client gets the alert.
            Sockets.reset(engine.descriptor)
            up = .ended
            down = .ending
            return false
        }
    }

    /// Reads from the client's socket; false when there is nothing to be had.
    private func receive() -> Bool {
        switch SocketBytes.receive(client.descriptor, into: &session.incoming) {
        case .some:
            // Behind a close_notify nothing has a meaning.
            if up != .flowing { session.incoming.removeAll() }
            return true
        case .none: return false
        case .end where isClientBroken: return false
        case .end:
            isClientFinished = true
            if up == .parting { up = .ending }
            if up == .ended { look() }
            return ended != nil && up != .ended
        case .broken:
            clientBroke()
            return false
        }
    }

    private func part() {
        up = isClientFinished ? .ending : .parting
        guard up == .parting else { return }
        partingTimer = loop.realTimer(after: Self.partingTime) { [weak self] in
            guard let self, ended != nil, up == .parting else { return }
            up = .ending
            run()
        }
    }

    private func tellEnd() {
        up = .ended
        shutdown(engine.descriptor, Int32(SHUT_WR))
        if isClientFinished { look() }
    }

    /// The client has finished sending. Has it left, too?
    private func look() {
        lookTimer = nil
        switch peers.peer(of: client.descriptor) {
        case .gone: finish()
        case .present:
            lookTimer = loop.realTimer(after: nextLook) { [weak self] in
                if self?.ended != nil { self?.look() }
            }
            nextLook = min(nextLook * 4, .seconds(1))
        case .unknown: break
        }
    }

    private func clientBroke() {
        guard ended != nil else { return }
        _ = SocketBytes.send(&plain, on: engine.descriptor)
        Sockets.reset(engine.descriptor)
        finish()
    }

    // MARK: To the client

    private func passDown() {
        var reads = 0
        while ended != nil, down != .ended {
            switch SocketBytes.send(&session.outgoing, on: client.descriptor) {
            case .all: client.isBlocked = false
            case .blocked:
                client.isBlocked = true
                return
            case .broken: return clientBroke()
            }
            switch down {
            case .flowing:
                guard reads < Self.turn, encrypt() else { return }
                reads += 1
            case .ending:
                down = .ended
                shutdown(client.descriptor, Int32(SHUT_WR))
            case .breaking:
                guard Sockets.hasUnsent(client.descriptor) else {
                    Sockets.reset(client.descriptor)
                    return finish()
                }
                Sockets.makeWritableOnlyWhenSent(client.descriptor)
                client.isBlocked = true
                return
            case .ended: return
            }
        }
    }

    /// Takes what the engine has sent; false when there is nothing for now.
    private func encrypt() -> Bool {
        var sent = ByteQueue()
        switch SocketBytes.receive(engine.descriptor, into: &sent) {
        case .some:
            if !sent.withFirst(session.write) { down = .breaking }
        case .none: return false
        case .end where !isEngineBroken:
            if !omitsCloseNotify { session.sayEnd() }
            down = .ending
        case .end, .broken:
            isEngineBroken = true
            down = .breaking
        }
        return true
    }

    /// What the client still sends finds nobody: as without TLS, it is told by RST.
    private func engineBroke() {
        isEngineBroken = true
        plain.removeAll()
        if down == .ended { down = .breaking }
    }

    // MARK: Watching

    private func watch() {
        let readsClient = !isClientFinished && !engine.isBlocked && !isEngineBroken
        client.watch(
            on: loop,
            (readsClient ? EventLoop.readable : 0) | (client.isBlocked ? EventLoop.writable : 0)
        ) { [unowned self] in happened($0, isClient: true) }
        let readsEngine = down == .flowing && !client.isBlocked
        engine.watch(
            on: loop,
            (readsEngine ? EventLoop.readable : 0) | (engine.isBlocked ? EventLoop.writable : 0)
        ) { [unowned self] in happened($0, isClient: false) }
    }

    private func happened(_ events: UInt32, isClient: Bool) {
        if events & Self.failed != 0 {
            if isClient {
                client.isHungUp = true
                isClientBroken = client.isBroken
                if isClientBroken {
                    passUp()
                    return clientBroke()
                }
            } else {
                engine.isHungUp = true
                if engine.isBroken { engineBroke() }
            }
        }
        run()
    }

    /// The engine's end is closed. The client has so long to close its own, as with the kernel.
    private func linger() {
        guard lingerTimer == nil else { return }
        lingerTimer = loop.realTimer(after: Self.lingering) { [weak self] in self?.finish() }
    }

    private func finish() {
        guard let ended else { return }
        self.ended = nil
        for timer in [partingTimer, lingerTimer, lookTimer] { timer.map(loop.cancel) }
        for end in [client, engine] {
            loop.unwatch(end.descriptor)
            close(end.descriptor)
        }
        ended(self)
    }
}
