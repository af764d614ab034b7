// One thread, one level-triggered epoll: file descriptors, commands from other threads, timers, and
// Swift concurrency jobs (the loop is a serial executor for actors and a task executor for tasks).
//
// Every piece of work that is posted here is counted with the loop's `VirtualTime`, if it has one, so
// that "nobody has anything to do" is a fact and not a guess.
import CEpoll
import Glibc

package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Invariant: the fields under "loop thread" are touched on the loop's thread alone, or before
    // `start` and after `stop`; everything else is a constant or behind `inbox`.
    private enum Item {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private struct Inbox {
        var items: [Item] = []
        var signalled = false
        var stopping = false
    }

    package static let readable: UInt32 = 0x001
    package static let writable: UInt32 = 0x004
    /// The peer has closed or shut down its sending side (EPOLLRDHUP).
    package static let peerClosed: UInt32 = 0x2000

    package let time: VirtualTime?
    let epoll: Int32
    private let doorbell: Int32
    private let birth = EventLoop.monotonic()
    private let inbox = Lock(Inbox())

    // Loop thread.
    private var thread = pthread_t()
    private var watchers: [Int32: (UInt32) -> Void] = [:]
    private var realTimers = TimerHeap<() -> Void>()
    private var components: [any LoopComponent] = []
    private var batch: [Item] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 64)

    package init(time: VirtualTime? = nil) {
        self.time = time
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        doorbell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        var event = epoll_event()
        event.events = Self.readable
        event.data.fd = doorbell
        epoll_ctl(epoll, EPOLL_CTL_ADD, doorbell, &event)
        time?.join(self)
    }

    deinit {
        close(doorbell)
        close(epoll)
    }

    // MARK: From any thread

    package func start() {
        let me = Unmanaged.passRetained(self).toOpaque()
        time?.begin()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, me)
    }

    /// Ends the loop after the work that was posted before, and joins its thread.
    package func stop() {
        post { [self] in inbox.withLock { $0.stopping = true } }
        pthread_join(thread, nil)
    }

    /// Runs `work` on the loop, after everything posted before it.
    package func post(_ work: @escaping @Sendable () -> Void) { append(.work(work)) }

    package func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() { precondition(isCurrent, "not on the loop's thread") }

    package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    private func append(_ item: Item) {
        time?.begin()
        appendCounted(item)
    }

    /// For `VirtualTime`, which has counted the item already.
    func postCounted(_ work: @escaping @Sendable () -> Void) { appendCounted(.work(work)) }

    private func appendCounted(_ item: Item) {
        let ring = inbox.withLock { inbox in
            inbox.items.append(item)
            defer { inbox.signalled = true }
            return !inbox.signalled
        }
        if ring {
            var one: UInt64 = 1
            write(doorbell, &one, 8)
        }
    }

    // MARK: On the loop's thread

    /// Calls `action` with the ready events until `unwatch`. Replaces an earlier watch of `fd`.
    package func watch(_ fd: Int32, _ interest: UInt32, _ action: @escaping (UInt32) -> Void) {
        var event = epoll_event()
        event.events = interest
        event.data.fd = fd
        let known = watchers.updateValue(action, forKey: fd) != nil
        epoll_ctl(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event)
    }

    package func unwatch(_ fd: Int32) {
        guard watchers.removeValue(forKey: fd) != nil else { return }
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event)
    }

    /// A wall-clock timer: for the C libraries and for waits on the kernel, never for scenario time.
    @discardableResult
    package func realTimer(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
        LoopTimer(real: realTimers.add(due: Self.monotonic() + Self.nanoseconds(delay), action))
    }

    /// A timer on the scenario's clock: virtual where there is one, else the wall clock.
    /// Equal deadlines fire in the order of their setting. Call it on the loop.
    @discardableResult
    package func timer(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> LoopTimer {
        guard let time else { return realTimer(after: delay, action) }
        return LoopTimer(virtual: time.add(after: Self.nanoseconds(delay), on: self, action))
    }

    /// Cancels a timer that has not fired; one that has fired is left alone. Call it on the loop.
    package func cancel(_ timer: LoopTimer) {
        switch timer.kind {
        case .real(let id): realTimers.cancel(id)
        case .virtual(let id): time?.cancel(id)
        }
    }

    /// The scenario's clock: virtual where there is one, else monotonic time since the loop was made.
    package var now: Duration {
        .nanoseconds(time?.now ?? (Self.monotonic() - birth))
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    package func add(_ component: any LoopComponent) { components.append(component) }

    package func remove(_ component: any LoopComponent) {
        components.removeAll { $0 === component }
    }

    package static func monotonic() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    private func run() {
        thread = pthread_self()
        while true {
            let stopping = runInbox()
            let wait = prepare()
            if stopping { break }
            waitForEvents(nanoseconds: wait)
        }
        time?.leave(self)
    }

    /// Returns true when the loop was told to stop.
    private func runInbox() -> Bool {
        let stopping = inbox.withLock { inbox in
            swap(&inbox.items, &batch)
            inbox.signalled = false
            return inbox.stopping
        }
        for item in batch {
            switch item {
            case .work(let work): work()
            case .job(let job):
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            time?.end()
        }
        batch.removeAll(keepingCapacity: true)
        return stopping
    }

    /// Fires wall-clock timers, lets the components work; nanoseconds until the next need, or nil.
    private func prepare() -> Int64? {
        var wait: Int64?
        func atMost(_ limit: Int64) { wait = min(wait ?? limit, limit) }
        while let due = realTimers.due, due <= Self.monotonic() { realTimers.pop()?.payload() }
        for component in components { component.runOnce().map(atMost) }
        if let due = realTimers.due { atMost(max(0, due - Self.monotonic())) }
        if inbox.withLock({ !$0.items.isEmpty || $0.stopping }) { wait = 0 }
        return wait
    }

    private func waitForEvents(nanoseconds: Int64?) {
        let sleeps = nanoseconds != 0
        if sleeps { time?.willWait(self) }
        var limit = timespec()
        limit.tv_sec = Int((nanoseconds ?? 0) / 1_000_000_000)
        limit.tv_nsec = Int((nanoseconds ?? 0) % 1_000_000_000)
        let capacity = Int32(events.count)
        let count =
            nanoseconds == nil
            ? cepoll_wait(epoll, &events, capacity, nil)
            : cepoll_wait(epoll, &events, capacity, &limit)
        if sleeps { time?.didWake(self) }
        for index in 0..<max(0, Int(count)) {
            let fd = events[index].data.fd
            if fd == doorbell {
                var value: UInt64 = 0
                read(doorbell, &value, 8)
            } else {
                watchers[fd]?(events[index].events)
            }
        }
    }
}

/// Names a timer, so that it can be cancelled.
package struct LoopTimer: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case real(UInt64)
        case virtual(UInt64)
    }

    let kind: Kind

    init(real id: UInt64) { kind = .real(id) }
    init(virtual id: UInt64) { kind = .virtual(id) }
}

/// Something that lives on a loop and wants a turn whenever the loop comes round.
package protocol LoopComponent: AnyObject {
    /// Does what can be done now; returns nanoseconds until it needs another turn (0: at once).
    func runOnce() -> Int64?
}
