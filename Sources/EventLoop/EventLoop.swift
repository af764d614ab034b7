import CEpoll
import Glibc

/// One thread with one level-triggered epoll: descriptors, work from other threads, timers, and Swift
/// concurrency (the loop is a serial executor for actors and a task executor for tasks).
///
/// Every piece of work posted here is counted with the loop's `VirtualTime`, if it has one, so that
/// "nobody has anything to do" is a fact and not a guess.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Invariant: the fields under "loop thread" are touched on the loop's thread alone, or before
    // `start`; everything else is constant or guards itself.

    /// Interest and event: bytes, a connection or an end of stream can be read (EPOLLIN).
    package static let readable: UInt32 = 0x001
    /// Interest and event: there is room to write (EPOLLOUT).
    package static let writable: UInt32 = 0x004
    /// Event: the descriptor is broken, or the kernel refused to watch it (EPOLLERR).
    package static let failed = Watchers.failed
    /// Event: both directions are closed (EPOLLHUP).
    package static let hungUp: UInt32 = 0x010
    /// Interest and event: the peer has closed or shut down its sending side (EPOLLRDHUP).
    package static let peerClosed: UInt32 = 0x2000

    /// The scenario's virtual clock; nil in wall time.
    package let time: VirtualTime?
    let worker = CountedWorker()
    let epoll: Int32
    private let birth = Lock(EventLoop.monotonic())
    private let inbox: LoopInbox
    private let thread = Lock<LoopThread?>(nil)

    // Loop thread.
    private var watchers: Watchers
    private var realTimers = TimerHeap<() -> Void>()
    private var components: [any LoopComponent] = []
    private var batch: [LoopInbox.Item] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 64)
    private var worstLateness: Int64 = 0
    private(set) var isStopping = false
    var sleepers: [ObjectIdentifier: Sleeper] = [:]

    /// Makes a loop that is not yet running; work may be posted to it already.
    ///
    /// - Parameter time: the virtual clock that it shares; nil for wall time.
    /// - Throws: `LoopError` when the machine has no descriptor left.
    package init(time: VirtualTime? = nil) throws(LoopError) {
        let inbox = try LoopInbox()
        var watchers = try Watchers()
        watchers.watch(inbox.bell, Self.readable) { _ in inbox.silence() }
        self.time = time
        self.inbox = inbox
        self.watchers = watchers
        epoll = watchers.epoll
    }

    deinit { close(epoll) }

    // MARK: From any thread

    /// Starts the loop's thread; once.
    ///
    /// - Throws: `LoopError` when the machine has no thread left.
    package func start() throws(LoopError) {
        time?.join(self)
        do throws(LoopError) {
            let made = try LoopThread { [self] in run() }
            thread.withLock { $0 = made }
        } catch {
            time?.leave(self)
            throw error
        }
    }

    /// Ends the loop and joins its thread; not from the loop itself. A second call does nothing.
    ///
    /// Work posted before runs, and so does what that work posts. Sleeping tasks wake up with false.
    /// Timers never fire any more, watches are forgotten (their descriptors stay open: they belong
    /// to whoever opened them). Work posted later is dropped; jobs of actors and tasks still run, one
    /// at a time, on a thread of their own, so that an actor can be asked after the end.
    package func stop() {
        precondition(!isCurrent, "a loop cannot wait for its own end")
        guard let thread = thread.withLock({ $0.take() }) else { return }
        post { [self] in isStopping = true }
        thread.join()
    }

    /// Runs `work` on the loop, after everything posted before it.
    package func post(_ work: @escaping @Sendable () -> Void) {
        time?.begin()
        append(.work(work))
    }

    /// Runs `work` at once if this is the loop's thread, else posts it.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { post(work) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        time?.begin()
        append(.job(UnownedJob(job)))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() { precondition(isCurrent, "not on the loop's thread") }

    /// True on the loop's thread.
    package var isCurrent: Bool { LoopThread.owner == Unmanaged.passUnretained(self).toOpaque() }

    /// The scenario's clock: virtual where there is one, else monotonic time since the loop was made
    /// or `restartClock` was called.
    package var now: Duration {
        .nanoseconds(time?.now ?? (Self.monotonic() - birth.withLock { $0 }))
    }

    /// In wall time the scenario's clock begins anew at zero; timers that are set stay as they are.
    package func restartClock() { birth.withLock { $0 = Self.monotonic() } }

    /// The machine's monotonic clock in nanoseconds, for waits on the kernel and for measuring.
    package static func monotonic() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// For `VirtualTime`, which has counted the item already.
    func postCounted(_ work: @escaping @Sendable () -> Void) { append(.work(work)) }

    private func append(_ item: LoopInbox.Item) {
        switch inbox.append(item) {
        case .taken: break
        case .ended: time?.end()
        case .endedAndIdle: drainAfterEnd()
        }
    }

    // MARK: On the loop's thread

    /// Calls `action` with the ready events until `unwatch`, as long as they last (level-triggered).
    /// Replaces an earlier watch of `fd`. Where the kernel refuses, `action` is called once with
    /// `failed` on the loop's next turn.
    package func watch(_ fd: Int32, _ interest: UInt32, _ action: @escaping (UInt32) -> Void) {
        watchers.watch(fd, interest, action)
    }

    /// Ends a watch, before the descriptor is closed; one that there is not is left alone.
    package func unwatch(_ fd: Int32) { watchers.unwatch(fd) }

    /// A wall-clock timer: for the C libraries and for waits on the kernel, never for scenario time
    /// (the virtual clock jumps without waiting for it).
    @discardableResult
    package func realTimer(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
        let due = Self.monotonic().saturatingSum(max(0, Self.nanoseconds(delay)))
        return LoopTimer(real: realTimers.add(due: due, action))
    }

    /// A timer on the scenario's clock: virtual where there is one, else the wall clock.
    /// Equal deadlines fire in the order of their setting; a delay below zero counts as zero.
    @discardableResult
    package func timer(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> LoopTimer {
        guard let time else { return realTimer(after: delay, action) }
        return LoopTimer(virtual: time.add(after: Self.nanoseconds(delay), on: self, action))
    }

    /// Cancels a timer whose action has not run; any other is left alone.
    package func cancel(_ timer: LoopTimer) {
        switch timer.kind {
        case .real(let id): realTimers.cancel(id)
        case .virtual(let id): time?.cancel(id)
        }
    }

    /// Gives the component a turn whenever the loop comes round.
    package func add(_ component: any LoopComponent) { components.append(component) }

    package func remove(_ component: any LoopComponent) {
        components.removeAll { $0 === component }
    }

    /// By how much the latest wall-clock timer was fired too late since the last call.
    package func takeWorstLateness() -> Duration {
        defer { worstLateness = 0 }
        return .nanoseconds(worstLateness)
    }

    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return product.saturatingSum(attoseconds / 1_000_000_000)
    }

    // MARK: The thread

    private func run() {
        LoopThread.mark(self)
        while true {
            runInbox()
            if isStopping { break }
            waitForEvents(nanoseconds: prepare())
        }
        end()
    }

    private func end() {
        worker.stop()
        for completion in time?.takeCompletions(of: self) ?? [] { completion() }
        for sleeper in Array(sleepers.values) { wake(sleeper, finished: false) }
        // What the woken tasks and the last works post; a chain without end is left to itself.
        for _ in 0..<10_000 where !inbox.isEmpty { runInbox() }
        watchers.removeAll()
        realTimers.removeAll()
        components.removeAll()
        time?.leave(self)
        if inbox.end() { drainAfterEnd() }
    }

    /// Somebody has to run the jobs that come after the end. Touches nothing of the loop's own.
    private func drainAfterEnd() {
        let late = try? LoopThread { [self] in
            LoopThread.mark(self)
            var items: [LoopInbox.Item] = []
            repeat {
                items.removeAll()
                inbox.take(into: &items)
                for item in items { run(item) }
            } while !items.isEmpty
        }
        late?.detach()
    }

    private func runInbox() {
        inbox.take(into: &batch)
        for item in batch { run(item) }
        batch.removeAll(keepingCapacity: true)
    }

    private func run(_ item: LoopInbox.Item) {
        switch item {
        case .work(let work): work()
        case .job(let job):
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        time?.end()
    }

    /// Fires wall-clock timers, lets the components work; nanoseconds until the next need, or nil.
    private func prepare() -> Int64? {
        var wait: Int64?
        func atMost(_ limit: Int64) { wait = min(wait ?? limit, limit) }
        let now = Self.monotonic()
        while let due = realTimers.due, due <= now {
            worstLateness = max(worstLateness, now - due)
            realTimers.pop()?.payload()
        }
        for component in components { component.runOnce().map(atMost) }
        if let due = realTimers.due { atMost(max(0, due - Self.monotonic())) }
        if watchers.hasRefusals || !inbox.isEmpty { wait = 0 }
        return wait
    }

    private func waitForEvents(nanoseconds: Int64?) {
        let sleeps = nanoseconds != 0
        if sleeps { time?.willWait(self) }
        let count = Self.wait(epoll, &events, nanoseconds)
        if sleeps { time?.didWake(self) }
        for index in 0..<count {
            let event = events[index]
            watchers.action(for: event)?(event.events)
        }
        for action in watchers.takeRefusals() { action(Self.failed) }
    }

    /// Waits for events; returns how many there are, none also when a signal came.
    private static func wait(
        _ epoll: Int32, _ events: inout [epoll_event], _ nanoseconds: Int64?
    ) -> Int {
        let capacity = Int32(events.count)
        guard let nanoseconds else {
            return max(0, Int(cepoll_wait(epoll, &events, capacity, nil)))
        }
        var limit = timespec()
        limit.tv_sec = Int(nanoseconds / 1_000_000_000)
        limit.tv_nsec = Int(nanoseconds % 1_000_000_000)
        return max(0, Int(cepoll_wait(epoll, &events, capacity, &limit)))
    }
}

extension Int64 {
    /// The sum, or the nearest number there is.
    func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
