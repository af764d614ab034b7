package import ClientDriver
import EventLoop
import EventMatching
import FaultEngine
package import MockServer
import ObjectStore
package import RunModel
package import Scenario
package import StorageModel

/// A scenario that is served to a client of somebody else: keeps what the server saw of it, and
/// judges that when the server is to stop.
package final class ServedJudge: @unchecked Sendable {
    // Invariant: after `begin`, touched on the server's loop alone.
    private let planned: PlannedScenario
    private let expected: ServedExpectation
    private let contents: ScenarioContents
    private let sources: [ServedSources.Source]
    private var moments: MomentLog
    private var link: [LoopTimer] = []

    package init(_ planned: PlannedScenario) {
        self.planned = planned
        expected = ServedExpectation(planned.scenario.expect)
        contents = ScenarioContents(besideFile: planned.file)
        let list = StepList(planned.scenario.steps)
        sources = ServedSources(list, contents).all
        moments = MomentLog(rounds: list.rounds)
    }

    /// What the server is to hold: as the file says, with content from beside the file.
    package var settings: BackendSettings {
        let backend = planned.scenario.backend
        var settings = backend.settings
        if !backend.givesBucket { settings.bucket = nil }
        if !backend.givesTokens { settings.tokens = nil }
        settings.objects = settings.objects.map(contents.found)
        return settings
    }

    /// Whether requests that a transport repeats by itself are left out of the log: nothing is known
    /// of the client.
    package var ignoresResends: Bool {
        switch planned.scenario.backend.resends {
        case .none?: false
        case .allowed?, nil: true
        }
    }

    /// What of the scenario only a client could tell: `up (events, error)`.
    package var notJudged: [String] { expected.unseen }

    /// Writes what the steps upload, a file for each task, so that a person can upload just that.
    ///
    /// - Throws: `FileSpool.Failure` for the first file that cannot be written.
    package func writeSources(to folder: String) throws(FileSpool.Failure) {
        for source in sources {
            try FileSpool.write(source.bytes, to: "\(folder)/\(source.task)")
        }
    }

    /// The server listens, or begins anew: watches it, and lets its link change at the times that the
    /// file gives.
    package func begin(_ server: isolated MockServer) {
        moments = MomentLog(rounds: moments.rounds)
        for timer in link { server.loop.cancel(timer) }
        link = []
        for source in sources where settings.verifiesInsteadOfKeeping {
            server.expect(source.bytes, for: source.object.path, in: source.object.bucket)
        }
        for change in planned.scenario.backend.link { schedule(change, server) }
        for (trigger, selector, phase) in expected.seen.triggers.flatMap(\.wires) {
            watch(trigger, selector, phase, server)
        }
    }

    /// Hears the server's journal.
    package func saw(_ event: JournalEvent) {
        switch event {
        case .head(let record): moments.noteHead(at: record.start)
        case .fault(_, let fired): moments.noteFault(fired.name, at: fired.time)
        case .problem, .held, .end: break
        }
    }

    /// What became of the scenario, as far as a server can see it.
    package func result(of server: MockServer, seed: UInt64) -> ScenarioResult {
        for timer in link { server.loop.cancel(timer) }
        if let failure = Failure(truncationOf: server) {
            var result = ScenarioResult(planned, seed: seed)
            result.duration = server.loop.now
            result.failures = [failure]
            return result
        }
        let evidence = evidence(server)
        var result = ScenarioResult(planned, seed: seed)
        result.duration = evidence.end
        result.exchanges = evidence.exchanges
        let judge = Judge(evidence: evidence)
        result.failures = troubles(server) + judge.failures(expected.seen)
        if expected.seen.complaints == nil,
            !(expected.seen.invariants?.value.invariants.contains(.noComplaint) ?? false)
        {
            result.failures += InvariantChecks.complaints(in: evidence.exchanges).map {
                Failure($0)
            }
        }
        result.failures += overspent(evidence)
        let unfired = server.assumeIsolated { $0.unfired }.filter { !$0.rule.mayMiss }
        result.failures += unfired.map(ScenarioRun.failure)
        if evidence.exchanges.isEmpty {
            result.failures.append(
                Failure(.missedStep, "no request came, so nothing is known of the client"))
        }
        result.verdict = ScenarioRun.verdict(of: result.failures)
        return result
    }

    // MARK: Private parts

    private func schedule(_ change: ScenarioBackend.LinkChange, _ server: isolated MockServer) {
        let apply: @Sendable (isolated MockServer) -> Void = { server in
            // A link can always be changed: only sessions and objects may be missing.
            try? server.apply(.link(change.state))
        }
        guard change.at > .zero else { return apply(server) }
        link.append(
            server.loop.timer(after: change.at) { [weak server] in server?.assumeIsolated(apply) })
    }

    private func watch(
        _ trigger: Trigger, _ selector: ExchangeSelector, _ phase: FaultPhase,
        _ server: isolated MockServer
    ) {
        let loop = server.loop
        let id = Lock<HoldID?>(nil)
        let made = server.hold(at: selector, phase: phase) { [weak self, weak server] _ in
            self?.moments.noteWire(trigger, at: loop.now)
            loop.post { [weak server] in
                guard let id = id.withLock({ $0 }) else { return }
                server?.assumeIsolated { $0.release(id) }
            }
        }
        id.withLock { $0 = made }
    }

    private func evidence(_ server: MockServer) -> RunEvidence {
        var book = RunBook()
        for source in sources { book.sources[source.task] = source.bytes }
        let bucket = planned.scenario.backend.settings.bucket ?? "demo.appspot.com"
        var evidence = RunEvidence(
            server, planned.scenario, book: book, moments: moments, end: server.loop.now,
            scale: TimeScale(factor: 1, grace: .milliseconds(50)),
            countsResends: !ignoresResends, contents: contents, bucket: bucket)
        guard !planned.scenario.backend.givesBucket else { return evidence }
        // Any bucket was taken: an object is looked for where the client had to do with it.
        let exchanges = evidence.exchanges
        let versions = evidence.versions
        evidence.versions = { object in
            guard object.bucket == nil else { return versions(object) }
            let used = exchanges.last { $0.path == object.path && $0.bucket != nil }?.bucket
            return versions(ObjectAddress(bucket: used, path: object.path))
        }
        return evidence
    }

    private func troubles(_ server: MockServer) -> [Failure] {
        server.assumeIsolated { server in
            let lost = server.portLost.map { [Failure(.infrastructure, $0)] } ?? []
            return lost
                + server.problems.map { problem in
                    Failure(
                        .infrastructure, subject: problem.rule.name, problem.message,
                        place: problem.rule.place)
                }
        }
    }

    private func overspent(_ evidence: RunEvidence) -> [Failure] {
        let budget = planned.scenario.exchangeBudget
        let count = evidence.exchanges.count { $0.operation != .connect }
        guard count > budget else { return [] }
        return [Failure(.budget, "\(count) requests came, at most \(budget) are allowed")]
    }
}
