import CEpoll
import CMicroHTTPD
import Glibc

/// The few socket calls that several parts need.
enum Sockets {
    /// TCP_NOTSENT_LOWAT: with 1, a socket is writable only when nothing of it is unsent.
    private static let notSentLowWater: Int32 = 25

    /// MSG_NOSIGNAL. By its own name it is found in debug builds alone where libmicrohttpd's headers are
    /// imported beside it.
    static let noSignal: Int32 = 0x4000

    static func setNoDelay(_ descriptor: Int32) { set(descriptor, TCP_NODELAY, 1) }

    /// Bytes that the peer has acknowledged and that came from it, since the connection began; nil
    /// where the kernel does not tell. Source: `struct tcp_info` of linux/tcp.h.
    static func progress(_ descriptor: Int32) -> (acknowledged: UInt64, received: UInt64)? {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { room in
            var length = socklen_t(room.count)
            let kind = Int32(IPPROTO_TCP)
            guard getsockopt(descriptor, kind, TCP_INFO, room.baseAddress, &length) == 0,
                length >= 136
            else { return nil }
            return (
                room.load(fromByteOffset: 120, as: UInt64.self),
                room.load(fromByteOffset: 128, as: UInt64.self)
            )
        }
    }

    /// From now on EPOLLOUT means that everything was handed to the network.
    static func makeWritableOnlyWhenSent(_ descriptor: Int32) {
        set(descriptor, notSentLowWater, 1)
    }

    static func hasUnsent(_ descriptor: Int32) -> Bool { cepoll_unsent(descriptor) > 0 }

    /// The kernel sends nothing more of what it was given, but for a segment that is on its way: at one
    /// byte a second the next one is not due within hours. Source: Linux, socket(7), SO_MAX_PACING_RATE.
    static func mute(_ descriptor: Int32) {
        let maximalPacingRate: Int32 = 47
        var rate: UInt32 = 1
        setsockopt(descriptor, SOL_SOCKET, maximalPacingRate, &rate, 4)
    }

    /// A further descriptor of the same connection, closed on exec; -1 when there are no more.
    static func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// RST at once, whatever other descriptors the connection has. The descriptor stays open.
    static func reset(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Two ends of a connection inside this process.
    struct Pair {
        let near: Int32
        let far: Int32

        static let none = Pair(near: -1, far: -1)
    }

    /// `Pair.none` when there are no more descriptors.
    static func makePair() -> Pair {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0 else {
            return .none
        }
        return Pair(near: pair[0], far: pair[1])
    }

    /// A socket whose peer is gone: it reads as ended, and nothing written to it arrives.
    static func makeDead() -> Int32 {
        let pair = makePair()
        if pair.far >= 0 { close(pair.far) }
        return pair.near
    }

    private static func set(_ descriptor: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
