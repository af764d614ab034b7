import RunModel
import Scenario

// What shows that the green of a run could have been red.
extension SuiteRunner {
    func controls(
        _ plan: [PlannedScenario], _ results: [ScenarioResult],
        since start: ContinuousClock.Instant, _ isCancelled: @escaping @Sendable () -> Bool
    ) async -> ControlReport? {
        guard settings.controls != .none else { return nil }
        var report = ControlReport(
            controls: results.flatMap(\.controls),
            passed: results.filter { $0.verdict == .passed }.map(\.id))
        report.twins = await FaultFreeTwins(plan, results)
            .run(uncontrolled(since: start), isCancelled)
        return report
    }

    /// What is kept of the budget for the runs without faults: at most a quarter of it.
    func reserve(_ plan: [PlannedScenario]) -> Duration {
        guard let budget, settings.controls != .none, !settings.isVirtual else { return .zero }
        let times = WallEstimate.twins(of: plan, scale: settings.scale)
        return min(times.reduce(.zero, +) / min(jobs, max(1, times.count)), budget / 4)
    }

    /// The same client without lists and without controls of its own, with what is left of the budget.
    private func uncontrolled(since start: ContinuousClock.Instant) -> SuiteRunner {
        var settings = settings
        settings.controls = .none
        return SuiteRunner(
            source, settings: settings, jobs: jobs, budget: budget, since: start, judging: judging)
    }
}
