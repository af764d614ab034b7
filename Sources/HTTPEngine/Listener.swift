import CEpoll
import EventLoop
import Glibc

/// The engine's own listening socket. It can stop to take connections in several ways, and take them
/// again on the same port, which nobody else gets meanwhile.
final class Listener {
    /// What becomes of attempts to connect.
    enum State {
        case taking
        /// They succeed, and nobody takes the connections up yet.
        case queueing
        /// RST to each.
        case refusing
        /// No answer at all. The client's kernel repeats each attempt after 1 s, 2 s, 4 s, ... and
        /// gives it up after about two minutes. Source: Linux, tcp(7), `tcp_syn_retries`.
        case unanswering
    }

    private let host: String
    private(set) var port: UInt16
    private let loop: EventLoop
    private let accepted: (Int32) -> Void
    private(set) var receiveBuffer: Int32?
    private var descriptor: Int32 = -1
    private var state = State.refusing
    /// Has the port as long as the listener lives, whether it is open or not.
    private var reservation: Int32 = -1
    /// Our own ends of connections that fill the queue, so that the kernel drops every attempt.
    private var fillers: [Int32] = []

    private static let queueLength: Int32 = 1024

    /// - Parameters:
    ///   - receiveBuffer: bytes that the kernel keeps for a connection; nil: as it likes, megabytes.
    ///   - accepted: gets the descriptor of each connection, non-blocking.
    init(
        host: String, port: UInt16, loop: EventLoop, receiveBuffer: Int32? = nil,
        accepted: @escaping (Int32) -> Void
    ) {
        self.host = host
        self.port = port
        self.loop = loop
        self.receiveBuffer = receiveBuffer
        self.accepted = accepted
    }

    deinit {
        // Of one that could not be opened.
        for socket in fillers + [descriptor, reservation] where socket >= 0 { Glibc.close(socket) }
    }

    /// The port treats attempts so from now on. Connections that were taken stay.
    func set(_ new: State) throws(HTTPEngineError) {
        guard new != state else { return }
        let old = state
        if old == .unanswering { answerAgain() }
        switch new {
        case .refusing: shut()
        case .taking, .queueing, .unanswering: try open()
        }
        state = new
        if new == .unanswering { stopAnswering() }
        watch()
    }

    /// Ends the listener; the port is free.
    func close() {
        if state == .unanswering { answerAgain() }
        shut()
        state = .refusing
        if reservation >= 0 { Glibc.close(reservation) }
        reservation = -1
    }

    // MARK: The socket

    private func open() throws(HTTPEngineError) {
        guard descriptor < 0 else { return }
        if reservation < 0 { reservation = try bound() }
        let new = try bound()
        guard listen(new, Self.queueLength) == 0 else {
            let code = errno
            Glibc.close(new)
            throw refused(code)
        }
        descriptor = new
    }

    /// A socket that has the port.
    private func bound() throws(HTTPEngineError) -> Int32 {
        guard let address = SocketAddress(host: host, port: port) else { throw .badHost(host) }
        let new = Self.makeSocket(address)
        guard new >= 0 else { throw refused(errno) }
        var on: Int32 = 1
        setsockopt(new, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        // Connections inherit it. Set later, it would not hold for the first window they announce.
        if var size = receiveBuffer { setsockopt(new, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        guard address.withPointer({ bind(new, $0, $1) == 0 }),
            let own = SocketAddress.ofSocket(new)
        else {
            let code = errno
            Glibc.close(new)
            throw refused(code)
        }
        port = own.port
        return new
    }

    /// The same for connections from now on.
    func setReceiveBuffer(_ size: Int32) {
        receiveBuffer = size
        var size = size
        if descriptor >= 0 { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    }

    private func shut() {
        guard descriptor >= 0 else { return }
        loop.unwatch(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
        for filler in fillers { Glibc.close(filler) }
        fillers = []
    }

    private static func makeSocket(_ address: SocketAddress) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return socket(Int32(address.family), kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    }

    // MARK: Taking

    private func watch() {
        guard descriptor >= 0 else { return }
        guard state == .taking else { return loop.unwatch(descriptor) }
        loop.watch(descriptor, EventLoop.readable) { [unowned self] _ in takeAll() }
    }

    private func takeAll() {
        // The connection's owner may close this listener, or have it stop.
        while state == .taking, let new = next() {
            Sockets.setNoDelay(new)
            accepted(new)
        }
    }

    /// The next connection of the queue that is none of our own.
    private func next() -> Int32? {
        while descriptor >= 0 {
            let made = SocketAddress.filled { cepoll_accept(descriptor, $0, $1) }
            guard let (peer, new) = made, new >= 0 else {
                waitForDescriptors(errno)
                return nil
            }
            guard let own = fillers.firstIndex(where: { Self.port(of: $0) == peer.port }) else {
                return new
            }
            Sockets.reset(fillers[own])
            Glibc.close(fillers.remove(at: own))
            Glibc.close(new)
        }
        return nil
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        SocketAddress.ofSocket(descriptor)?.port
    }

    /// Without a free descriptor the waiting connection stays where it is, and so does its event.
    private func waitForDescriptors(_ code: Int32) {
        guard code == EMFILE || code == ENFILE else { return }
        loop.unwatch(descriptor)
        loop.realTimer(after: .milliseconds(10)) { [weak self] in self?.watch() }
    }

    // MARK: No answer

    /// The kernel drops attempts for which its queue has no room. Source: Linux, listen(2), and
    /// `tcp_conn_request`. Attempts that succeeded before are taken up first.
    private func stopAnswering() {
        state = .taking
        takeAll()
        guard state == .taking, descriptor >= 0 else { return }
        state = .unanswering
        listen(descriptor, 0)
        loop.time?.attemptsGoUnanswered(true)
        while fillers.count < 4, fill() {}
    }

    /// True when the queue had room for another one.
    private func fill() -> Bool {
        guard let address = SocketAddress(host: host, port: port) else { return false }
        let filler = Self.makeSocket(address)
        guard filler >= 0 else { return false }
        _ = address.withPointer { connect(filler, $0, $1) }
        guard SocketAddress.ofPeer(filler) != nil else {
            Glibc.close(filler)
            return false
        }
        fillers.append(filler)
        return true
    }

    private func answerAgain() {
        loop.time?.attemptsGoUnanswered(false)
        guard descriptor >= 0 else { return }
        listen(descriptor, Self.queueLength)
    }

    private func refused(_ code: Int32) -> HTTPEngineError {
        code == EADDRINUSE
            ? .addressInUse(host: host, port: port)
            : .cannotListen(host: host, port: port, code: code)
    }
}
