import RunModel
import Scenario
import StorageModel
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("The order of a run")
struct RunOrderTests {
    private func plan() throws -> [PlannedScenario] {
        let classes = ["extras", "core", "lifecycle", "core", "extras"]
        let directory = try TemporaryDirectory()
        var planned: [PlannedScenario] = []
        for (index, name) in classes.enumerated() {
            planned += try Harness.plan(
                """
                title: An upload ends once
                source: [D5]
                class: \(name)
                smoke: \(index == 4)
                steps: [{upload: "docs/a.bin", as: up, data: {size: 1, seed: 1}}]
                """, directory: directory)
        }
        return planned
    }

    private func order(_ order: RunOrder) -> [Int] {
        var order = order
        var indices: [Int] = []
        while let index = order.next() { indices.append(index) }
        return indices
    }

    @Test("Without a budget scenarios run as they are planned")
    func unlimited() throws {
        #expect(order(RunOrder(try plan(), budget: nil, scale: 0.1)) == [0, 1, 2, 3, 4])
    }

    @Test("With a budget the smoke set comes first, then class after class")
    func ranked() throws {
        #expect(
            order(RunOrder(try plan(), budget: .seconds(600), scale: 0.1)) == [4, 1, 3, 2, 0])
    }

    @Test("What does not fit into the budget is left out, and known to be")
    func leftOut() throws {
        var order = RunOrder(try plan(), budget: .milliseconds(1), scale: 0.1)
        #expect(order.next() == nil)
        #expect(order.leftOut == [0, 1, 2, 3, 4])
    }

    @Test("A must scenario that the budget leaves out is not run, which is not green")
    func notGreen() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        let plan = try plan()
        let runner = SuiteRunner(
            Harness.client, settings: settings, jobs: 2, budget: .milliseconds(1))
        let results = await runner.run(plan).results
        #expect(results.map(\.verdict) == Array(repeating: .notRun, count: 5))
        #expect(results[0].reason == "the budget of 1ms was spent")
        var report = RunReport(
            toolVersion: "", suiteVersion: "", suiteDigest: "",
            client: RunReport.Client(name: "", version: ""), seed: 1)
        report.results = results
        #expect(report.exitCode == .red)
    }
}
