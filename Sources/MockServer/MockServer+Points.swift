import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// How an exchange walks through its points: at each, what waits for it there is carried out in order.
extension MockServer {
    /// The state of an exchange; made when it is first seen.
    func run(of exchange: HTTPExchange) -> ExchangeRun {
        if let known = exchange.state as? ExchangeRun { return known }
        let call = calls.entry(for: exchange, dialect)
        let wire = call.wire
        let session = wire.uploadID.flatMap { store.session(evenExpired: $0) }
        var record = ExchangeRecord(
            ordinal: 0, connection: name(of: exchange.connection), operation: wire.operation,
            method: exchange.head.method, target: call.target, requestHeaders: call.headers,
            start: loop.now)
        record.arrival = exchange.ordinal - arrivedBefore
        record.isReused = exchange.isReused
        record.bucket = wire.bucket ?? session?.opening.bucket
        record.path = wire.path ?? session?.opening.name
        record.session = session?.ordinal
        record.offset = wire.offset
        record.length = wire.declaredLength
        record.declaredSize = wire.announcedSize
        record.hasCredentials = wire.credential != nil
        record.token = tokens.name(of: wire.credential)
        let facts = ExchangeFacts(
            operation: wire.operation, method: exchange.head.method, target: exchange.head.target,
            headers: exchange.head.headers, connection: record.connection,
            time: loop.now)
        let run = ExchangeRun(exchange: exchange, wire: wire, record: record, facts: facts)
        exchange.state = run
        return run
    }

    /// The answer to the engine's question: how does the exchange go on from this point?
    func answer(_ exchange: HTTPExchange, at point: ExchangePoint) -> ExchangeVerdict {
        let run = run(of: exchange)
        if run.isAbandoned { return point == .responseEnd ? .proceed : .disconnect(.reset) }
        if run.place == nil { takeUp(run) }
        if silenced.contains(exchange.connection) { return silence(run) }
        if point == .interrupted { return takeUpClock(run) }
        if run.wait != nil { return .wait }
        run.isAsked = true
        defer { run.isAsked = false }
        switch point {
        case .head: return atHead(run)
        case .requestBody(let offset): return atRequestBody(run, offset)
        case .requestEnd: return atRequestEnd(run)
        case .responseHead: return atResponseHead(run)
        case .responseBody(let offset): return atResponseBody(run, offset)
        case .responseEnd: return atResponseEnd(run)
        case .interrupted: return .proceed
        }
    }

    private func atHead(_ run: ExchangeRun) -> ExchangeVerdict {
        if run.moment == nil, holdsAtHead?(run.record) ?? false {
            run.moment = .requestHead
            run.wait = .head
            return .wait
        }
        if let end = walk(run, .requestHead) { return end }
        if run.call == nil { begin(run) }
        return onward(run)
    }

    private func atRequestBody(_ run: ExchangeRun, _ offset: Int64) -> ExchangeVerdict {
        guard run.forced == nil else { return .proceed }
        if let end = walk(run, .requestBody(offset)) { return end }
        if let wait = waitForPace(run, run.requestPace, offset) { return wait }
        return onward(run)
    }

    private func atRequestEnd(_ run: ExchangeRun) -> ExchangeVerdict {
        if !run.isSettled {
            if let verdict = beforeCommit(run) { return verdict }
            settle(run, carriedOut: true)
        }
        if let end = walk(run, .afterCommit) { return end }
        return .respond(run.forced ?? run.answer ?? Self.noAnswer)
    }

    /// Nil: the request is to be carried out.
    private func beforeCommit(_ run: ExchangeRun) -> ExchangeVerdict? {
        if run.forced == nil {
            if run.record.length == nil {
                run.plan?.resolveRequest(
                    length: run.exchange.received, start: run.record.offset)
            }
            if let end = walk(run, .requestBody(run.exchange.received)) { return end }
        }
        if run.forced == nil {
            readSmallBody(run)
            if let end = walk(run, .beforeCommit) { return end }
            if run.forced == nil, let hop = nextHop(of: run) { respond(hop, run) }
        }
        guard let forced = run.forced else { return nil }
        settle(run, carriedOut: false)
        return .respond(forced)
    }

    /// Only where the wire gave none: a mistake of ours, said as one.
    private static let noAnswer = ErrorAnswer.response(
        status: 500, message: "The mock backend has no answer.")

    private func atResponseHead(_ run: ExchangeRun) -> ExchangeVerdict {
        if !run.waitedForLatency, settings.latency > .zero {
            run.waitedForLatency = true
            park(run, .latency, for: settings.latency)
            return .wait
        }
        if run.arrivedAt != .responseHead { prepareAnswer(run) }
        if let end = walk(run, .responseHead) { return end }
        sendHead(run)
        return .proceed
    }

    private func atResponseBody(_ run: ExchangeRun, _ offset: Int64) -> ExchangeVerdict {
        if let end = walk(run, .responseBody(offset)) { return end }
        if offset == 0, let wait = beginPace(run) { return wait }
        return waitForPace(run, run.responsePace, offset) ?? .proceed
    }

    private func atResponseEnd(_ run: ExchangeRun) -> ExchangeVerdict {
        // The whole body is a place too, for answers that have no stop there.
        if let end = walk(run, .responseBody(run.exchange.sent)) { return end }
        if let end = walk(run, .responseEnd) { return end }
        decideOnConnection(run)
        switch run.afterwards {
        case .disconnect(let manner): return .disconnect(Disconnection(manner))
        case .silence: return silence(run)
        case nil: return .proceed
        }
    }

    /// After a moment of the request: an early answer where a fault gave one.
    private func onward(_ run: ExchangeRun) -> ExchangeVerdict {
        guard let forced = run.forced else { return .proceed }
        settle(run, carriedOut: false)
        return .respond(forced)
    }

    // MARK: Moments

    /// Carries out everything that waits for the exchange at a moment; nil: it may go on.
    func walk(_ run: ExchangeRun, _ moment: WireMoment) -> ExchangeVerdict? {
        guard let isEmpty = run.plan?.isEmpty, !run.passed.contains(moment) else { return nil }
        run.moment = moment
        if isEmpty {
            run.arrivedAt = moment
            return nil
        }
        if run.arrivedAt != moment {
            run.arrivedAt = moment
            arrive(run, moment)
            if run.wait != nil { return .wait }
        }
        while true {
            if run.firing == nil {
                guard let firing = take(run, moment) else { break }
                run.firing = firing
                run.nextAction = 0
            }
            guard let firing = run.firing else { break }
            while run.nextAction < firing.rule.actions.count {
                let action = firing.rule.actions[run.nextAction]
                run.nextAction += 1
                if let end = perform(action, of: firing, on: run) { return end }
                if run.wait != nil { return .wait }
            }
            run.firing = nil
        }
        run.passed.insert(moment)
        return nil
    }

    /// The client left while a step had the exchange at a moment, or had just let it go: it had got
    /// there, so that the faults of that moment begin. On the wire they come too late.
    func beginFaultsWhereItStood(_ run: ExchangeRun) {
        guard let moment = run.moment, run.arrivedAt == moment, run.firing == nil else { return }
        run.wait = nil
        _ = walk(run, moment)
    }

    func take(_ run: ExchangeRun, _ moment: WireMoment) -> FaultInjector.Firing? {
        guard var plan = run.plan else { return nil }
        let firing = injector.take(moment, &plan, at: loop.now)
        run.plan = plan
        guard let firing else { return nil }
        run.record.faults.append(firing.fired)
        if let commit = firing.rule.commit { run.commit = commit }
        save(run)
        tell(.fault(run.record, firing.fired))
        recheck()
        return firing
    }

    private func arrive(_ run: ExchangeRun, _ moment: WireMoment) {
        guard var plan = run.plan else { return }
        let holds = injector.arrive(moment, &plan, at: loop.now)
        run.plan = plan
        run.holds = holds
        for id in holds { held[id] = run.record.ordinal }
        if let first = holds.first { run.wait = .step(first) }
        for id in holds { holdReports.removeValue(forKey: id)?(run.record) }
        recheck()
    }

    // MARK: Parts

    /// The head was read: the exchange gets its ordinal, its transfer and its plan.
    private func takeUp(_ run: ExchangeRun) {
        run.record.ordinal = journal.count + 1
        run.record.start = loop.now
        run.facts.time = loop.now
        let session = run.wire.uploadID.flatMap { store.session(evenExpired: $0) }
        run.record.session = session?.ordinal
        run.record.resendOf = resendOf(run)
        let transfer = injector.transfers.transfer(
            of: run.record.operation, bucket: run.record.bucket, path: run.record.path,
            session: run.record.session)
        run.record.transfer = transfer?.ordinal
        run.facts.transfer = transfer
        run.facts.bucket = run.record.bucket
        run.facts.path = run.record.path
        run.facts.token = run.record.token
        run.facts.session = run.record.session
        run.facts.isReused = run.record.isReused
        run.facts.offset = run.record.offset
        run.facts.length = run.record.length
        run.facts.carriesBytes = run.wire.command != .finalize
        run.facts.isLast = isLast(run, declaredSize: session?.opening.declaredSize)
        run.facts.isRedirected = Self.redirectsLeft(run) != nil
        run.place = journal.append(run.record)
        runs[run.record.ordinal] = run
        let counts = !(options.ignoresResends && run.record.resendOf != nil)
        var plan = counts ? injector.plan(run.facts) : FaultPlan(nothingFor: run.facts)
        plan.resolveRequest(length: run.record.length, start: run.record.offset)
        run.plan = plan
        run.exchange.requestStops = plan.requestStops
        watchClock(run)
        tell(.head(run.record))
    }

    private func isLast(_ run: ExchangeRun, declaredSize: Int64?) -> Bool {
        switch run.record.operation {
        case .uploadFinalize, .uploadMultipart, .uploadMedia: return true
        case .uploadChunk:
            guard let declaredSize, let offset = run.record.offset, let length = run.record.length
            else { return false }
            return offset + length == declaredSize
        case .download, .downloadByURL:
            guard let range = run.wire.range else { return true }
            guard let path = run.record.path,
                let object = try? store.object(path, in: run.record.bucket ?? base)
            else { return false }
            let size = object.attributes.size
            return range.bytes(of: size)?.upperBound == size
        case .connect, .uploadStart, .uploadQuery, .uploadCancel, .metadataGet, .metadataUpdate,
            .delete, .list, .tokenCreate, .tokenDelete, .preflight, .unknown:
            return false
        }
    }

    /// Takes the call up: credentials are judged from here on.
    func begin(_ run: ExchangeRun) {
        let call = dialect.begin(run.wire, store: store, tokens: tokens)
        run.call = call
        if run.exchange.isClientGone { call.clientLeft() }
        run.record.overlaps = call.overlaps
        if call.overlaps { endOverlappedOfThoseWhoLeft(run) }
        if call.overlaps, run.record.operation == .uploadQuery { breakOverlapped(by: run) }
        if run.requestPace == nil {
            let kind =
                connectionPaces[run.exchange.connection]
                ?? settings.bandwidthUp.map(Pace.Kind.rate)
            run.requestPace = kind?.pace(origin: 0, start: loop.now)
        }
        addStop(run, run.requestPace, after: 0)
    }

    private func readSmallBody(_ run: ExchangeRun) {
        guard !run.hasReadBody else { return }
        run.hasReadBody = true
        let body = run.smallBody.isEmpty ? nil : JSONValue(parsing: run.smallBody)
        run.smallBody = []
        if let body { run.record.json = body.scalars.redacted }
        guard injector.readsBodies, var plan = run.plan else { return }
        injector.bodyWasRead(body, &plan)
        run.plan = plan
    }

    func save(_ run: ExchangeRun) {
        run.record.received = run.exchange.received
        run.record.sent = run.exchange.sent
        if let place = run.place { journal.replace(place, with: run.record) }
    }
}

extension Disconnection {
    init(_ manner: DisconnectManner) {
        switch manner {
        case .close: self = .close
        case .reset: self = .reset
        case .half: self = .half
        }
    }
}
