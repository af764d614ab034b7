import CloudStorage
import EventLoop
import StorageModel
import TestSupport

/// What may be wrong in a round on purpose.
package enum Mischief: Hashable, Sendable {
    case queue(QueueMischief)
    case runner(RunnerMischief)
}

/// Where a round happens: who calls, who works, where callbacks come.
struct ScriptedScene: Sendable {
    let storage: Storage
    let work: EventLoop
    let queue: StressQueue
    /// Three; where one loop does everything, three times the same.
    let callers: [EventLoop]
    /// Nil where one loop does everything.
    let meeting: Rendezvous?
    let mischief: Mischief?
    let canaries: LiveCount
}

/// One task, called from three threads and from inside its callbacks while a script drives it.
final class ScriptedRound: @unchecked Sendable {
    // Invariant: what is under "callback queue" is touched there alone; the rest is constant or a lock.
    struct Outcome: Sendable {
        var number: Int
        var events: Int
        var calls: Int
        var end: Showing
        var violations: [Violation]
        var tape: [TapeEntry]
    }

    let number: Int
    let seed: UInt64
    let scene: ScriptedScene
    let recording: TaskRecording
    private let plan: ScriptedRunner.Plan
    private let runner: ScriptedRunner
    private let callersLeft = Lock(3)
    private let report: @Sendable (Outcome) -> Void

    // Callback queue.
    private var task: DrivenTask?
    private var random: SplitMix64
    private var isClosing = false
    private var hasEnded = false
    private var insideCalls = 24

    /// - Parameter seed: of the whole run.
    init(
        _ number: Int, seed: UInt64, _ scene: ScriptedScene,
        _ report: @escaping @Sendable (Outcome) -> Void
    ) {
        self.number = number
        self.seed = seed
        self.scene = scene
        self.report = report
        let own = SplitMix64.derive(seed, "round \(number)")
        random = SplitMix64(seed: SplitMix64.derive(own, "callbacks"))
        var draw = SplitMix64(seed: SplitMix64.derive(own, "plan"))
        let plan = Self.plan(scene.mischief, &draw)
        self.plan = plan
        var facts = TapeFacts()
        facts.mayFall = plan.mayFall
        facts.mayFail = plan.mayFail
        facts.mayBeTooLate = plan.asksToFinish
        facts.hasHoles = scene.mischief == nil && Int.random(in: 0..<8, using: &draw) == 0
        let recording = TaskRecording(
            queue: scene.queue, canaries: scene.canaries, facts: facts)
        self.recording = recording
        runner = ScriptedRunner(
            loop: scene.work, seed: SplitMix64.derive(own, "runner"), plan: plan
        ) { recording.note(.did($0)) }
    }

    private static func plan(
        _ mischief: Mischief?, _ draw: inout SplitMix64
    ) -> ScriptedRunner.Plan {
        var wrong: RunnerMischief?
        if case .runner(let wanted) = mischief { wrong = wanted }
        return ScriptedRunner.Plan(
            total: Int.random(in: 0..<12, using: &draw) == 0 ? 0 : 1_000,
            mayFall: Int.random(in: 0..<5, using: &draw) == 0 && mischief == nil,
            mayFail: Int.random(in: 0..<3, using: &draw) == 0,
            asksToFinish: Int.random(in: 0..<3, using: &draw) == 0, mischief: wrong)
    }

    // MARK: The beginning

    /// Makes the task on the callback queue, so that the recorders miss nothing, and calls the callers.
    func start() { scene.queue.note { [self] in make() } }

    private func make() {
        let (runner, canary) = (runner, recording.canary())
        let task = DrivenTask(
            reference: scene.storage.reference(withPath: "round"),
            total: number.isMultiple(of: 2) ? plan.total : nil, runner: { runner },
            completion: { [self] snapshot in
                _ = canary
                completed(snapshot)
            })
        self.task = task
        recording.inside = { [self] task in callInside(task) }
        recording.attach(to: task)
        task.begin()
        for (index, caller) in scene.callers.enumerated() {
            caller.post { [self] in ScriptedCaller(self, task, index).act() }
        }
    }

    // MARK: Callbacks

    private func completed(_ snapshot: StorageTaskSnapshot) {
        recording.tape.append(.completed(Showing(snapshot)))
        callInside(snapshot.task)
        hasEnded = true
        finishIfDone()
    }

    private func callInside(_ task: StorageObservableTask) {
        guard insideCalls > 0, !isClosing, Int.random(in: 0..<3, using: &random) == 0 else {
            return
        }
        insideCalls -= 1
        let removesMany = recording.shared.withLock { $0.facts.hasHoles }
        let call = TaskCall.random(&random, removesMany: removesMany)
        recording.tape.append(.note(.did("inside: \(call)")))
        TaskHand(recording, isInside: true).perform(call, on: task, &random)
    }

    // MARK: The end

    /// A caller has made its calls; the last one sees to it that the task ends.
    func callerEnded(_ task: DrivenTask) {
        let left = callersLeft.withLock { left in
            left -= 1
            return left
        }
        if left == 0 { scene.queue.note { [self] in close(task) } }
    }

    private func close(_ task: DrivenTask) {
        isClosing = true
        runner.hurry()
        recording.tape.append(.note(.did("closing")))
        let hand = TaskHand(recording, isInside: true)
        if Int.random(in: 0..<4, using: &random) == 0 { hand.perform(.cancel, on: task, &random) }
        // A cancel may come too late, while the runner waits to go on.
        hand.perform(.resume, on: task, &random)
        finishIfDone()
    }

    private func finishIfDone() {
        guard hasEnded, isClosing else { return }
        scene.work.post { [self] in letRunnerEnd() }
    }

    /// Everything late has come when the runner has no turn left.
    private func letRunnerEnd() {
        guard runner.pending == 0 else { return scene.work.post { [self] in letRunnerEnd() } }
        runner.end()
        scene.queue.note { [self] in scene.queue.note { [self] in judge() } }
    }

    private func judge() {
        guard let task else { return }
        self.task = nil
        let events = recording.events.count
        let (violations, tape) = recording.judge()
        report(
            Outcome(
                number: number, events: events, calls: recording.shared.withLock { $0.calls },
                end: Showing(task.snapshot), violations: violations, tape: tape))
    }

    /// For a round that does not end.
    func tapeSoFar() -> [String] {
        let copy = Recorder<[String]>()
        scene.queue.note { [self] in copy.append(recording.tape.map(\.description)) }
        do {
            return try copy.wait(count: 1).first ?? []
        } catch {
            return ["the callback queue stands still"]
        }
    }
}
