import ClientDriver
import EventLoop
import EventMatching
import FaultEngine
import MockServer
import ObjectStore
import StorageModel

// Wall time: gates and `sync` instead of quiescence.
extension ScenarioRun {
    private func hasHappened(_ trigger: Trigger) -> Bool {
        moments.lookup(trigger, now: now) != nil
    }

    /// Holds exchanges of awaited tasks at their heads from now on.
    func watchHeads() {
        guard !settings.isVirtual else { return }
        server?.assumeIsolated { server in
            server.setHeadHook { [self] record in holdsAtHead(record) }
        }
    }

    /// Asked by the server, on the loop, when a head was read.
    private func holdsAtHead(_ record: ExchangeRecord) -> Bool {
        guard phase == .running else { return false }
        let awaited = WallPacing.awaited(machine, book, happened: hasHappened)
        guard WallPacing.concerns(record, awaited) else { return false }
        let ordinal = record.ordinal
        loop.post { [self] in sync { [self] in letIn(ordinal) } }
        return true
    }

    /// Goes on once the client has run every callback so far, and the steps that they caused are done.
    private func sync(_ goOn: @escaping () -> Void) {
        driver.sync { [self] _ in
            guard phase != .over else { return }
            poll()
            whenSettled(goOn)
        }
    }

    private func whenSettled(_ goOn: @escaping () -> Void) {
        guard machine.due != nil || machine.isRunning else { return goOn() }
        settledWaiters.append(goOn)
    }

    /// A step was carried out: those that waited for it go on, when the client has confirmed.
    func stepSettled() {
        guard !settings.isVirtual, !settledWaiters.isEmpty, machine.due == nil,
            !machine.isRunning
        else { return }
        let waiters = settledWaiters
        settledWaiters = []
        driver.sync { [self] _ in
            guard phase != .over else { return }
            for goOn in waiters { goOn() }
        }
    }

    private func letIn(_ ordinal: Int) {
        server?.assumeIsolated { $0.letIn(ordinal) }
    }

    // MARK: Downloads

    /// A download that a step waits for stops at every byte at which the step's moment may come.
    func watchDownload(_ task: String) {
        guard !settings.isVirtual, let record = book.task(task), !record.isUpload, let server
        else { return }
        let total =
            server.assumeIsolated { $0.object(record.path, in: record.bucket)?.attributes.size }
            ?? 0
        let triggers = machine.waiting.compactMap { machine.entries[$0].when }.flatMap(\.tasks)
        let stops = WallPacing.stops(triggers.filter { $0.task == task }, total: total)
        var filters = ExchangeFilters()
        filters.bucket = record.bucket
        filters.path = Glob(record.path)
        let selector = ExchangeSelector(operation: .one(.download), per: .run, filters: filters)
        for stop in stops {
            let place = DownloadStop(task: task, byte: stop, total: total)
            hold(at: place, selector, server)
        }
    }

    private struct DownloadStop {
        let task: String
        /// Of the object: no byte from here on is sent.
        let byte: Int64
        let total: Int64
    }

    private func hold(
        at stop: DownloadStop, _ selector: ExchangeSelector, _ server: MockServer
    ) {
        let id = Lock<HoldID?>(nil)
        let made = server.assumeIsolated { server in
            server.hold(at: selector, phase: .responseBody(.object(stop.byte))) { [self] _ in
                loop.post { [self] in
                    guard let id = id.withLock({ $0 }) else { return }
                    let release = { [self] in
                        _ = self.server?.assumeIsolated { $0.release(id) }
                    }
                    goOnceSeen(stop, release)
                }
            }
        }
        id.withLock { $0 = made }
    }

    private func isAwaited(_ task: String) -> Bool {
        WallPacing.awaited(machine, book, happened: hasHappened).contains { $0.task == task }
    }

    /// True while a step waits for an event that the bytes before the stop can bring.
    private func mayCome(at stop: DownloadStop) -> Bool {
        machine.waiting.compactMap { machine.entries[$0].when }.flatMap(\.tasks).contains {
            $0.task == stop.task && $0.canCome(before: stop.byte, of: stop.total)
                && !hasHappened(.task($0))
        }
    }

    /// Goes on once the client has told of the awaited event and confirmed what follows from it, or
    /// has had its time: the bytes before a stop are in the kernel when it is reached, and a client
    /// may answer `sync` before it has read them.
    private func goOnceSeen(_ stop: DownloadStop, _ goOn: @escaping () -> Void) {
        let task = stop.task
        guard isAwaited(task) else { return goOn() }
        driver.sync { [self] _ in
            guard phase != .over else { return }
            poll()
            let left = looksLeft[task, default: WallPacing.looks]
            let isWaiting = machine.due == nil && !machine.isRunning && mayCome(at: stop)
            guard isWaiting, left > 0 else { return whenSettled(goOn) }
            looksLeft[task] = left - 1
            loop.realTimer(after: WallPacing.lookGap) { [self] in
                if phase != .over { goOnceSeen(stop, goOn) }
            }
        }
    }
}
