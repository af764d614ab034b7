import EventLoop
import Glibc

/// Looks for the leaving of a client whose connection nobody reads.
///
/// A client that only finished sending stays: it waits for its answer. It may still leave later, and
/// that sends nothing, so the kernel is asked again now and then, in wall time.
final class PeerWatch: @unchecked Sendable {
    // Invariant: confined to the loop.
    private static let failed = EventLoop.failed | EventLoop.hungUp

    private let loop: EventLoop
    private let descriptor: Int32
    private let peers: PeerStates
    private let clientLeft: () -> Void
    private var timer: LoopTimer?
    private var nextLook = Duration.milliseconds(1)

    /// - Parameter clientLeft: called at most once, after the watch has ended.
    init(
        _ descriptor: Int32, on loop: EventLoop, peers: PeerStates,
        clientLeft: @escaping () -> Void
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.peers = peers
        self.clientLeft = clientLeft
        loop.watch(descriptor, EventLoop.peerClosed) { [unowned self] in changed($0) }
    }

    func stop() {
        loop.unwatch(descriptor)
        timer.map(loop.cancel)
        timer = nil
    }

    private func changed(_ events: UInt32) {
        if events & Self.failed != 0 { return leave() }
        look()
    }

    private func look() {
        timer = nil
        switch peers.peer(of: descriptor) {
        case .gone: leave()
        case .present:
            onlyFailures()
            timer = loop.realTimer(after: nextLook) { [unowned self] in look() }
            nextLook = min(nextLook * 4, .seconds(1))
        case .unknown: onlyFailures()
        }
    }

    /// The end of its sending was seen, and would be told again and again.
    private func onlyFailures() {
        loop.watch(descriptor, 0) { [unowned self] in changed($0) }
    }

    private func leave() {
        stop()
        clientLeft()
    }
}
