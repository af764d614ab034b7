import CEpoll
import Glibc

/// The descriptors that a loop watches, level-triggered. On the loop's thread.
struct Watchers {
    private struct Watcher {
        let generation: UInt32
        let action: (UInt32) -> Void
    }

    static let failed: UInt32 = 0x008

    let epoll: Int32
    private var watchers: [Int32: Watcher] = [:]
    private var refused: [Int32] = []
    private var generation: UInt32 = 0

    init() throws(LoopError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw LoopError(call: "epoll_create1", number: errno) }
    }

    /// True while some refusal waits to be told.
    var hasRefusals: Bool { !refused.isEmpty }

    mutating func watch(
        _ fd: Int32, _ interest: UInt32, _ action: @escaping (UInt32) -> Void
    ) {
        // An event that was fetched for an earlier watch of the same number must not reach this one.
        generation &+= 1
        let known = watchers.updateValue(
            Watcher(generation: generation, action: action), forKey: fd)
        var event = epoll_event()
        event.events = interest
        event.data.u64 = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd))
        if known != nil {
            if epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0 { return }
            // The descriptor was closed without `unwatch`, and its number came back.
        }
        if epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0 { refused.append(fd) }
    }

    /// True when it was watched.
    mutating func unwatch(_ fd: Int32) {
        guard watchers.removeValue(forKey: fd) != nil else { return }
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event)
    }

    /// The action for an event, unless the watch has ended or was replaced since.
    func action(for event: epoll_event) -> ((UInt32) -> Void)? {
        let fd = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
        guard let watcher = watchers[fd],
            watcher.generation == UInt32(truncatingIfNeeded: event.data.u64 >> 32)
        else { return nil }
        return watcher.action
    }

    /// The actions of the watches that the kernel refused since the last call.
    mutating func takeRefusals() -> [(UInt32) -> Void] {
        defer { refused.removeAll() }
        return refused.compactMap { watchers[$0]?.action }
    }

    mutating func removeAll() {
        for fd in Array(watchers.keys) { unwatch(fd) }
        refused.removeAll()
    }
}
