import Glibc

/// An IPv4 or IPv6 address and port, as the kernel wants it.
struct SocketAddress {
    private(set) var storage = sockaddr_storage()
    private(set) var length: socklen_t

    /// Nil for a host that is no numeric address (and not `localhost`).
    init?(host: String, port: UInt16) {
        let host = host == "localhost" ? "127.0.0.1" : host
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { storage in
                withUnsafeBytes(of: &four) { storage.copyMemory(from: $0) }
            }
        } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { storage in
                withUnsafeBytes(of: &six) { storage.copyMemory(from: $0) }
            }
        } else {
            return nil
        }
    }

    private init() { length = socklen_t(MemoryLayout<sockaddr_storage>.size) }

    /// The address that `call` (`getsockname`, `getpeername`, `accept`) fills in; nil where it fails.
    static func filled(
        by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (address: SocketAddress, result: Int32)? {
        var address = SocketAddress()
        var length = address.length
        let result = withUnsafeMutablePointer(to: &address.storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        address.length = length
        return result < 0 ? nil : (address, result)
    }

    static func ofSocket(_ descriptor: Int32) -> SocketAddress? {
        filled { getsockname(descriptor, $0, $1) }?.address
    }

    static func ofPeer(_ descriptor: Int32) -> SocketAddress? {
        filled { getpeername(descriptor, $0, $1) }?.address
    }

    var family: UInt8 { UInt8(truncatingIfNeeded: storage.ss_family) }

    /// In the order of the wire.
    var portBytes: [UInt8] { bytes(in: 2..<4) }

    var port: UInt16 { UInt16(portBytes[0]) << 8 | UInt16(portBytes[1]) }

    /// 4 or 16 bytes.
    var hostBytes: [UInt8] { bytes(in: family == UInt8(AF_INET6) ? 8..<24 : 4..<8) }

    var isLoopback: Bool {
        family == UInt8(AF_INET)
            ? hostBytes[0] == 127 : hostBytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    private func bytes(in range: Range<Int>) -> [UInt8] {
        withUnsafeBytes(of: storage) { Array($0[range]) }
    }
}
