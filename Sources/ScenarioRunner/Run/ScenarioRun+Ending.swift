import ClientDriver
import EventMatching
import FaultEngine
import MockServer
package import RunModel
package import Scenario
import StorageModel

// What becomes of a scenario that is over.
extension ScenarioRun {
    /// Looks at everything while client and server are still there.
    func conclude() -> ScenarioResult {
        var result = ScenarioResult(planned, seed: seed)
        result.duration = now
        // What the client did wrong before is not taken back.
        if let skipReason, failures.isEmpty {
            result.verdict = .skipped
            result.reason = skipReason
            return result
        }
        result.tasks = book.tasks
        guard let server else {
            result.failures = failures
            result.verdict = .errored
            return result
        }
        let unfired = server.assumeIsolated { $0.unfired }.filter { !$0.rule.mayMiss }
        result.exchanges = server.assumeIsolated { $0.records }
        let portLost = server.assumeIsolated { $0.portLost }
        latenessFailure().map(fail)
        if let portLost { fail(Failure(.infrastructure, portLost)) }
        for problem in server.assumeIsolated({ $0.problems }) {
            fail(
                Failure(
                    .infrastructure, subject: problem.rule.name, problem.message,
                    place: problem.rule.place))
        }
        if let failure = Failure(truncationOf: server) {
            fail(failure)
            result.failures = failures
            result.verdict = Self.verdict(of: failures)
            return result
        }
        let evidence = evidence(server)
        result.failures = failures + judging.failures(evidence, scenario.expect)
        result.failures += missedSteps() + unfired.map(Self.failure)
        result.unfiredFaults = unfired.map {
            RunModel.UnfiredFault(
                name: $0.rule.title, place: $0.rule.place, sentence: $0.message)
        }
        result.verdict = Self.verdict(of: result.failures)
        if result.verdict == .passed {
            result.controls = NegativeControl(
                evidence: evidence, expect: scenario.expect, judging: judging
            ).controls(settings.controls, scenario: planned.id, seed: seed)
        }
        return result
    }

    static func verdict(of failures: [Failure]) -> Verdict {
        let kinds = Set(failures.map(\.kind))
        if kinds.contains(.infrastructure) { return .errored }
        if !kinds.subtracting([.unfiredFault, .missedStep]).isEmpty { return .failed }
        return kinds.isEmpty ? .passed : .void
    }

    static func failure(_ fault: FaultEngine.UnfiredFault) -> Failure {
        Failure(
            .unfiredFault, subject: fault.rule.name,
            "the fault '\(fault.rule.title)' never fired: \(fault.message)",
            place: fault.rule.place)
    }

    private func missedSteps() -> [Failure] {
        machine.missed.compactMap { index in
            let entry = machine.entries[index]
            guard case .step(let verb) = entry.work else { return nil }
            guard let when = entry.when else {
                return Failure(
                    .missedStep, subject: entry.name,
                    "the step '\(verb.name)' was never taken up: the one above it was not "
                        + "carried out", place: entry.place)
            }
            if machine.states[index] == .delayed {
                return Failure(
                    .missedStep, subject: entry.name,
                    "the step '\(verb.name)' was still to come when everything was over",
                    place: entry.place)
            }
            return Failure(
                .missedStep, subject: entry.name,
                "the moment of the step '\(verb.name)' never came: \(when.text)",
                place: entry.place, notes: nearest(when))
        }
    }

    /// What came instead of the moment.
    private func nearest(_ trigger: Trigger) -> [String] {
        trigger.tasks.map(\.task).compactMap { name in
            guard let task = book.task(name) else { return "'\(name)' was never started" }
            let events = task.events.suffix(8).map { event in
                event.kind == .progress ? "progress@\(event.completed)" : event.kind.rawValue
            }
            return "\(name) had \(events.isEmpty ? "no event" : events.joined(separator: ", "))"
        }
    }

    private func evidence(_ server: MockServer) -> RunEvidence {
        RunEvidence(
            server, scenario, book: book, moments: moments, end: now, scale: timeScale,
            countsResends: !ignoresResends, contents: contents, bucket: bucket)
    }

    private var timeScale: TimeScale {
        settings.isVirtual
            ? .exact : TimeScale(factor: settings.scale, grace: .milliseconds(50))
    }
}

extension ScenarioResult {
    /// The parts that are known before the run.
    package init(_ planned: PlannedScenario, seed: UInt64, verdict: Verdict = .errored) {
        self.init(
            id: planned.id, title: planned.scenario.title.value, file: planned.file,
            verdict: verdict)
        switch planned.scenario.level {
        case .must: level = .must
        case .should: level = .should
        case .may: level = .may
        }
        sources = planned.scenario.sources.map(\.value)
        self.seed = seed
    }
}

extension Failure {
    /// The journal lacks records, so that nothing can be judged by it; nil where it is whole.
    init?(truncationOf server: MockServer) {
        let (dropped, kept) = server.assumeIsolated { ($0.droppedRecords, $0.records.count) }
        guard dropped > 0 else { return nil }
        self.init(
            .infrastructure,
            "the journal kept \(kept) exchanges and lost the \(dropped) before them, so nothing is "
                + "judged: give a larger --journal-limit")
    }
}
