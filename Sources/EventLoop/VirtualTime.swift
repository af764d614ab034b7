// A clock that jumps when nobody has work, exactly: over real loopback sockets, in one process.
//
// Three kinds of work are known:
//   1. items posted to a loop (commands, callbacks, Swift jobs): counted from `post` until they ran;
//   2. a loop that is not waiting in epoll: counted;
//   3. bytes, FINs and connections inside the kernel: asked for when 1 and 2 are zero.
// The last loop that goes to sleep looks at 3. If the kernel still has something for a loop, that loop
// will wake by itself and the question is asked again later; no thread polls.
import CEpoll
import Glibc

package final class VirtualTime: Sendable {
    struct Timer {
        let loop: EventLoop
        let action: @Sendable () -> Void
    }

    struct State {
        var now: Int64 = 0
        var active = 0
        var timers = TimerHeap<Timer>()
        var loops: [EventLoop] = []
        var sockets = SocketLedger()
        var stages: [@Sendable () -> Idle] = []
        var stopped = false
        var onStuck: (@Sendable () -> Void)?
        var looks = 0
        var kernelBusy = 0
        var jumps = 0
    }

    /// What a stage found when everybody was idle.
    package enum Idle: Sendable {
        case nothing
        /// Work to be posted; the clock stands still.
        case post(EventLoop, @Sendable () -> Void)
    }

    let state = Lock(State())

    /// How much of the kernel is asked: all of it, or less to show that it is needed.
    package enum KernelCheck: Sendable { case full, readinessOnly, none }

    private let kernelCheck: KernelCheck

    package init(kernelCheck: KernelCheck = .full) { self.kernelCheck = kernelCheck }

    /// Nanoseconds since the start of the scenario.
    package var now: Int64 { state.withLock { $0.now } }

    /// Looks at the kernel, how often it was busy, and jumps of the clock.
    package var statistics: (looks: Int, kernelBusy: Int, jumps: Int) {
        state.withLock { ($0.looks, $0.kernelBusy, $0.jumps) }
    }

    /// Adds a question asked when everybody is idle, before the clock may jump. Stages are asked in
    /// the order of addition, and the first that has something to do does it alone.
    package func addStage(_ stage: @escaping @Sendable () -> Idle) {
        state.withLock { $0.stages.append(stage) }
    }

    /// Called, under the lock, when nobody has work and no timer is left: a deadlock, at once.
    package func whenStuck(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onStuck = action }
    }

    /// No more stages and no more jumps: the scenario is over.
    package func finish() { state.withLock { $0.stopped = true } }

    package func begin() { state.withLock { $0.active += 1 } }

    package func end() { settle { $0.active -= 1 } }

    func join(_ loop: EventLoop) { state.withLock { $0.loops.append(loop) } }

    func leave(_ loop: EventLoop) {
        settle { state in
            state.loops.removeAll { $0 === loop }
            state.active -= 1
            guard state.loops.isEmpty else { return }
            // Stages and timers hold the loops, and these hold us.
            state.stages = []
            state.timers = TimerHeap()
            state.onStuck = nil
        }
    }

    func willWait(_ loop: EventLoop) { settle { $0.active -= 1 } }

    func didWake(_ loop: EventLoop) { state.withLock { $0.active += 1 } }

    func add(
        after nanoseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.timers.add(due: state.now + nanoseconds, Timer(loop: loop, action: action))
        }
    }

    func cancel(_ id: UInt64) { state.withLock { $0.timers.cancel(id) } }

    // MARK: Sockets

    /// The client's end was opened; its port becomes known when it is connected.
    package func clientOpened(_ fd: Int32) { state.withLock { $0.sockets.clientOpened(fd) } }
    package func clientClosed(_ fd: Int32) { state.withLock { $0.sockets.clientClosed(fd) } }
    package func serverOpened(_ fd: Int32) { state.withLock { $0.sockets.serverOpened(fd) } }
    package func serverClosed(_ fd: Int32) { state.withLock { $0.sockets.serverClosed(fd) } }

    // MARK: The question

    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            guard state.active == 0, !state.stopped, !state.loops.isEmpty else { return }
            state.looks += 1
            guard kernelIsQuiet(&state) else {
                state.kernelBusy += 1
                return
            }
            for stage in state.stages {
                if case .post(let loop, let work) = stage() {
                    state.active += 1
                    loop.postCounted(work)
                    return
                }
            }
            guard let timer = state.timers.pop() else {
                state.onStuck?()
                return
            }
            state.jumps += 1
            state.now = max(state.now, timer.due)
            state.active += 1
            timer.payload.loop.postCounted(timer.payload.action)
        }
    }

    private func kernelIsQuiet(_ state: inout State) -> Bool {
        if kernelCheck == .none { return true }
        if kernelCheck == .full {
            let isDelivered = state.sockets.waitUntilDelivered {
                state.loops.contains(where: Self.isReady)
            }
            guard isDelivered else { return false }
        }
        return !state.loops.contains(where: Self.isReady)
    }

    /// An epoll descriptor can itself be polled: readable means that some event waits in it. With
    /// level-triggered watches this stays true until the loop has dealt with the event.
    private static func isReady(_ loop: EventLoop) -> Bool {
        var query = pollfd(fd: loop.epoll, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, 0) > 0
    }
}
