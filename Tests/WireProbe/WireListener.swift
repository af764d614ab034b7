import CEpoll
import Glibc

/// A raw, blocking listener: the scripted peer of a client under test. For one thread at a time.
package final class WireListener {
    private let fd: Int32
    private let deadline: Duration
    /// The port that the kernel gave.
    package let port: UInt16

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - backlog: connections that the kernel completes before they are accepted.
    ///   - deadline: the longest that `accept`, and any call of the probes it gives, waits.
    package init(
        host: WireHost = .ipv4, port wanted: UInt16 = 0, backlog: Int32 = 16,
        deadline: Duration = .seconds(5)
    ) throws(WireError) {
        fd = socket(host.family, Int32(SOCK_STREAM.rawValue), 0)
        self.deadline = deadline
        guard fd >= 0 else { throw .system("socket") }
        let fd = fd
        guard host.withAddress(port: wanted, { bind(fd, $0, $1) }) == 0 else {
            throw .system("bind")
        }
        guard listen(fd, backlog) == 0 else { throw .system("listen") }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
        }
        guard result == 0 else { throw .system("getsockname") }
        port = withUnsafeBytes(of: &storage) {
            UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    deinit { close(fd) }

    /// Waits for a connection.
    package func accept() throws(WireError) -> WireProbe {
        guard WireDeadline(deadline).wait(for: POLLIN, on: fd) else {
            throw .deadline("a connection")
        }
        let connection = Glibc.accept(fd, nil, nil)
        guard connection >= 0 else { throw .system("accept") }
        return WireProbe(fd: connection, deadline: deadline)
    }
}
