import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// The faults of `connect`: before a byte of a connection is read.
extension MockServer {
    /// What becomes of a connection; asked again when it stood still and may go on.
    func takeUp(_ id: ConnectionID) -> AcceptVerdict {
        let arrival = arrivals[id] ?? begin(id)
        if silenced.contains(id) { return finish(arrival, .silence) }
        while let action = nextAction(of: arrival) {
            if let verdict = perform(action, on: arrival) { return finish(arrival, verdict) }
            if arrival.wait != nil {
                arrivals[id] = arrival
                return .wait
            }
        }
        guard arrival.steps.isEmpty else {
            return finish(arrival, .adopt(arrival.steps + [.finishSending, .drain, .close]))
        }
        return finish(arrival, .proceed)
    }

    private func begin(_ id: ConnectionID) -> ConnectionArrival {
        connections.insert(id)
        births[id] = loop.now
        let facts = ExchangeFacts(
            operation: .connect, method: "", target: "", connection: name(of: id), time: loop.now)
        var plan = injector.plan(facts)
        let holds = injector.arrive(.connect, &plan, at: loop.now)
        let record = ExchangeRecord(
            ordinal: 0, connection: facts.connection, operation: .connect, method: "", target: "",
            start: loop.now)
        let arrival = ConnectionArrival(id: id, plan: plan, record: record)
        for hold in holds { holdReports.removeValue(forKey: hold)?(record) }
        recheck()
        return arrival
    }

    private func nextAction(of arrival: ConnectionArrival) -> FaultAction? {
        while true {
            if let firing = arrival.firing, arrival.nextAction < firing.rule.actions.count {
                arrival.nextAction += 1
                return firing.rule.actions[arrival.nextAction - 1]
            }
            arrival.firing = injector.take(.connect, &arrival.plan, at: loop.now)
            arrival.nextAction = 0
            guard let firing = arrival.firing else { return nil }
            arrival.record.faults.append(firing.fired)
            tell(.fault(arrival.record, firing.fired))
            recheck()
        }
    }

    /// Carries out one action; the verdict where it decides.
    private func perform(
        _ action: FaultAction, on arrival: ConnectionArrival
    ) -> AcceptVerdict? {
        switch action {
        case .disconnect(let manner): return disconnect(manner, arrival)
        case .silence:
            return arrival.steps.isEmpty ? .silence : .adopt(arrival.steps + [.drain, .close])
        case .raw(let bytes): arrival.steps.append(.send(bytes))
        case .respond(let forced):
            let response = forced.response(wallClock: store.time)
            arrival.steps.append(.send(HTTPEngine.bytes(of: response)))
        case .delay(let time): delay(time, arrival)
        case .stall(let time): return stall(time, arrival)
        case .hold(let trigger, let atMost): hold(arrival, until: trigger, atMost: atMost)
        case .throttle(let rate): setPace(.rate(rate), arrival.id)
        case .slice(let size, let gap): setPace(.slices(size: size, gap: gap), arrival.id)
        case .refuse(let time, let how): refuse(for: time, how)
        case .backend(let action): carryOut(action, arrival)
        case .tls(let fault): arrival.tls.add(fault)
        case .drop, .corrupt, .headers, .json, .length, .framing, .interim, .expectContinue,
            .range, .hash, .redirect, .keepAlive:
            break
        }
        return nil
    }

    private func disconnect(
        _ manner: DisconnectManner, _ arrival: ConnectionArrival
    ) -> AcceptVerdict {
        guard arrival.steps.isEmpty else {
            let ending: [WireStep] =
                manner == .reset ? [.reset] : [.finishSending, .drain, .close]
            return .adopt(arrival.steps + ending)
        }
        return manner == .reset ? .reset : .close
    }

    private func delay(_ time: DelayTime, _ arrival: ConnectionArrival) {
        guard let firing = arrival.firing else { return }
        var generator = injector.draws.generator(
            rule: firing.rule.position, key: firing.key, ordinal: firing.ordinal,
            use: "delay \(arrival.nextAction)")
        let delay = time.duration(rank: firing.rank, &generator)
        if let last = arrival.record.faults.indices.last {
            arrival.record.faults[last].delays.append(delay)
        }
        guard delay > .zero else { return }
        if arrival.steps.isEmpty {
            park(arrival, .delay, for: delay)
        } else {
            arrival.steps.append(.wait(delay))
        }
    }

    private func stall(_ time: Duration?, _ arrival: ConnectionArrival) -> AcceptVerdict? {
        guard !arrival.steps.isEmpty else {
            park(arrival, .stall, for: time)
            return nil
        }
        guard let time else { return .adopt(arrival.steps + [.drain, .close]) }
        arrival.steps.append(.wait(time))
        return nil
    }

    private func setPace(_ kind: Pace.Kind, _ id: ConnectionID) {
        connectionPaces[id] = kind
        engine?.readHeads(of: id) { kind.time(of: $0) }
    }

    /// On the newest session, as a step: a connection has none of its own.
    private func carryOut(_ action: BackendAction, _ arrival: ConnectionArrival) {
        guard let rule = arrival.firing?.rule else { return }
        do throws(MockServerError) { try apply(action) } catch {
            let problem = FaultProblem(rule: rule, reason: error.description)
            problems.append(problem)
            tell(.problem(arrival.record, problem))
        }
    }

    // MARK: Standing still

    private func park(
        _ arrival: ConnectionArrival, _ wait: ExchangeRun.Wait, for time: Duration?
    ) {
        arrival.wait = wait
        guard let time else { return }
        let id = arrival.id
        arrival.timer = after(time) { $0.resume(id) }
    }

    private func hold(_ arrival: ConnectionArrival, until trigger: Trigger, atMost: Duration?) {
        guard !injector.happened(trigger, now: loop.now) else { return }
        park(arrival, .trigger(trigger), for: atMost)
        tell(.held(arrival.record, until: trigger, at: loop.now))
        recheck(at: trigger.times)
    }

    func resume(_ id: ConnectionID) {
        guard let arrival = arrivals[id], arrival.wait != nil else { return }
        arrival.wait = nil
        arrival.timer.map(loop.cancel)
        arrival.timer = nil
        engine?.proceed(id)
    }

    // MARK: The end

    private func finish(
        _ arrival: ConnectionArrival, _ verdict: AcceptVerdict
    ) -> AcceptVerdict {
        arrivals[arrival.id] = nil
        if authority != nil, verdict == .proceed {
            handshakes[arrival.id] = Handshake(plan: arrival.tls, record: arrival.record)
        } else {
            close(arrival, verdict == .proceed ? .complete : .disconnected)
        }
        return verdict
    }

    /// The client left while the connection stood still.
    func arrivalLeft(_ id: ConnectionID) {
        guard let arrival = arrivals.removeValue(forKey: id) else { return }
        arrival.timer.map(loop.cancel)
        close(arrival, .clientLeft)
    }

    /// The server stops: connections that stood still did so to the end.
    func endArrivals() {
        for arrival in arrivals.values.sorted(by: { $0.id < $1.id }) {
            arrival.timer.map(loop.cancel)
            close(arrival, .open)
        }
        arrivals = [:]
    }

    /// The faults that keep connections are forgotten: these go on at once.
    func abandonArrivals() {
        connectionPaces = [:]
        for arrival in arrivals.values.sorted(by: { $0.id < $1.id }) {
            let facts = ExchangeFacts(
                operation: .connect, method: "", target: "", connection: arrival.id.ordinal,
                time: loop.now)
            arrival.plan = FaultPlan(nothingFor: facts)
            (arrival.firing, arrival.steps, arrival.record.faults) = (nil, [], [])
            resume(arrival.id)
        }
    }

    private func close(_ arrival: ConnectionArrival, _ ending: ExchangeRecord.Ending) {
        guard !arrival.record.faults.isEmpty else { return }
        arrival.record.end = loop.now
        arrival.record.ending = ending
        _ = journal.append(arrival.record)
        tell(.end(arrival.record))
    }
}
