import CloudStorage
import EventLoop
import StorageModel

/// What a runner reports that no runner may report: what the checker has to notice.
package enum RunnerMischief: String, Hashable, Sendable, CaseIterable {
    case goesBeyondTotal = "more bytes than there are in all"
    case changesTotal = "another number of bytes in all"
    case endsShort = "a success without all bytes"
}

/// Drives a task by chance: progress, stops, ends; some of it late, of an older start, unasked or twice.
final class ScriptedRunner: TransferRunner, @unchecked Sendable {
    // Invariant: touched on the loop alone after `init`, but for `isHurrying`, which is a lock.
    struct Plan: Sendable {
        var total: Int64
        var mayFall: Bool
        var mayFail: Bool
        /// Asks before it puts its result in place, and takes its time then.
        var asksToFinish: Bool
        var mischief: RunnerMischief?
    }

    private let isHurrying = Lock(false)
    private let loop: EventLoop
    private let plan: Plan
    private let note: @Sendable (String) -> Void
    private var random: SplitMix64
    private var task: DrivenTask?
    private var generation = 0
    private var completed: Int64 = 0
    private var isRunning = false
    private var steps = 0
    /// Turns of the loop that were asked for and have not come.
    private(set) var pending = 0

    init(
        loop: EventLoop, seed: UInt64, plan: Plan, note: @escaping @Sendable (String) -> Void
    ) {
        self.loop = loop
        self.plan = plan
        self.note = note
        random = SplitMix64(seed: seed)
    }

    // MARK: What the task asks for

    func begin(_ task: StorageObservableTask, generation: Int) {
        note("runner: begin \(generation)")
        self.task = task as? DrivenTask
        self.generation = generation
        isRunning = true
        later(0) { $0.step() }
    }

    func halt(generation: Int) {
        guard generation == self.generation, isRunning, let task else { return }
        note("runner: halt \(generation)")
        isRunning = false
        later(chance(50) ? 0 : number(8)) { runner in
            guard runner.generation == generation else { return }
            switch runner.number(100) {
            case 0..<8: runner.succeed(task)
            case 8..<12 where runner.plan.mayFail: runner.fail(task)
            default:
                // Progress that comes while a pause is under way is not told.
                if runner.chance(40) { runner.progress(task) }
                runner.note("runner: stopped \(generation) @\(runner.completed)")
                task.stopped(generation: generation, completed: runner.completed)
                if runner.chance(10) { runner.lie(task, generation) }
            }
        }
    }

    func abandon() {
        note("runner: abandon")
        isRunning = false
        guard let task, chance(60) else { return }
        let generation = generation
        later(number(4)) { $0.lie(task, generation) }
    }

    /// From now on it ends as soon as it runs; from any thread.
    func hurry() { isHurrying.withLock { $0 = true } }

    /// Lets go of the task; nothing is to come any more.
    func end() { task = nil }

    // MARK: Chance

    private func chance(_ percent: Int) -> Bool { number(100) < percent }

    private func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private func later(_ turns: Int, _ work: @escaping @Sendable (ScriptedRunner) -> Void) {
        pending += 1
        turn(turns, work)
    }

    private func turn(_ turns: Int, _ work: @escaping @Sendable (ScriptedRunner) -> Void) {
        loop.post { [self] in
            if turns > 0 { return turn(turns - 1, work) }
            pending -= 1
            work(self)
        }
    }

    // MARK: Reports

    private func step() {
        guard isRunning, let task else { return }
        steps += 1
        let hurries = isHurrying.withLock { $0 }
        switch number(100) {
        case _ where hurries || steps > 2_000: return end(task)
        case 0..<50: progress(task)
        case 50..<60: lie(task, generation - 1)
        case 60..<63:
            // Nobody asked, or the asking is on its way: both must be right.
            task.stopped(generation: generation, completed: completed)
        case 63..<65 where plan.mayFail: return fail(task)
        case 65..<67: return end(task)
        default: break
        }
        later(chance(70) ? 0 : number(6)) { $0.step() }
    }

    private func progress(_ task: DrivenTask) {
        let rest = plan.total - completed
        if plan.mayFall, chance(15) {
            completed = Int64(number(Int(completed) + 1))
        } else if rest > 1 {
            completed += Int64(number(Int(min(rest, 90)))) + (chance(30) ? 0 : 1)
            completed = min(completed, plan.total)
        }
        var told = completed
        var total: Int64? = chance(50) ? plan.total : nil
        if steps > 6, chance(20) {
            switch plan.mischief {
            case .goesBeyondTotal: told = plan.total + 1
            case .changesTotal: total = plan.total + 7
            case .endsShort, nil: break
            }
        }
        note("runner: progress \(generation) @\(told)")
        task.progressed(generation: generation, completed: told, total: total)
    }

    /// Reports something that is not so: late, or for a start that is over.
    private func lie(_ task: DrivenTask, _ generation: Int) {
        let bytes = Int64(number(Int(plan.total) + 1))
        note("runner: late report of \(generation)")
        switch number(4) {
        case 0: task.progressed(generation: generation, completed: bytes)
        case 1: task.stopped(generation: generation, completed: bytes)
        case 2: task.succeeded(generation: generation, completed: plan.total)
        default: task.failed(generation: generation, StorageFailure(.unknown, "late"))
        }
    }

    private func end(_ task: DrivenTask) {
        isRunning = false
        guard plan.asksToFinish else { return succeed(task) }
        let generation = generation
        guard task.mayFinish(generation: generation) else { return }
        note("runner: finishes \(generation)")
        later(number(5)) { runner in
            if runner.plan.mayFail, runner.chance(20) { return runner.fail(task) }
            runner.succeed(task)
        }
    }

    private func succeed(_ task: DrivenTask) {
        note("runner: succeeded \(generation)")
        completed = plan.mischief == .endsShort ? max(0, plan.total - 1) : plan.total
        task.succeeded(generation: generation, completed: completed)
        if chance(20) { lie(task, generation) }
    }

    private func fail(_ task: DrivenTask) {
        note("runner: failed \(generation)")
        task.failed(generation: generation, StorageFailure(.unknown, "The script says so."))
        if chance(20) { lie(task, generation) }
    }
}
