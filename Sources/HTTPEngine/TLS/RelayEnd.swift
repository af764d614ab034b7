import EventLoop
import Glibc

/// One of the two sockets of a relay, and for what it is watched.
struct RelayEnd {
    let descriptor: Int32
    /// The kernel takes no bytes for now.
    var isBlocked = false
    /// Both directions are closed, or it was reset: the kernel says so again and again.
    var isHungUp = false
    private var interest: UInt32?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// True when the peer has reset it. Tells it once.
    var isBroken: Bool {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) != 0 || code != 0
    }

    /// Watches for what is wanted now, and for failures.
    mutating func watch(
        on loop: EventLoop, _ wanted: UInt32, _ action: @escaping (UInt32) -> Void
    ) {
        if wanted == 0, isHungUp {
            if interest != nil { loop.unwatch(descriptor) }
            interest = nil
        } else if wanted != interest {
            interest = wanted
            loop.watch(descriptor, wanted, action)
        }
    }
}
