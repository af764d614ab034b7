import CEpoll
import EventLoop
import Glibc

/// Non-blocking TCP sockets on the loopback interface.
enum Loopback {
    enum Family: Sendable, CaseIterable {
        case ipv4
        case ipv6

        var number: Int32 { self == .ipv4 ? AF_INET : AF_INET6 }
    }

    private static func socket(_ family: Family) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let fd = Glibc.socket(family.number, type, 0)
        sendAtOnce(fd)
        return fd
    }

    static func listener(_ family: Family, backlog: Int32 = 16) -> (fd: Int32, port: UInt16) {
        let fd = socket(family)
        _ = withAddress(family, port: 0) { bind(fd, $0, $1) }
        _ = listen(fd, backlog)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(fd, $0, &length)
            }
        }
        let port = withUnsafeBytes(of: &storage) {
            UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
        return (fd, port)
    }

    /// Begins to connect.
    static func client(_ family: Family, port: UInt16) -> Int32 {
        let fd = socket(family)
        _ = withAddress(family, port: port) { connect(fd, $0, $1) }
        return fd
    }

    static func accept(_ listener: Int32) -> Int32 {
        let fd = cepoll_accept(listener, nil, nil)
        sendAtOnce(fd)
        return fd
    }

    private static func sendAtOnce(_ fd: Int32) {
        var one: Int32 = 1
        setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    /// A connected pair, made at once.
    static func pair(_ family: Family = .ipv4) -> (client: Int32, server: Int32) {
        let (listener, port) = listener(family)
        let client = client(family, port: port)
        var query = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        poll(&query, 1, 5000)
        defer { close(listener) }
        return (client, accept(listener))
    }

    static func write(_ fd: Int32, _ count: Int) -> Int {
        let bytes = [UInt8](repeating: 1, count: count)
        return send(fd, bytes, count, Int32(MSG_NOSIGNAL))
    }

    /// Bytes read until none are left; -1 at the end of the stream.
    static func drain(_ fd: Int32) -> Int {
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(fd, &buffer, buffer.count, 0)
            if count == 0 { return -1 }
            if count < 0 { return total }
            total += count
        }
    }

    /// Lets the kernel drop every segment for this socket, or no longer.
    static func dropSegments(_ fd: Int32, _ isDropping: Bool) {
        // One instruction of a classic packet filter: return 0 bytes of the packet.
        var program: UInt64 = 0x06
        withUnsafeMutableBytes(of: &program) { code in
            var filter = (UInt64(1), code.baseAddress)
            let length = socklen_t(MemoryLayout.size(ofValue: filter))
            let (attach, detach): (Int32, Int32) = (26, 27)
            setsockopt(fd, SOL_SOCKET, isDropping ? attach : detach, &filter, length)
        }
    }

    private static func withAddress<Result>(
        _ family: Family, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return cast(&address, body)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return cast(&address, body)
        }
    }

    private static func cast<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
