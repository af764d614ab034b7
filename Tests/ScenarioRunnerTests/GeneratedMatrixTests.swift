import Foundation
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import Testing

/// The generated matrix finds wrong clients, and lets right ones pass.
@Suite("Generated matrix, run", .serialized)
struct GeneratedMatrixRunTests {
    @Test("A wrong client turns generated rows red", arguments: GeneratedMistake.all)
    func finds(_ client: GeneratedMistake) async throws {
        let plan = client.rows.flatMap { FaultTable.plan($0).planned }
        let run = await SuiteRunner(client.source, settings: RunSettings(), jobs: 2).run(plan)
        let red = run.results.filter { $0.verdict == .failed }
        let others = run.results.filter { ![.failed, .passed, .void].contains($0.verdict) }
        #expect(others.map { "\($0.id): \($0.verdict)" } == [])
        #expect(
            client.caught.contains(red.count),
            "\(client.name): \(red.count) of \(plan.count) rows are red")
        print("\(client.name): \(red.count) of \(plan.count) rows are red")
    }

    /// `SQUALL_HABITS=all` takes every row; else one in so many.
    private static let step =
        ProcessInfo.processInfo.environment["SQUALL_HABITS"] == "all" ? 1 : 11

    @Test(
        "A client with all habits of a profile passes the rows that the profile does not leave out",
        arguments: ["javascript", "android"])
    func hasAllHabits(_ name: String) async throws {
        let profile = try Habits.profile("base: \(name)\nname: mine\n")
        try await Self.check(HabitClient(traits: profile.traits).source, profile)
    }

    @Test("The reference client as the profile apple has it passes the rows that are not left out")
    func isApple() async throws {
        let profile = try Habits.profile("base: apple\nname: mine\n")
        let apple = ReferenceDriver.behaviour(of: ["apple"])
        let source = ClientSource(isKept: false) { ReferenceDriver(loop: $0, behaviour: apple) }
        try await Self.check(source, profile)
    }

    private static func check(_ source: ClientSource, _ profile: Profile) async throws {
        let rows = stride(from: 0, to: GeneratedMatrix.planned.count, by: step).map {
            GeneratedMatrix.planned[$0]
        }
        let plan = rows.map(profile.rewriting)
        let run = await SuiteRunner(source, settings: RunSettings(), jobs: 2).run(plan)
        for result in run.results where ![.passed, .skipped].contains(result.verdict) {
            Issue.record("\(profile.departures): \(Habits.Outcome(result: result)) \(result.id)")
        }
        // More than half of them are carried out.
        let passed = run.results.count { $0.verdict == .passed }
        #expect(passed * 2 > plan.count, "\(passed) of \(plan.count)")
    }
}
