import CEpoll
import Glibc

/// Two ends of a TCP connection inside this process, non-blocking and without delay.
///
/// A socket pair of the local domain would be simpler, but knows no RST, no half-close that is told
/// apart from an end, and no peer address: all of which the engine works with.
struct LoopbackPair {
    /// What the engine gets in place of its client's connection.
    let engine: Int32
    /// What the relay keeps.
    let relay: Int32

    /// Strangers that may come first, and how long the kernel may take: both do not happen unless
    /// somebody on this machine means harm, or it is badly overloaded.
    private static let strangers = 64
    private static let patience: Int32 = 1000

    /// Makes a pair over a listener that is gone when this returns; nil where the machine has no
    /// descriptors or ports left.
    ///
    /// - Parameters:
    ///   - engineBuffer: bytes that the kernel keeps for the engine to read; nil: as it likes.
    ///   - relayBuffer: bytes that it keeps for the relay: what the engine has sent and the client
    ///     has not got.
    init?(engineBuffer: Int32?, relayBuffer: Int32) {
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { return nil }
        let listener = Self.makeSocket(buffer: engineBuffer)
        guard listener >= 0 else { return nil }
        defer { close(listener) }
        let relay = Self.makeSocket(buffer: relayBuffer)
        guard relay >= 0 else { return nil }
        guard address.withPointer({ bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0,
            let place = SocketAddress.ofSocket(listener),
            Self.connect(relay, to: place), let own = SocketAddress.ofSocket(relay),
            let engine = Self.accept(own, on: listener)
        else {
            close(relay)
            return nil
        }
        Sockets.setNoDelay(engine)
        Sockets.setNoDelay(relay)
        self.engine = engine
        self.relay = relay
    }

    private static func makeSocket(buffer: Int32?) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let made = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
        // Accepted connections inherit it from their listener.
        if made >= 0, var size = buffer { setsockopt(made, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        return made
    }

    private static func connect(_ relay: Int32, to place: SocketAddress) -> Bool {
        place.withPointer { Glibc.connect(relay, $0, $1) } == 0 || errno == EINPROGRESS
    }

    /// Takes the one connection that is ours, whoever else has come.
    private static func accept(_ own: SocketAddress, on listener: Int32) -> Int32? {
        for _ in 0..<strangers {
            var query = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&query, 1, patience) > 0 else { return nil }
            guard let found = SocketAddress.filled(by: { cepoll_accept(listener, $0, $1) })
            else { continue }
            let isOurs =
                found.address.portBytes == own.portBytes
                && found.address.hostBytes == own.hostBytes
            if isOurs { return found.result }
            close(found.result)
        }
        return nil
    }
}
