import RunModel
import Scenario

// What shows that the green of a run could have been red.
extension SuiteRunner {
    func controls(
        _ plan: [PlannedScenario], _ results: [ScenarioResult],
        _ isCancelled: @escaping @Sendable () -> Bool
    ) async -> ControlReport? {
        guard settings.controls != .none else { return nil }
        var report = ControlReport(
            controls: results.flatMap(\.controls),
            passed: results.filter { $0.verdict == .passed }.map(\.id))
        report.twins = await FaultFreeTwins(plan, results).run(uncontrolled, isCancelled)
        return report
    }

    /// The same client without lists and without controls of its own.
    private var uncontrolled: SuiteRunner {
        var settings = settings
        settings.controls = .none
        return SuiteRunner(source, settings: settings, jobs: jobs, judging: judging)
    }
}
