import CEpoll
import EventLoop
import Glibc

/// The engine's own listening socket: it can be closed for a while, and open the same port again.
final class Listener {
    private let host: String
    private(set) var port: UInt16
    private let loop: EventLoop
    private let accepted: (Int32) -> Void
    private var descriptor: Int32 = -1
    private(set) var receiveBuffer: Int32?

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

    /// Listens, on the port of the last time if it was open before.
    func open() throws(HTTPEngineError) {
        guard descriptor < 0 else { return }
        guard let address = SocketAddress(host: host, port: port) else { throw .badHost(host) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let new = socket(Int32(address.family), kind | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard new >= 0 else { throw refused(errno) }
        var on: Int32 = 1
        setsockopt(new, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        // Connections inherit it. Set later, it would not hold for the first window they announce.
        if var size = receiveBuffer { setsockopt(new, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        let isBound = address.withPointer { bind(new, $0, $1) == 0 } && listen(new, 1024) == 0
        guard isBound, let own = SocketAddress.ofSocket(new) else {
            let code = errno
            Glibc.close(new)
            throw refused(code)
        }
        port = own.port
        descriptor = new
        loop.watch(new, EventLoop.readable) { [unowned self] _ in takeAll() }
    }

    /// The same for connections from now on.
    func setReceiveBuffer(_ size: Int32) {
        receiveBuffer = size
        var size = size
        if descriptor >= 0 { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    }

    /// The port refuses connections from now on.
    func close() {
        guard descriptor >= 0 else { return }
        loop.unwatch(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
    }

    private func takeAll() {
        // The connection's owner may close this listener.
        while descriptor >= 0 {
            let new = SocketAddress.filled { cepoll_accept(descriptor, $0, $1) }?.result ?? -1
            if new < 0 { return waitForDescriptors(errno) }
            Sockets.setNoDelay(new)
            accepted(new)
        }
    }

    /// Without a free descriptor the waiting connection stays where it is, and so does its event.
    private func waitForDescriptors(_ code: Int32) {
        guard code == EMFILE || code == ENFILE else { return }
        loop.unwatch(descriptor)
        loop.realTimer(after: .milliseconds(10)) { [weak self] in
            guard let self, descriptor >= 0 else { return }
            loop.watch(descriptor, EventLoop.readable) { [unowned self] _ in takeAll() }
        }
    }

    private func refused(_ code: Int32) -> HTTPEngineError {
        code == EADDRINUSE
            ? .addressInUse(host: host, port: port)
            : .cannotListen(host: host, port: port, code: code)
    }
}
