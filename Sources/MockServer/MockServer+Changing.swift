import EventLoop
package import FaultEngine
import HTTPEngine
package import ObjectStore
import StorageModel
import StorageWire

// A server whose faults come and go, and that begins anew.
extension MockServer {
    /// What became of every fault so far, in the order of their coming; removed ones too.
    package var faultAccounts: [FaultAccount] { injector.accounts }

    /// The position for the next fault that is added.
    package var nextFaultPosition: Int { injector.nextPosition }

    /// Adds faults behind those that there are; all or none. They count exchanges from now on.
    package func add(_ faults: [FaultRule]) throws(TooManyFaults) {
        try injector.add(faults)
        faultsChanged()
    }

    /// Takes a fault away: it fires no more. What it has begun goes on.
    ///
    /// - Returns: its last account; nil where there is no such fault.
    package func removeFault(at position: Int) -> FaultAccount? {
        defer { faultsChanged() }
        return injector.remove(position: position)
    }

    /// What has to be known of all faults together.
    func faultsChanged() {
        let rules = injector.rules
        corruptsAnswers = Self.corruptsAnswers(rules)
        if readsSlowly(rules) { engine?.readSlowly() }
    }

    static func corruptsAnswers(_ rules: [FaultRule]) -> Bool {
        rules.contains { rule in
            rule.actions.contains { if case .corrupt = $0 { true } else { false } }
        }
    }

    /// Whether bodies of requests may come slower than a client sends them.
    func readsSlowly(_ rules: [FaultRule]) -> Bool {
        settings.bandwidthUp != nil
            || rules.contains { rule in
                rule.actions.contains { if case .throttle = $0 { true } else { false } }
            }
    }

    /// Exchanges under way.
    package var openExchanges: Int { runs.count }

    /// Where an object is that is named without a bucket.
    package func place(of path: String, in bucket: String? = nil) -> ObjectKey {
        ObjectKey(path: path, defaultBucket: bucket ?? base)
    }

    // MARK: Beginning anew

    /// Everything is as at the start: the given objects, no upload session, an empty journal, and
    /// every ordinal, budget and draw begins at its beginning; in wall time the clock does, too.
    ///
    /// Exchanges under way end as `open`, and are cut off (RST) where they would be asked about next.
    /// Connections without one live on; those that a fault has silenced stay silent.
    ///
    /// - Parameter faults: those that there are from now on; nil: those of the start.
    package func reset(faults: [FaultRule]? = nil) {
        resets += 1
        abandonExchanges()
        abandonArrivals()
        if loop.time == nil { loop.restartClock() }
        store.forgetSessions()
        store.restore(origin.objects)
        store.isFull = false
        store.skewMilliseconds = 0
        tokens.reset()
        journal = Journal(limit: journal.limit)
        injector = FaultInjector(
            rules: faults ?? origin.faults, seed: options.seed, scenario: options.scenario,
            isServed: options.isServed)
        problems = []
        resendable = nil
        connectionNames = [:]
        connectionCount = 0
        arrivedBefore = engine?.exchangeCount ?? 0
        openPort()
        faultsChanged()
    }

    private func abandonExchanges() {
        for run in runs.values.sorted(by: { $0.record.ordinal < $1.record.ordinal }) {
            run.isAbandoned = true
            cancelTimer(run)
            run.commit = CommitAmount.none
            settle(run, carriedOut: false)
            run.record.end = loop.now
            tell(.end(run.record))
            // The new journal knows nothing of it.
            run.place = nil
            guard run.wait != nil else { continue }
            run.wait = nil
            run.exchange.proceed()
        }
        runs = [:]
        held = [:]
        holdReports = [:]
    }

    /// What the journal calls a connection: 1, 2, ... in the order in which they were accepted; after
    /// everything began anew, in the order of their first use.
    func name(of connection: ConnectionID) -> Int {
        guard resets > 0 else { return connection.ordinal }
        if let known = connectionNames[connection] { return known }
        connectionCount += 1
        connectionNames[connection] = connectionCount
        return connectionCount
    }
}
