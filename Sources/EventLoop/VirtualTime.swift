/// A clock that jumps when nobody has work, exactly: over real loopback sockets, in one process.
///
/// Three kinds of work are known:
///   1. items posted to a loop (work, callbacks, Swift jobs): counted from `post` until they ran;
///   2. a loop that is not waiting in epoll: counted;
///   3. bytes, FINs and connections inside the kernel: asked for when 1 and 2 are zero.
/// The last loop that goes to sleep looks at 3. If the kernel still has something for a loop, that
/// loop wakes by itself and the question is asked again later; no thread polls.
///
/// When everything is quiet, the first of these that has something to do does one thing: a finished
/// computation of a worker, the stages by priority, the earliest timer (which moves the clock), and
/// last the report that everything is stuck.
package final class VirtualTime: Sendable {
    /// What a stage found when everybody was idle.
    package enum Idle: Sendable {
        case nothing
        /// Work to be posted to the loop; the clock stands still.
        case post(EventLoop, @Sendable () -> Void)
    }

    /// The order of the stages: a lower one is asked only when every higher one has nothing to do.
    package enum StagePriority: Int, Sendable, Comparable {
        /// Steps of a scenario whose moment has come.
        case steps
        /// Exchanges, and pieces of downloads, that wait to be let in.
        case door

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// Parts that can be switched off, to show that they are needed.
    package struct Weakness: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Does not ask which bytes are under way between two sockets.
        package static let noLedger = Weakness(rawValue: 1)
        /// Does not ask the kernel at all.
        package static let noKernel = Weakness(rawValue: 2)
        /// Asks the stages in the opposite order.
        package static let reversedStages = Weakness(rawValue: 4)
    }

    /// Names a describer, so that it can be removed.
    package struct Describer: Hashable, Sendable { fileprivate let id: Int }

    struct Ticket: Hashable { fileprivate let id: Int }

    private struct Timer {
        let loop: EventLoop
        let action: @Sendable () -> Void
    }

    private struct Stage {
        let priority: StagePriority
        let ask: @Sendable () -> Idle
    }

    private struct Offload {
        let ticket: Ticket
        let loop: EventLoop
        var completion: (@Sendable () -> Void)?
    }

    private struct Description {
        let id: Int
        let name: String
        let lines: @Sendable () -> [String]
    }

    private struct State {
        var now: Int64 = 0
        var active = 0
        var timers = TimerHeap<Timer>()
        /// Timers that moved the clock and whose action has not run.
        var fired: Set<UInt64> = []
        var loops: [EventLoop] = []
        var sockets = SocketLedger()
        var stages: [Stage] = []
        var offloads: [Offload] = []
        var describers: [Description] = []
        var lastID = 0
        var isOver = false
        var deadline = Int64.max
        var whenStuck: (@Sendable (StuckReport) -> Void)?
        var statistics = Statistics()

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }
    }

    package struct Statistics: Hashable, Sendable {
        /// How often everybody was idle, so that the kernel was asked.
        package var looks = 0
        /// How often the kernel still had something.
        package var kernelBusy = 0
        /// How often the clock was moved.
        package var jumps = 0
    }

    private let state = Lock(State())
    private let weakness: Weakness

    package init(weakness: Weakness = []) { self.weakness = weakness }

    /// Nanoseconds since the start of the scenario.
    package var now: Int64 { state.withLock { $0.now } }

    package var statistics: Statistics { state.withLock { $0.statistics } }

    // MARK: Who has a say

    /// Adds a question that is asked when everybody is idle, before the clock may move. Among stages
    /// of one priority the first added is asked first; the first that has something to do does it
    /// alone. It is asked under this clock's lock, while all its loops are asleep: it may look at
    /// what is confined to them, and must not call this clock or `post`.
    package func addStage(
        _ priority: StagePriority = .door, _ stage: @escaping @Sendable () -> Idle
    ) {
        state.withLock { state in
            let place = state.stages.firstIndex { isBehind($0.priority, priority) }
            state.stages.insert(
                Stage(priority: priority, ask: stage), at: place ?? state.stages.endIndex)
        }
    }

    private func isBehind(_ one: StagePriority, _ other: StagePriority) -> Bool {
        weakness.contains(.reversedStages) ? one < other : one > other
    }

    /// The clock is not moved beyond this time: what comes then is the report of `whenStuck`.
    package func setDeadline(_ deadline: Duration) {
        let nanoseconds = EventLoop.nanoseconds(deadline)
        state.withLock { $0.deadline = nanoseconds }
    }

    /// Calls `action` once, on the first loop, when nothing can happen any more.
    package func whenStuck(_ action: @escaping @Sendable (StuckReport) -> Void) {
        state.withLock { $0.whenStuck = action }
    }

    /// Adds somebody who can say what is waited for, in the report that everything is stuck. `lines`
    /// is called like a stage, under this clock's lock, while all its loops are asleep.
    @discardableResult
    package func describe(
        _ name: String, _ lines: @escaping @Sendable () -> [String]
    ) -> Describer {
        state.withLock { state in
            let id = state.newID()
            state.describers.append(Description(id: id, name: name, lines: lines))
            return Describer(id: id)
        }
    }

    package func remove(_ describer: Describer) {
        state.withLock { $0.describers.removeAll { $0.id == describer.id } }
    }

    /// No more stages, no more moves of the clock, and no report: the scenario is over.
    package func finish() { state.withLock { $0.isOver = true } }

    /// Counts work that no loop knows; each call is followed by one of `end`.
    package func begin() { state.withLock { $0.active += 1 } }

    /// Ends what `begin` began.
    package func end() { settle { $0.active -= 1 } }

    // MARK: Loops

    func join(_ loop: EventLoop) {
        state.withLock { state in
            state.loops.append(loop)
            state.active += 1
        }
    }

    func leave(_ loop: EventLoop) {
        settle { state in
            state.loops.removeAll { $0 === loop }
            state.active -= 1
            guard state.loops.isEmpty else { return }
            // Stages, timers and describers hold the loops, and these hold us.
            state.stages = []
            state.timers.removeAll()
            state.offloads = []
            state.describers = []
            state.whenStuck = nil
        }
    }

    func willWait(_ loop: EventLoop) { settle { $0.active -= 1 } }

    func didWake(_ loop: EventLoop) { state.withLock { $0.active += 1 } }

    // MARK: Timers

    func add(
        after nanoseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void
    ) -> UInt64 {
        state.withLock { state in
            let due = state.now.saturatingSum(max(0, nanoseconds))
            return state.timers.add(due: due, Timer(loop: loop, action: action))
        }
    }

    func cancel(_ id: UInt64) {
        state.withLock { state in
            state.timers.cancel(id)
            state.fired.remove(id)
        }
    }

    // MARK: Workers

    func offloadBegan(on loop: EventLoop) -> Ticket {
        state.withLock { state in
            let ticket = Ticket(id: state.newID())
            state.offloads.append(Offload(ticket: ticket, loop: loop, completion: nil))
            return ticket
        }
    }

    func offloadEnded(_ ticket: Ticket, _ completion: @escaping @Sendable () -> Void) {
        settle { state in
            guard let place = state.offloads.firstIndex(where: { $0.ticket == ticket }) else {
                return
            }
            state.offloads[place].completion = completion
        }
    }

    /// The completions of a loop that has no time left to take them up in turn.
    func takeCompletions(of loop: EventLoop) -> [@Sendable () -> Void] {
        state.withLock { state in
            defer { state.offloads.removeAll { $0.loop === loop } }
            return state.offloads.filter { $0.loop === loop }.compactMap(\.completion)
        }
    }

    // MARK: Sockets

    /// The client's end was opened; it need not be connected yet.
    package func clientOpened(_ fd: Int32) { state.withLock { $0.sockets.clientOpened(fd) } }

    /// Call it before the client's end is closed.
    package func clientClosed(_ fd: Int32) { state.withLock { $0.sockets.clientClosed(fd) } }

    /// The server's end was accepted, or goes on under a duplicate descriptor.
    package func serverOpened(_ fd: Int32) { state.withLock { $0.sockets.serverOpened(fd) } }

    /// Call it before the server's end is closed.
    package func serverClosed(_ fd: Int32) { state.withLock { $0.sockets.serverClosed(fd) } }

    /// The server's end sends nothing more, whatever its kernel still has for the client.
    package func serverMuted(_ fd: Int32) { state.withLock { $0.sockets.serverMuted(fd) } }

    /// True: from now on attempts to connect get no answer, so that they are no work under way. False:
    /// those that are left get one now, when the kernel repeats them. Calls with true are counted.
    package func attemptsGoUnanswered(_ isSo: Bool) {
        state.withLock { $0.sockets.attemptsGoUnanswered(isSo) }
    }

    /// Nobody will ever take this client's connection: its attempt is no work under way.
    package func exempt(_ fd: Int32) { state.withLock { $0.sockets.exempt(fd) } }

    // MARK: The question

    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            guard state.active == 0, !state.isOver, !state.loops.isEmpty else { return }
            state.statistics.looks += 1
            switch kernel(&state) {
            case .quiet: proceed(&state)
            case .busy: state.statistics.kernelBusy += 1
            case .undelivered(let connections): reportStuck(&state, .undelivered(connections))
            }
        }
    }

    /// Does the one thing that comes next.
    private func proceed(_ state: inout State) {
        if let first = state.offloads.first {
            guard let completion = first.completion else { return }
            state.offloads.removeFirst()
            return post(&state, first.loop, completion)
        }
        for stage in state.stages {
            if case .post(let loop, let work) = stage.ask() { return post(&state, loop, work) }
        }
        guard let due = state.timers.due else { return reportStuck(&state, .nothingLeft) }
        guard due <= state.deadline else {
            state.now = max(state.now, state.deadline)
            return reportStuck(&state, .deadline)
        }
        guard let timer = state.timers.pop() else { return }
        state.statistics.jumps += 1
        state.now = max(state.now, timer.due)
        state.fired.insert(timer.id)
        let (id, action) = (timer.id, timer.payload.action)
        post(&state, timer.payload.loop) { [self] in
            guard self.state.withLock({ $0.fired.remove(id) != nil }) else { return }
            action()
        }
    }

    private func post(
        _ state: inout State, _ loop: EventLoop, _ work: @escaping @Sendable () -> Void
    ) {
        state.active += 1
        loop.postCounted(work)
    }

    private func reportStuck(_ state: inout State, _ reason: StuckReport.Reason) {
        guard let action = state.whenStuck, let loop = state.loops.first else { return }
        state.whenStuck = nil
        let waits = state.describers.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            .flatMap { describer in describer.lines().map { "\(describer.name): \($0)" } }
        let report = StuckReport(
            reason: reason, time: .nanoseconds(state.now), waits: waits)
        post(&state, loop) { action(report) }
    }

    private func kernel(_ state: inout State) -> SocketLedger.Delivery {
        if weakness.contains(.noKernel) { return .quiet }
        if !weakness.contains(.noLedger) {
            let loops = state.loops
            let delivery = state.sockets.waitUntilDelivered {
                loops.contains { KernelQuestion.isReadable($0.epoll) }
            }
            guard delivery == .quiet else { return delivery }
        }
        // An epoll descriptor can itself be polled: readable means that some event waits in it. With
        // level-triggered watches this stays true until the loop has dealt with the event.
        return state.loops.contains { KernelQuestion.isReadable($0.epoll) } ? .busy : .quiet
    }
}
