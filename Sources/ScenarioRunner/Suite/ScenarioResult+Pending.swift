import RunModel
import Scenario

extension ScenarioResult {
    /// A scenario that came after the suite that the client is pinned to was run and is shown, and is
    /// never red.
    mutating func becomePending(_ planned: PlannedScenario, _ pinned: SuiteVersion) {
        let since = planned.scenario.since
        guard since > pinned, verdict != .skipped, verdict != .notRun else { return }
        reason =
            "it came with suite \(since), and the client is pinned to \(pinned): \(verdict.text)"
        verdict = .pending
    }
}
