import CEpoll
import Glibc

/// Questions to the kernel about one descriptor, none of which waits.
enum KernelQuestion {
    static func isReadable(_ fd: Int32) -> Bool {
        var query = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, 0) > 0
    }

    struct Address: Hashable {
        var isIPv6: Bool
        var port: UInt16
    }

    /// The address of this end.
    static func local(_ fd: Int32) -> Address? { address(fd, getsockname) }

    /// The address of the other end; nil while it is not connected.
    static func peer(_ fd: Int32) -> Address? { address(fd, getpeername) }

    private static func address(
        _ fd: Int32,
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Address? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(fd, $0, &length) }
        }
        guard result == 0 else { return nil }
        // The port has the same place in both families.
        let family = Int32(storage.ss_family)
        return withUnsafeBytes(of: &storage) { bytes in
            let port = UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
            guard family == AF_INET6 else {
                return family == AF_INET ? Address(isIPv6: false, port: port) : nil
            }
            // A socket for both families sees IPv4 as ::ffff:a.b.c.d.
            let prefix = bytes[8..<20]
            let isMapped = prefix.elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
            return Address(isIPv6: !isMapped, port: port)
        }
    }
}

/// What the kernel says about one end of a TCP connection.
///
/// Source: Linux `include/uapi/linux/tcp.h`, `struct tcp_info`; states as in `net/tcp_states.h`.
struct ConnectionEnd {
    static let established: UInt8 = 1
    static let synSent: UInt8 = 2
    /// FIN-WAIT-1: our FIN is queued or sent, and not acknowledged.
    static let finWait: UInt8 = 4
    /// CLOSE: nothing is left of it, as after a reset.
    static let closed: UInt8 = 7
    /// CLOSE-WAIT: the other end's FIN has come, perhaps behind bytes that are not read yet.
    static let closeWait: UInt8 = 8

    let fd: Int32
    let state: UInt8
    /// Bytes handed to the network, repetitions left out.
    let sent: UInt64
    let received: UInt64
    /// Bytes that wait to be sent.
    let unsent: UInt32

    init?(fd: Int32) {
        let tcpInformation: Int32 = 11
        var bytes = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(bytes.count)
        guard getsockopt(fd, Int32(IPPROTO_TCP), tcpInformation, &bytes, &length) == 0,
            length >= 216
        else { return nil }
        self.fd = fd
        state = bytes[0]
        (received, unsent, sent) = bytes.withUnsafeBytes {
            (
                $0.load(fromByteOffset: 128, as: UInt64.self),
                $0.load(fromByteOffset: 144, as: UInt32.self),
                $0.load(fromByteOffset: 200, as: UInt64.self)
                    &- $0.load(fromByteOffset: 208, as: UInt64.self)
            )
        }
    }

    /// Sent and not yet there; or waiting to be sent although the other end has room for it. (A FIN
    /// counts as one received byte, hence `>`.)
    func isInFlight(to other: ConnectionEnd) -> Bool {
        guard other.state == Self.established || state == Self.established else { return false }
        if sent > other.received { return true }
        let finIsDue = state == Self.finWait && unsent == 0 && other.state == Self.established
        if finIsDue { return true }
        return unsent > 0 && cepoll_readable(other.fd) == 0
    }

    /// The other end was closed, and this one has not heard of it.
    var awaitsEnd: Bool { state == Self.established && cepoll_readable(fd) == 0 }
}

extension EventLoop {
    /// Whether the other end of a connection has closed its side, also where what it sent before that
    /// is not read yet. False for what is no TCP connection.
    package static func isClosedByPeer(_ fd: Int32) -> Bool {
        let state = ConnectionEnd(fd: fd)?.state
        return state == ConnectionEnd.closeWait || state == ConnectionEnd.closed
    }
}
