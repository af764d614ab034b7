import Scenario
import TestSupport

/// Scenarios of a text, in a directory that lives as long as this.
struct TemporaryPlan {
    let planned: [PlannedScenario]
    private let directory: TemporaryDirectory

    init(_ text: String) throws {
        directory = try TemporaryDirectory()
        planned = try Harness.plan(text, directory: directory)
    }
}
