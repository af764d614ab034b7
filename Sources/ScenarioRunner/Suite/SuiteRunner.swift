package import ClientDriver
import EventLoop
package import RunModel
package import Scenario
import StorageModel

/// Runs planned scenarios, several at once, and loses none: each of the plan has a result.
package struct SuiteRunner: Sendable {
    package struct Progress: Sendable {
        /// Scenarios that are over.
        package let done: Int
        package let planned: Int
        package let result: ScenarioResult
    }

    /// What a run gives.
    package struct Outcome: Sendable {
        /// In the order of the plan, one for each.
        package let results: [ScenarioResult]
        /// What the client said of itself; nil when it was never asked.
        package let hello: ClientHello?
        package let wallDuration: Duration
        /// Nil where the settings ask for none.
        package let controls: ControlReport?
    }

    let source: ClientSource
    let settings: RunSettings
    let jobs: Int
    let budget: Duration?
    /// When the budget began to be spent; nil: it begins with the run.
    private let start: ContinuousClock.Instant?
    private let lists: BoundLists?
    let judging: Judging

    /// - Parameters:
    ///   - jobs: scenarios at once; 1 or more.
    ///   - lists: what is known to fail, or to fail at times.
    ///   - budget: of wall time, for controls too: what does not fit is not run; nil: as long as it
    ///     takes.
    package init(
        _ source: ClientSource, settings: RunSettings, jobs: Int = 1, lists: BoundLists? = nil,
        budget: Duration? = nil
    ) {
        self.init(
            source, settings: settings, jobs: jobs, lists: lists, budget: budget, judging: .whole)
    }

    /// - Parameter judging: what verdicts and controls are made by.
    init(
        _ source: ClientSource, settings: RunSettings, jobs: Int = 1, lists: BoundLists? = nil,
        budget: Duration? = nil, since start: ContinuousClock.Instant? = nil, judging: Judging
    ) {
        self.source = source
        self.settings = settings
        self.jobs = max(1, jobs)
        self.lists = lists
        self.budget = budget
        self.start = start
        self.judging = judging
    }

    /// - Parameters:
    ///   - isCancelled: asked before each scenario; true: the rest is not run.
    ///   - progress: called after each scenario, one call at a time.
    package func run(
        _ plan: [PlannedScenario], isCancelled: @escaping @Sendable () -> Bool = { false },
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async -> Outcome {
        let start = ContinuousClock.now
        let (results, hello) = await runAll(plan, since: start, isCancelled, progress)
        let controls = await controls(plan, results, since: start, isCancelled)
        return Outcome(
            results: results, hello: hello, wallDuration: ContinuousClock.now - start,
            controls: controls)
    }

    private func runAll(
        _ plan: [PlannedScenario], since start: ContinuousClock.Instant,
        _ isCancelled: @escaping @Sendable () -> Bool,
        _ progress: @escaping @Sendable (Progress) -> Void
    ) async -> ([ScenarioResult], ClientHello?) {
        let order = RunOrder(
            plan, budget: budget, scale: settings.isVirtual ? nil : settings.scale,
            start: self.start ?? start, reserve: reserve(plan))
        let board = Board(plan, order, lists, progress)
        let witness = HelloWitness(settings.hello)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(jobs, max(1, plan.count)) {
                group.addTask { await work(board, witness, isCancelled) }
            }
        }
        return (await board.results(seed: settings.seed), witness.hello)
    }

    private func work(
        _ board: Board, _ witness: HelloWitness, _ isCancelled: @escaping @Sendable () -> Bool
    ) async {
        let lane = ScenarioLane(
            source, settings, witness, judging, isCancelled: isCancelled)
        var last: Int?
        while !isCancelled(), let (index, planned) = await board.next() {
            let turn = await lane.run(planned)
            // Only now is known what the client did after the one that it served before.
            await board.blame(last, turn.before)
            let result = await tried(planned, turn.result, lane, isCancelled)
            await board.set(result, at: index)
            if turn.isServed { last = index }
            // Where it never says who it is, one failure for each lane shows as much as hundreds.
            if witness.hello == nil, ![.skipped, .errored].contains(result.verdict) {
                await board.giveUp("the client never said hello")
            }
        }
        await board.blame(last, lane.stop())
    }

    /// Runs a scenario once more where the lists allow that, and judges it as they say.
    private func tried(
        _ planned: PlannedScenario, _ first: ScenarioResult, _ lane: ScenarioLane,
        _ isCancelled: @Sendable () -> Bool
    ) async -> ScenarioResult {
        guard let lists else { return first }
        var result = first
        while lists.wantsAnotherTry(result), !isCancelled() {
            let turn = await lane.run(planned)
            result.blame(turn.before)
            // What it did after the try may be more than the list knows.
            guard lists.wantsAnotherTry(result) else { break }
            var next = turn.result
            next.earlierTries = result.earlierTries + [Try(result)] + next.earlierTries
            result = next
        }
        return lists.judged(result)
    }

    /// What is planned, what is taken and what came of it.
    private actor Board {
        private let plan: [PlannedScenario]
        private let lists: BoundLists?
        private let progress: @Sendable (Progress) -> Void
        private var order: RunOrder
        private var finished: [Int: ScenarioResult] = [:]
        /// Why the rest is not run.
        private var reason = "the run was ended before it"

        init(
            _ plan: [PlannedScenario], _ order: RunOrder, _ lists: BoundLists?,
            _ progress: @escaping @Sendable (Progress) -> Void
        ) {
            self.plan = plan
            self.order = order
            self.lists = lists
            self.progress = progress
        }

        func next() -> (Int, PlannedScenario)? {
            order.next().map { ($0, plan[$0]) }
        }

        /// Nothing more is begun.
        func giveUp(_ reason: String) {
            self.reason = reason
            order.stop()
        }

        func set(_ result: ScenarioResult, at index: Int) {
            finished[index] = result
            progress(Progress(done: finished.count, planned: plan.count, result: result))
        }

        /// Holds against a scenario what its client did once it was over.
        func blame(_ index: Int?, _ misbehaviours: [ClientMisbehaviour]) {
            guard let index, !misbehaviours.isEmpty, var result = finished[index] else { return }
            // What the lists said was said of a client that had not yet done this.
            result = result.beforeLists
            result.blame(misbehaviours)
            finished[index] = lists?.judged(result) ?? result
        }

        func results(seed: UInt64) -> [ScenarioResult] {
            plan.indices.map { index in
                if let result = finished[index] { return result }
                var result = ScenarioResult(plan[index], seed: seed, verdict: .notRun)
                result.reason =
                    order.leftOut.contains(index)
                    ? "the budget of \(order.budgetText) was spent" : reason
                return result
            }
        }
    }
}
