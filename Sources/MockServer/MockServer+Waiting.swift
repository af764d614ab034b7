import EventLoop
package import FaultEngine
import HTTPEngine
import ObjectStore
package import StorageModel
import StorageWire

// Exchanges that stand still, and what lets them go on.
extension MockServer {
    /// Keeps the exchange where it is; with a time, until it is over.
    func park(_ run: ExchangeRun, _ wait: ExchangeRun.Wait, for time: Duration?) {
        run.wait = wait
        run.waitStart = loop.now
        guard let time else { return }
        let ordinal = run.record.ordinal
        let isByClock = run.isByClock
        run.timer = after(time) { $0.resume(ordinal, byClock: isByClock) }
    }

    func resume(_ ordinal: Int, byClock: Bool = false) {
        guard let run = runs[ordinal] else { return }
        let isOther = run.isByClock != byClock
        if isOther { run.changeOver() }
        let isFree = run.wait != nil
        if isFree {
            run.wait = nil
            cancelTimer(run)
        }
        if isOther { run.changeOver() }
        if isFree, !run.isAsked { run.exchange.proceed() }
    }

    /// Something has happened: lets those go on that waited for it.
    func recheck() {
        guard injector.watchesTriggers else { return }
        let now = loop.now
        var free: [Int] = []
        for (ordinal, run) in runs {
            if case .trigger(let trigger)? = run.wait, injector.happened(trigger, now: now) {
                free.append(ordinal)
            }
        }
        for ordinal in free.sorted() { resume(ordinal) }
        for run in runs.values.filter({ $0.beside != nil }) {
            if case .trigger(let trigger)? = run.beside?.wait, injector.happened(trigger, now: now)
            {
                resume(run.record.ordinal, byClock: !run.isByClock)
            }
        }
        for (id, arrival) in arrivals.sorted(by: { $0.key < $1.key }) {
            if case .trigger(let trigger)? = arrival.wait, injector.happened(trigger, now: now) {
                resume(id)
            }
        }
    }

    /// Keeps the exchange until the trigger happened, at most so long.
    func hold(_ run: ExchangeRun, until trigger: Trigger, atMost: Duration?) {
        guard !injector.happened(trigger, now: loop.now) else { return }
        park(run, .trigger(trigger), for: atMost)
        tell(.held(run.record, until: trigger, at: loop.now))
        recheck(at: trigger.times)
    }

    func recheck(at times: [Duration]) {
        for time in times where time > loop.now {
            _ = after(time - loop.now) { $0.recheck() }
        }
    }

    // MARK: Pace

    /// Nil: the bytes behind the offset may flow now.
    func waitForPace(_ run: ExchangeRun, _ pace: Pace?, _ offset: Int64) -> ExchangeVerdict? {
        guard let pace, pace.isStop(offset) else { return nil }
        addStop(run, pace, after: offset)
        let due = pace.due(at: offset)
        guard due > loop.now else { return nil }
        park(run, .pace, for: due - loop.now)
        return .wait
    }

    func addStop(_ run: ExchangeRun, _ pace: Pace?, after offset: Int64) {
        guard let pace else { return }
        let stop = pace.stop(after: offset)
        let isResponse = run.isSettled
        var stops = isResponse ? run.exchange.responseStops : run.exchange.requestStops
        if !stops.contains(stop) {
            stops.append(stop)
            stops.sort()
        }
        if isResponse {
            run.exchange.responseStops = stops
        } else {
            run.exchange.requestStops = stops
        }
    }
}

extension MockServer {
    // MARK: Steps that wait for a wire point

    /// Keeps the next exchange that fits, counted from now on, at the phase until `release`.
    ///
    /// - Parameter reached: called once, on the loop, when the exchange stands there.
    package func hold(
        at selector: ExchangeSelector, phase: FaultPhase,
        reached: @escaping @Sendable (ExchangeRecord) -> Void
    ) -> HoldID {
        let id = injector.hold(at: selector, phase: phase)
        holdReports[id] = reached
        return id
    }

    /// Lets the exchange go on; a hold that was not reached yet takes nothing any more.
    package func release(_ id: HoldID) {
        injector.drop(id)
        holdReports[id] = nil
        guard let ordinal = held.removeValue(forKey: id), let run = runs[ordinal] else { return }
        if run.beside?.holds.contains(id) == true {
            run.beside?.holds.removeAll { $0 == id }
            if let next = run.beside?.holds.first {
                run.beside?.wait = .step(next)
            } else {
                resume(ordinal, byClock: !run.isByClock)
            }
            return
        }
        run.holds.removeAll { $0 == id }
        if let next = run.holds.first {
            run.wait = .step(next)
        } else {
            resume(ordinal)
        }
    }

    /// True while an exchange that is held may still get bytes of an upload's body from a client that is
    /// not known to have left: what it had sent would count as sent.
    ///
    /// - Parameter path: the object of the upload.
    package func mayStillBring(_ id: HoldID, to path: String, in bucket: String) -> Bool {
        guard let ordinal = held[id], let run = runs[ordinal] else { return false }
        let record = run.record
        return record.operation.isUpload && record.path == path && record.bucket == bucket
            && !run.exchange.isClientGone && !run.exchange.isBodyWhole
    }

    /// Lets an exchange go on that `holdsAtHead` keeps at its head.
    ///
    /// - Parameter ordinal: of the exchange.
    package func letIn(_ ordinal: Int) {
        guard case .head? = runs[ordinal]?.wait else { return }
        resume(ordinal)
    }

    /// Sets who decides whether an exchange is held at its head.
    package func setHeadHook(_ hook: (@Sendable (ExchangeRecord) -> Bool)?) { holdsAtHead = hook }

    // MARK: What happened elsewhere

    package func noteEvent(_ event: TransferEvent, of task: String) {
        injector.note(event, of: task, at: loop.now)
        recheck()
    }

    package func noteStep(_ name: String) {
        injector.noteStep(name, at: loop.now)
        recheck()
    }

    package func noteResult(_ name: String, isSuccess: Bool) {
        injector.noteResult(name, isSuccess: isSuccess, at: loop.now)
        recheck()
    }

    package func openGate(_ name: String) {
        injector.noteGate(name, at: loop.now)
        recheck()
    }

    /// Begins to watch for a trigger that no fault names.
    package func watch(_ trigger: Trigger) { injector.watch(trigger) }

    package func happened(_ trigger: Trigger) -> Bool {
        injector.happened(trigger, now: loop.now)
    }
}

extension Trigger {
    /// Every time that it names.
    var times: [Duration] {
        switch self {
        case .time(let time): [time]
        case .all(let parts): parts.flatMap(\.times)
        case .task, .result, .wire, .fault, .step, .gate: []
        }
    }
}
