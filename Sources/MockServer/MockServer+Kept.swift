import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import StorageWire

// Connections that are kept: how long they live, and what happens on them between two requests.
extension MockServer {
    /// Everything of the answer was sent: does the connection live on?
    func decideOnConnection(_ run: ExchangeRun) {
        guard run.afterwards == nil else { return }
        switch run.keepAlive {
        case nil: break
        case .closeAtNext: run.exchange.whenComplete = .closeAtNext
        case .close(let time): if time <= .zero { run.exchange.whenComplete = .close }
        case .maxAge(let age, let manner):
            if age <= self.age(of: run.exchange.connection) {
                run.afterwards = .disconnect(manner)
            }
        }
    }

    private func age(of connection: ConnectionID) -> Duration {
        loop.now - (births[connection] ?? loop.now)
    }

    /// The exchange is over: sets the times at which something happens to its connection.
    func watchConnection(_ run: ExchangeRun, _ ending: ExchangeRecord.Ending) {
        guard ending == .complete, run.exchange.whenComplete != .close else { return }
        let connection = run.exchange.connection
        switch run.keepAlive {
        case nil, .closeAtNext: break
        case .close(let time):
            whenIdle(run, for: time) { $0.engine?.end(connection, .close) }
        case .maxAge(let age, let manner):
            guard agedConnections.insert(connection).inserted, let engine else { break }
            // Whatever happens on it then.
            _ = after(max(.zero, age - self.age(of: connection))) { [weak engine] server in
                guard engine === server.engine else { return }
                engine?.end(connection, Disconnection(manner))
            }
        }
        let times = run.plan?.idleTimes ?? []
        if times.isEmpty { return }
        lastRuns[connection] = run
        for time in times { whenIdle(run, for: time) { $0.begin(connection, idleFor: time) } }
    }

    /// Does something if the connection waits for a next request all the time.
    private func whenIdle(
        _ run: ExchangeRun, for time: Duration,
        _ work: @escaping @Sendable (isolated MockServer) -> Void
    ) {
        guard let engine else { return }
        let connection = run.exchange.connection
        let exchange = run.exchange.ordinal
        _ = after(time) { [weak engine] server in
            guard let engine, engine === server.engine,
                engine.isIdle(connection, after: exchange)
            else { return }
            work(server)
        }
    }

    /// The phase `idle`.
    private func begin(_ connection: ConnectionID, idleFor time: Duration) {
        guard let run = lastRuns[connection], var plan = run.plan else { return }
        let moment = WireMoment.idle(time)
        _ = injector.arrive(moment, &plan, at: loop.now)
        run.plan = plan
        run.moment = moment
        recheck()
        while let firing = take(run, moment) {
            for action in firing.rule.actions where perform(action, firing, whileIdle: run) {
                return
            }
        }
    }

    /// True when the connection serves no more requests.
    private func perform(
        _ action: FaultAction, _ firing: FaultInjector.Firing, whileIdle run: ExchangeRun
    ) -> Bool {
        let connection = run.exchange.connection
        switch action {
        case .disconnect(let manner): engine?.end(connection, Disconnection(manner))
        case .silence: engine?.silence(connection)
        case .raw(let bytes):
            engine?.send(bytes, on: connection)
            return false
        case .refuse, .backend:
            _ = perform(action, of: firing, on: run)
            return false
        case .respond, .delay, .drop, .hold, .stall, .throttle, .slice, .corrupt, .headers, .json,
            .length, .framing, .interim, .expectContinue, .range, .hash, .redirect, .tls,
            .keepAlive:
            return false
        }
        return true
    }
}
