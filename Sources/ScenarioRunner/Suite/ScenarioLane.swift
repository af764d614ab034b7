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
        // Invariant: all but `loop` is touched on the loop's thread alone.
        let loop: EventLoop
        var driver: (any ClientDriver)?
        var runs = 0
        /// What is under way; nil while the client is asked who it is.
        var current: ScenarioRun?
        var isBusy = false

        init(_ loop: EventLoop) { self.loop = loop }
    }

    private let source: ClientSource
    private let settings: RunSettings
    private let witness: HelloWitness
    private let isCancelled: @Sendable () -> Bool
    private let judging: Judging
    private var kept: Seat?

    init(
        _ source: ClientSource, _ settings: RunSettings, _ witness: HelloWitness,
        _ judging: Judging, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.source = source
        self.settings = settings
        self.witness = witness
        self.judging = judging
        self.isCancelled = isCancelled
    }

    /// Runs one scenario with as many seeds as it asks for; the first that does not pass counts.
    func run(_ planned: PlannedScenario) async -> Turn {
        if let result = Self.unrunnable(planned, settings) { return Turn(result: result) }
        var turn = await runInTime(planned, seed: settings.seed)
        var round: UInt64 = 1
        while round < planned.scenario.runs, turn.result.verdict == .passed {
            turn.confirmed(await runInTime(planned, seed: settings.seed &+ round))
            round += 1
        }
        turn.result = turn.result.noting(planned.rewrites)
        turn.result.repeatCommand = settings.commandLine.repeating(
            planned.id, seed: turn.result.seed)
        if let version = settings.pinnedSuite { turn.result.becomePending(planned, version) }
        return turn
    }

    /// Runs once; where the machine was in the way on the wall clock, once more.
    private func runInTime(_ planned: PlannedScenario, seed: UInt64) async -> Turn {
        var turn = await runOnce(planned, seed: seed)
        guard turn.result.verdict == .errored, !settings.isVirtual else { return turn }
        let first = turn.result
        turn.repeated(await runOnce(planned, seed: seed))
        turn.result.earlierTries.append(
            Try(verdict: first.verdict, seed: seed, sentence: first.failures.first?.sentence))
        return turn
    }

    /// Lets the kept client go. Returns what it did wrong since its last scenario, and to the last.
    func stop() async -> [ClientMisbehaviour] {
        guard let seat = kept else { return [] }
        kept = nil
        return await Self.stop(seat)
    }

    /// Ends client and loop; nothing of them is left. Returns how the client misbehaved to the last.
    private static func stop(_ seat: Seat) async -> [ClientMisbehaviour] {
        let aftermath = await withCheckedContinuation {
            (continuation: CheckedContinuation<[ClientMisbehaviour], Never>) in
            seat.loop.post {
                guard let driver = seat.driver else { return continuation.resume(returning: []) }
                driver.stop {
                    seat.driver = nil
                    continuation.resume(returning: driver.takeAftermath())
                }
            }
        }
        seat.loop.time?.finish()
        seat.loop.stop()
        return aftermath
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

    private func runOnce(_ planned: PlannedScenario, seed: UInt64) async -> Turn {
        do {
            let seat = try makeSeat()
            var turn = await withCheckedContinuation { continuation in
                seat.loop.post { [source, settings, judging, witness, isCancelled] in
                    Self.run(planned, seed, settings, judging, source, witness, seat) { turn in
                        seat.isBusy = false
                        seat.current = nil
                        continuation.resume(returning: turn)
                    }
                    if !settings.isVirtual { Self.watch(seat, isCancelled) }
                }
                seat.loop.time?.end()
            }
            // A client of its own ends with its scenario.
            if !source.isKept { turn.result.blame(await Self.stop(seat)) }
            return turn
        } catch {
            var result = ScenarioResult(planned, seed: seed, verdict: .errored)
            result.failures = [Failure(.infrastructure, "\(error)")]
            return Turn(result: result)
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

    /// On the loop: looks from time to time whether the run is to end.
    private static func watch(_ seat: Seat, _ isCancelled: @escaping @Sendable () -> Bool) {
        guard seat.isBusy else { return }
        guard isCancelled() else {
            _ = seat.loop.realTimer(after: .milliseconds(50)) { watch(seat, isCancelled) }
            return
        }
        if let run = seat.current { run.interrupt() } else { seat.driver?.stop {} }
    }

    /// On the loop.
    private static func run(
        _ planned: PlannedScenario, _ seed: UInt64, _ settings: RunSettings,
        _ judging: Judging, _ source: ClientSource, _ witness: HelloWitness, _ seat: Seat,
        _ done: @escaping (Turn) -> Void
    ) {
        let driver = seat.driver ?? source.make(seat.loop)
        seat.driver = driver
        seat.runs += 1
        seat.isBusy = true
        let done = { (result: ScenarioResult) in
            driver.record(with: nil)
            let isServed = seat.current?.isServed ?? false
            done(Turn(result: result, before: driver.takeAftermath(), isServed: isServed))
        }
        do {
            driver.record(
                with: try settings.transcripts?.open(planned.id, seed: seed, scale: settings.scale))
        } catch {
            var result = ScenarioResult(planned, seed: seed, verdict: .errored)
            result.failures = [Failure(.infrastructure, "no transcript: \(error)")]
            return done(result)
        }
        driver.hello { reply in
            switch reply {
            case .success(let hello):
                if let objection = witness.objection(to: hello) {
                    let change = ClientMisbehaviour.changed(difference: objection)
                    return disown(seat, failed(planned, seed, "\(change)"), done)
                }
                let missing = planned.scenario.requiredCapabilities
                    .subtracting(hello.capabilities).sorted()
                guard missing.isEmpty else {
                    return done(skipped(planned, seed, missing))
                }
                let run = ScenarioRun(
                    planned, settings: settings, seed: seed, driver: driver,
                    capabilities: hello.capabilities, judging: judging)
                seat.current = run
                run.start(run: seat.runs, done)
            case .failure(.stopped):
                var result = ScenarioResult(planned, seed: seed, verdict: .notRun)
                result.reason = "the run was ended before it"
                done(result)
            case .failure(let misbehaviour):
                var result = failed(planned, seed, "\(misbehaviour)")
                result.clientOutput = ClientLog.text(driver.errorOutput)
                done(result)
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
