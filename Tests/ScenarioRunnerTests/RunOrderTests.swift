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

    @Test("What was spent before, and what is kept for later, is not there for scenarios")
    func spent() throws {
        let plan = try plan()
        let ago = ContinuousClock.now - .seconds(59.9)
        var late = RunOrder(plan, budget: .seconds(60), scale: 0.1, start: ago)
        #expect(late.next() == nil)
        var modest = RunOrder(plan, budget: .seconds(60), scale: 0.1, reserve: .seconds(59.9))
        #expect(modest.next() == nil)
        #expect(modest.budgetText == "60s")
        var free = RunOrder(plan, budget: .seconds(60), scale: 0.1, reserve: .seconds(20))
        #expect(free.next() == 4)
    }

    @Test("Runs without faults come out of the same budget, which keeps a part for them")
    func twins() async throws {
        let directory = try TemporaryDirectory()
        let plan = try Harness.plan(
            """
            title: An upload goes on after a refusal
            source: [D5]
            smoke: true
            faults: [{match: "upload.start#1", do: {respond: 503}}]
            steps: [{upload: "docs/a.bin", as: up, data: {size: 1, seed: 1}}]
            expect: {up: {events: [resume, progress+, success]}}
            """, directory: directory)
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        settings.controls = .one
        let runner = SuiteRunner(Harness.client, settings: settings, budget: .seconds(600))
        let reserve = runner.reserve(plan)
        #expect(reserve > .milliseconds(300))
        #expect(SuiteRunner(Harness.client, settings: settings).reserve(plan) == .zero)
        let short = SuiteRunner(Harness.client, settings: settings, budget: .seconds(1))
        #expect(short.reserve(plan) == .milliseconds(250))

        let outcome = await runner.run(plan)
        #expect(outcome.results.map(\.verdict) == [.passed])
        #expect(outcome.controls?.twins.map(\.outcome) == [.differs])
        let ago = ContinuousClock.now - .seconds(600)
        let late = await runner.controls(plan, outcome.results, since: ago) { false }
        #expect(late?.twins.map(\.outcome) == [.notRun])
        #expect(late?.twins.first?.reason == "the budget of 600s was spent")
    }

    @Test("A must scenario that the budget leaves out is not run, which is not green")
    func notGreen() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
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
