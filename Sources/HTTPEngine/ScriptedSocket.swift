import CEpoll
import EventLoop
import Glibc

/// A connection that has left HTTP, driven by the engine's own loop: no thread, any bytes.
final class ScriptedSocket: @unchecked Sendable {
    // Invariant: confined to the loop.
    enum Ending {
        case done
        case clientLeft
        case stopped
    }

    private struct Slices {
        var rest: ArraySlice<UInt8>
        let size: Int
        let gap: Duration
        var isDue = true
    }

    let connection: ConnectionID
    private let descriptor: Int32
    private let loop: EventLoop
    private let peers: PeerStates
    private var steps: [WireStep]
    /// True: after the last step the connection stays as it is until its client leaves.
    private var staysOpen: Bool
    /// The kernel sends nothing more of what it has.
    var isMuted = false
    private var pending: ArraySlice<UInt8> = []
    private var slicing: Slices?
    private var isWaiting = false
    /// Since when the script waits for its client; nil: it does not.
    private var clientAwaited: Int64?
    private var timer: LoopTimer?
    private var watch: PeerWatch?
    private var ended: ((ScriptedSocket, Ending) -> Void)?

    init(
        _ descriptor: Int32, of connection: ConnectionID, on loop: EventLoop, peers: PeerStates,
        steps: [WireStep], staysOpen: Bool = false,
        ended: @escaping (ScriptedSocket, Ending) -> Void
    ) {
        self.connection = connection
        self.descriptor = descriptor
        self.loop = loop
        self.peers = peers
        self.steps = Array(steps.reversed())
        self.staysOpen = staysOpen
        self.ended = ended
    }

    func run() {
        while ended != nil, flush() {
            if takeSlice() {
                if isWaiting { return }
                continue
            }
            guard let step = steps.popLast() else { return atEnd() }
            switch step {
            case .send(let bytes): pending = bytes[...]
            case .slices(let bytes, let size, let gap):
                precondition(size > 0, "slices of no bytes never end")
                slicing = Slices(rest: bytes[...], size: size, gap: gap)
            case .wait(let time): return wait(time)
            case .finishSending: shutdown(descriptor, Int32(SHUT_WR))
            case .drain: return drain()
            case .reset: return reset()
            case .abort:
                Sockets.reset(descriptor)
                return finish(.done)
            case .close: return finish(.done)
            }
        }
    }

    /// Ends the script where it stands.
    func stop() { finish(.stopped) }

    /// Gives the connection to another owner; the script is over and says nothing more.
    func release() -> Int32 {
        forgetWaits()
        ended = nil
        return descriptor
    }

    /// Does nothing more; the connection stays as it is until its client leaves.
    func freeze() {
        guard ended != nil else { return }
        forgetWaits()
        Sockets.mute(descriptor)
        loop.time?.serverMuted(descriptor)
        isMuted = true
        (steps, pending, slicing, staysOpen) = ([], [], nil, true)
        atEnd()
    }

    // MARK: Steps

    /// True when the loop of `run` has to go round or to end because of slices.
    private func takeSlice() -> Bool {
        guard var slices = slicing else { return false }
        if slices.isDue {
            pending = slices.rest.prefix(slices.size)
            slices.rest = slices.rest.dropFirst(slices.size)
            slices.isDue = false
            slicing = slices.rest.isEmpty ? nil : slices
        } else {
            slicing?.isDue = true
            wait(slices.gap)
        }
        return true
    }

    private func wait(_ time: Duration) {
        isWaiting = true
        watch = PeerWatch(descriptor, on: loop, peers: peers) { [unowned self] in
            finish(.clientLeft)
        }
        timer = loop.timer(after: time) { [self] in
            guard ended != nil else { return }
            forgetWaits()
            isWaiting = false
            run()
        }
    }

    /// Ends the connection where its client has not taken what it is sent, or not closed its side after
    /// the end, since a time on the machine's clock.
    func endWait(since limit: Int64) {
        guard let clientAwaited, clientAwaited <= limit else { return }
        Sockets.reset(descriptor)
        finish(.clientLeft)
    }

    private func drain() {
        clientAwaited = EventLoop.monotonic()
        loop.watch(descriptor, EventLoop.readable) { [unowned self] _ in
            guard Self.discard(descriptor) else { return }
            loop.unwatch(descriptor)
            clientAwaited = nil
            run()
        }
    }

    private func reset() {
        guard Sockets.hasUnsent(descriptor) else {
            Sockets.reset(descriptor)
            return finish(.done)
        }
        clientAwaited = EventLoop.monotonic()
        Sockets.makeWritableOnlyWhenSent(descriptor)
        loop.watch(descriptor, EventLoop.writable) { [unowned self] _ in
            loop.unwatch(descriptor)
            Sockets.reset(descriptor)
            finish(.done)
        }
    }

    private func atEnd() {
        guard staysOpen else { return finish(.done) }
        watch = PeerWatch(descriptor, on: loop, peers: peers) { [unowned self] in
            finish(.clientLeft)
        }
    }

    /// Reads and throws away; true at the end of what the client sends.
    static func discard(_ descriptor: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { block in
            // A few blocks a turn, so that a fast sender does not keep the loop to itself.
            for _ in 0..<16 {
                let count = recv(descriptor, block.baseAddress, block.count, 0)
                if count > 0 { continue }
                return count == 0 || (errno != EAGAIN && errno != EINTR)
            }
            return false
        }
    }

    // MARK: Sending

    /// True when nothing is left to send.
    private func flush() -> Bool {
        while !pending.isEmpty {
            let count = pending.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Sockets.noSignal)
            }
            if count >= 0 {
                pending = pending.dropFirst(count)
                clientAwaited = nil
            } else if errno == EAGAIN {
                clientAwaited = clientAwaited ?? EventLoop.monotonic()
                loop.watch(descriptor, EventLoop.writable) { [unowned self] _ in
                    loop.unwatch(descriptor)
                    run()
                }
                return false
            } else if errno != EINTR {
                finish(.clientLeft)
                return false
            }
        }
        return true
    }

    private func forgetWaits() {
        watch?.stop()
        watch = nil
        timer.map(loop.cancel)
        timer = nil
        loop.unwatch(descriptor)
    }

    private func finish(_ ending: Ending) {
        guard let ended else { return }
        forgetWaits()
        self.ended = nil
        // What is held back would never leave, nor would a FIN behind it.
        if isMuted, Sockets.hasUnsent(descriptor) { Sockets.reset(descriptor) }
        loop.time?.serverClosed(descriptor)
        close(descriptor)
        ended(self, ending)
    }
}
