import CloudStorage
import EventLoop
import StorageModel
import TestSupport

/// Scripted rounds until so many transitions were seen: no server, no file, three threads.
package final class ScriptedStress: @unchecked Sendable {
    // Invariant: what changes is in a lock.
    package struct Settings: Sendable {
        package var seed: UInt64
        /// Events that the recorders are to see: each is a transition that happened.
        package var transitions: Int
        /// True: everything on one thread, call by call; the same seed gives the same tapes.
        package var isOneThread = false
        package var mischief: Mischief?
        package var firstRound = 0
        /// So often the first round and no other, for a replay; nil: one round after the other.
        package var repeats: Int?
        /// Rounds at once.
        package var window = 6
        package var limit: Duration
        /// Rounds that broke a rule, after which no more are begun.
        package var patience = 3
        /// False: others in this process open descriptors, too, so that they are not counted.
        package var isAlone = true

        package init(seed: UInt64, transitions: Int, limit: Duration = .seconds(3_600)) {
            self.seed = seed
            self.transitions = transitions
            self.limit = limit
        }
    }

    package struct Report: Sendable {
        package var rounds = 0
        package var transitions = 0
        package var calls = 0
        /// How the rounds ended, by the description of the status and code.
        package var ends: [String: Int] = [:]
        package var findings: [StressFinding] = []
        /// Rounds whose tape broke no rule.
        package var goodRounds = 0
        package var digest: UInt64 = 0
    }

    private struct State {
        var report = Report()
        var next: Int
        var running: [Int: ScriptedRound] = [:]
        var isStopping = false
    }

    private let settings: Settings
    private let start = EventLoop.monotonic()
    private let state: Lock<State>
    private let done = Recorder<Bool>()

    private init(_ settings: Settings) {
        self.settings = settings
        state = Lock(State(next: settings.firstRound))
    }

    /// Blocks until everything has ended.
    ///
    /// - Throws: `LoopError` when the machine has no thread or descriptor left.
    package static func run(_ settings: Settings) throws -> Report {
        // What is made once for the process, is made before anything is counted.
        let descriptors = ProcessState.descriptorCount
        let canaries = LiveCount()
        let stress = ScriptedStress(settings)
        try stress.play(canaries)
        var report = stress.state.withLock { $0.report }
        var left: [Violation] = []
        if canaries.value > 0 {
            left.append(Violation(.leftover, "\(canaries.value) closures of tasks still live"))
        }
        let after = ProcessState.descriptorCount
        if settings.isAlone, after > descriptors {
            left.append(Violation(.leftover, "\(after) descriptors, before \(descriptors)"))
        }
        // A round that never ended keeps what it has.
        if !left.isEmpty, !report.findings.contains(where: { $0.violations.first?.rule == .ends }) {
            report.findings.append(StressFinding(place: "all rounds", violations: left))
        }
        return report
    }

    private func play(_ canaries: LiveCount) throws {
        let work = try EventLoop()
        let callbacks = settings.isOneThread ? work : try EventLoop()
        let callers = try (0..<3).map { _ in settings.isOneThread ? work : try EventLoop() }
        let loops = settings.isOneThread ? [work] : [work, callbacks] + callers
        for loop in loops { try loop.start() }
        let engine = StorageEngine(loop: work)
        let storage = Storage(bucket: "stress", engine: engine)
        var queueMischief: QueueMischief?
        if case .queue(let wanted) = settings.mischief { queueMischief = wanted }
        let queue = StressQueue(loop: callbacks, mischief: queueMischief)
        storage.callbacks = queue
        let scene = ScriptedScene(
            storage: storage, work: work, queue: queue, callers: callers,
            meeting: settings.isOneThread ? nil : Rendezvous(threads: 3),
            mischief: settings.mischief, canaries: canaries)
        // In one turn, so that on one thread nothing can come between.
        callbacks.post { [self] in
            for _ in 0..<(settings.repeats == nil ? settings.window : 1) { begin(scene) }
        }
        awaitEnd()
        work.post { engine.shutDown() }
        for loop in loops.reversed() { loop.stop() }
    }

    private func begin(_ scene: ScriptedScene) {
        let number = state.withLock { state in
            defer { state.next += settings.repeats == nil ? 1 : 0 }
            return state.next
        }
        let round = ScriptedRound(number, seed: settings.seed, scene) { [self] outcome in
            ended(outcome, scene)
        }
        state.withLock { $0.running[number] = round }
        round.start()
    }

    private func ended(_ outcome: ScriptedRound.Outcome, _ scene: ScriptedScene) {
        let (goesOn, isOver) = state.withLock { state -> (Bool, Bool) in
            state.running[outcome.number] = nil
            note(outcome, &state.report)
            let spent = Duration.nanoseconds(EventLoop.monotonic() - start)
            let isEnough =
                settings.repeats.map { state.report.rounds >= $0 }
                ?? (state.report.transitions >= settings.transitions)
            let isTooMuch = state.report.findings.count >= settings.patience
            if isEnough || isTooMuch || spent > settings.limit { state.isStopping = true }
            return (!state.isStopping, state.isStopping && state.running.isEmpty)
        }
        if goesOn { begin(scene) }
        if isOver { done.append(true) }
    }

    private func note(_ outcome: ScriptedRound.Outcome, _ report: inout Report) {
        report.rounds += 1
        report.transitions += outcome.events
        report.calls += outcome.calls
        report.ends[outcome.end.name, default: 0] += 1
        report.digest = SplitMix64.derive(
            report.digest,
            "\(outcome.number) \(outcome.events) \(outcome.calls) \(outcome.end.name)")
        guard !outcome.violations.isEmpty else {
            report.goodRounds += 1
            return
        }
        report.findings.append(
            StressFinding(
                place: "round \(outcome.number)", number: outcome.number,
                violations: outcome.violations, tape: outcome.tape.map(\.description)))
    }

    /// Gives up when no round ends any more.
    private func awaitEnd() {
        var before = -1
        while true {
            do {
                try done.wait(count: 1, within: .seconds(20))
                return
            } catch {
                let rounds = state.withLock { $0.report.rounds }
                if rounds == before { return giveUp() }
                before = rounds
            }
        }
    }

    private func giveUp() {
        let running = state.withLock { $0.running.values.sorted { $0.number < $1.number } }
        for round in running.prefix(3) {
            let tape = round.tapeSoFar()
            let finding = StressFinding(
                place: "round \(round.number)", number: round.number,
                violations: [Violation(.ends, "the task has not ended for 20 seconds")], tape: tape)
            state.withLock { $0.report.findings.append(finding) }
        }
        state.withLock { state in
            state.isStopping = true
            state.running = [:]
        }
    }
}
