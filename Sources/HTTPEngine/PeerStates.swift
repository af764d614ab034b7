import CEpoll
import Glibc

/// Tells a client that has closed from one that only finished sending: to our end of the connection
/// both look the same, but on this machine the kernel can be asked about the client's end.
///
/// Source: sock_diag(7), `inet_diag_req_v2` with the exact addresses. An end that no process holds any
/// more has no inode.
final class PeerStates {
    enum Answer {
        case present
        case gone
        /// The client is on another machine, or the kernel does not tell.
        case unknown
    }

    private let netlink: Int32

    init() {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        netlink = socket(AF_NETLINK, kind | Int32(SOCK_NONBLOCK.rawValue), 4)
    }

    deinit { if netlink >= 0 { close(netlink) } }

    func peer(of descriptor: Int32) -> Answer {
        guard netlink >= 0, let own = SocketAddress.ofSocket(descriptor) else { return .unknown }
        guard let peer = SocketAddress.ofPeer(descriptor) else { return .gone }
        let query = Self.query(for: peer, connectedTo: own)
        guard send(netlink, query, query.count, 0) == query.count else { return .unknown }
        var answer = [UInt8](repeating: 0, count: 1024)
        let count = recv(netlink, &answer, answer.count, 0)
        guard count >= 20 else { return .unknown }
        let kind = UInt16(answer[4]) | UInt16(answer[5]) << 8
        if kind == Self.byFamily, count >= 88 {
            return answer[84..<88].allSatisfy { $0 == 0 } ? .gone : .present
        }
        // There is no such socket: not on this machine at least.
        let isOurs = peer.isLoopback && peer.hostBytes == own.hostBytes
        return kind == Self.error && isOurs ? .gone : .unknown
    }

    private static let byFamily: UInt16 = 20
    private static let error: UInt16 = 2

    private static func query(for one: SocketAddress, connectedTo other: SocketAddress) -> [UInt8] {
        func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
        }
        let header: [UInt8] =
            [72, 0, 0, 0] + [UInt8(byFamily), 0] + [1, 0] + [UInt8](repeating: 0, count: 8)
        let states = [UInt8](repeating: 0xFF, count: 4)
        let anyCookie = [UInt8](repeating: 0xFF, count: 8)
        let socket = one.portBytes + other.portBytes + padded(one.hostBytes)
        return header + [one.family, UInt8(IPPROTO_TCP), 0, 0] + states + socket
            + padded(other.hostBytes) + [0, 0, 0, 0] + anyCookie
    }
}
