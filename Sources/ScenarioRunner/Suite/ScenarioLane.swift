import ClientDriver
import EventLoop
import FaultEngine
import RunModel
import Scenario
import StorageModel

/// Runs scenarios one after the other, with a client that is kept or made anew.
actor ScenarioLane {
    /// A driver and its loop. Touched on that loop alone, but for what is constant.
    private final class Seat: @unchecked Sendable {
        // Invariant: `driver` and `runs` are touched on the loop's thread alone.
        let loop: EventLoop
        var driver: (any ClientDriver)?
        var runs = 0

        init(_ loop: EventLoop) { self.loop = loop }
    }

    private let source: ClientSource
    private let settings: RunSettings
    private let witness: HelloWitness
    private var kept: Seat?

    init(_ source: ClientSource, _ settings: RunSettings, _ witness: HelloWitness) {
        self.source = source
        self.settings = settings
        self.witness = witness
    }

    /// Runs one scenario with as many seeds as it asks for; the first that does not pass counts.
    func run(_ planned: PlannedScenario) async -> ScenarioResult {
        if let result = Self.unrunnable(planned, settings) { return result }
        var result = ScenarioResult(planned, seed: settings.seed)
        for round in 0..<max(1, planned.scenario.runs) {
            result = await runInTime(planned, seed: settings.seed &+ UInt64(round))
            if result.verdict != .passed { break }
        }
        result.repeatCommand = settings.commandLine.repeating(planned.id, seed: result.seed)
        if let version = settings.pinnedSuite { result.becomePending(planned, version) }
        return result
    }

    /// Runs once; where the machine was in the way on the wall clock, once more.
    private func runInTime(_ planned: PlannedScenario, seed: UInt64) async -> ScenarioResult {
        let first = await runOnce(planned, seed: seed)
        guard first.verdict == .errored, !settings.isVirtual else { return first }
        var second = await runOnce(planned, seed: seed)
        second.earlierTries.append(
            Try(verdict: first.verdict, seed: seed, sentence: first.failures.first?.sentence))
        return second
    }

    /// Lets the kept client go.
    func stop() async {
        guard let seat = kept else { return }
        kept = nil
        await Self.stop(seat)
    }

    /// Ends client and loop; nothing of them is left.
    private static func stop(_ seat: Seat) async {
        await withCheckedContinuation { continuation in
            seat.loop.post {
                guard let driver = seat.driver else { return continuation.resume() }
                driver.stop {
                    seat.driver = nil
                    continuation.resume()
                }
            }
        }
        seat.loop.time?.finish()
        seat.loop.stop()
    }

    private static func unrunnable(
        _ planned: PlannedScenario, _ settings: RunSettings
    ) -> ScenarioResult? {
        var result = ScenarioResult(planned, seed: settings.seed, verdict: .skipped)
        if let first = planned.notYetSupported.first {
            result.reason = first.message
            return result
        }
        if let reason = planned.skipReason {
            result.reason = reason
            return result
        }
        if planned.scenario.faults.contains(where: \.needsTLS) {
            result.reason = "its faults of TLS are those of 'squall serve --tls'"
            return result
        }
        switch (planned.scenario.clock, settings.isVirtual) {
        case (.virtual, false): result.reason = "it cannot run in wall time"
        case (.real, true): result.reason = "it cannot run in virtual time"
        case (.any, _), (.virtual, true), (.real, false): return nil
        }
        return result
    }

    private func runOnce(_ planned: PlannedScenario, seed: UInt64) async -> ScenarioResult {
        do {
            let seat = try makeSeat()
            let result = await withCheckedContinuation { continuation in
                seat.loop.post { [source, settings, witness] in
                    Self.run(planned, seed, settings, source, witness, seat) {
                        continuation.resume(returning: $0)
                    }
                }
                seat.loop.time?.end()
            }
            await leave(seat)
            return result
        } catch {
            var result = ScenarioResult(planned, seed: seed, verdict: .errored)
            result.failures = [Failure(.infrastructure, "\(error)")]
            return result
        }
    }

    /// A loop that runs; its virtual clock stands still until `end` is called once.
    private func makeSeat() throws(LoopError) -> Seat {
        if let kept { return kept }
        let time = settings.isVirtual ? VirtualTime() : nil
        time?.begin()
        let loop = try EventLoop(time: time)
        try loop.start()
        let seat = Seat(loop)
        if source.isKept { kept = seat }
        return seat
    }

    private func leave(_ seat: Seat) async {
        if !source.isKept { await Self.stop(seat) }
    }

    /// On the loop.
    private static func run(
        _ planned: PlannedScenario, _ seed: UInt64, _ settings: RunSettings,
        _ source: ClientSource, _ witness: HelloWitness, _ seat: Seat,
        _ done: @escaping (ScenarioResult) -> Void
    ) {
        let driver = seat.driver ?? source.make(seat.loop)
        seat.driver = driver
        seat.runs += 1
        driver.hello { reply in
            switch reply {
            case .success(let hello):
                if let objection = witness.objection(to: hello) {
                    let words = "says something else of itself than before: \(objection)"
                    return disown(seat, failed(planned, seed, words), done)
                }
                let missing = planned.scenario.requiredCapabilities
                    .subtracting(hello.capabilities).sorted()
                guard missing.isEmpty else {
                    return done(skipped(planned, seed, missing))
                }
                let run = ScenarioRun(
                    planned, settings: settings, seed: seed, driver: driver,
                    capabilities: hello.capabilities)
                run.start(run: seat.runs, done)
            case .failure(let misbehaviour):
                done(failed(planned, seed, "\(misbehaviour)"))
            }
        }
    }

    /// Lets a process go that is not the client that the run is about.
    private static func disown(
        _ seat: Seat, _ result: ScenarioResult, _ done: @escaping (ScenarioResult) -> Void
    ) {
        guard let driver = seat.driver else { return done(result) }
        driver.stop {
            seat.driver = nil
            done(result)
        }
    }

    private static func failed(
        _ planned: PlannedScenario, _ seed: UInt64, _ what: String
    ) -> ScenarioResult {
        var result = ScenarioResult(planned, seed: seed, verdict: .failed)
        result.failures = [Failure(.client, "the client \(what)")]
        return result
    }

    private static func skipped(
        _ planned: PlannedScenario, _ seed: UInt64, _ missing: [Capability]
    ) -> ScenarioResult {
        var result = ScenarioResult(planned, seed: seed, verdict: .skipped)
        result.reason =
            "the client cannot: " + missing.map(\.rawValue).joined(separator: ", ")
        return result
    }
}
