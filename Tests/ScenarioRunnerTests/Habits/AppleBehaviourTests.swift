import CloudStorage
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import Testing

/// The reference client that behaves as the SDK for Apple platforms does, under the profile `apple`.
@Suite("The reference client as the profile apple has it", .serialized)
struct AppleBehaviourTests {
    private static let client = ClientSource(isKept: false) {
        ReferenceDriver(loop: $0, behaviour: .apple)
    }

    /// Traits in which a client that knows nothing of them may pass, so that they are left to the client
    /// of the tests that has them: why.
    private static let loose: [Scenario.Trait: String] = [
        .checksum: "under `verified` the scenarios want a client that says it compares",
        .pauseEvent: "with sent bytes nothing but the order is left of a test on a pause",
        .memoryPause:
            "no scenario of the suite shows it; the one of the client with that habit does",
    ]

    private static func profile(_ more: String = "") throws -> Profile {
        try Habits.profile("base: apple\nname: mine\n" + more)
    }

    private static func run(_ plan: [PlannedScenario]) async -> [ScenarioResult] {
        await SuiteRunner(client, settings: RunSettings(), jobs: 2).run(plan).results
    }

    @Test("It passes every scenario that the profile does not leave out")
    func passes() async throws {
        let plan = try SuiteFiles.plan().map(Self.profile().rewriting)
        let results = await Self.run(plan)
        for result in results where result.verdict != .passed && result.verdict != .skipped {
            Issue.record("\(result.id): \(Habits.Outcome(result: result))")
        }
        let passed = results.count { $0.verdict == .passed }
        #expect(passed * 100 >= results.count * 90, "\(passed) of \(results.count)")
        for result in results where result.verdict == .skipped {
            let reason = result.reason ?? ""
            let isTold = ["profile mine, ", "profile apple: ", "the client cannot: "].contains(
                where: reason.hasPrefix)
            #expect(isTold, "\(result.id): \(reason)")
        }
    }

    @Test("Each departure of the profile is seen in it, or in a client of these tests")
    func departures() async throws {
        let traits = try Self.profile().traits
        let departing = Scenario.Trait.allCases.filter {
            traits.text($0) != Traits.documented.text($0)
        }
        #expect(departing.count == 13)
        for trait in departing {
            let scripted = HabitCase.all.contains { $0.trait == trait }
            #expect(scripted, "\(trait.rawValue)")
            if Self.loose[trait] != nil { continue }
            // Where the profile does not know of this one habit, it shows.
            let documented = Traits.documented.text(trait)
            let text = "traits: {\(trait.rawValue): \(documented)}\n"
            let without = try Self.profile(text)
            let plan = try Self.concerned(by: trait, most: 60).map(without.rewriting)
            let failed = await Self.run(plan).count { $0.verdict == .failed }
            #expect(failed > 0, "\(trait.rawValue): nobody misses \(documented)")
        }
    }

    /// Scenarios whose expectations the trait changes, or which it leaves out.
    private static func concerned(
        by trait: Scenario.Trait, most: Int
    ) throws -> [PlannedScenario] {
        let profile = try profile()
        let concerned = try SuiteFiles.plan().filter { planned in
            let planned = profile.rewriting(planned)
            return planned.rewrites.contains { $0.cause.hasPrefix("\(trait.rawValue):") }
                || planned.skipReason?.contains(", \(trait.rawValue):") == true
        }
        let step = max(1, (concerned.count + most - 1) / most)
        return stride(from: 0, to: concerned.count, by: step).map { concerned[$0] }
    }

    @Test("A client with a habit of the profile is the same client in the scenario that shows it")
    func isAsTheHabits() async throws {
        let traits = try Self.profile().traits
        for habit in HabitCase.all {
            let own = try habit.profile()
            guard own.traits.text(habit.trait) == traits.text(habit.trait) else { continue }
            let planned = try Self.profile().rewriting(habit.planned())
            guard planned.skipReason == nil else { continue }
            let outcome = await Habits.run(planned, Self.client)
            #expect(
                outcome.verdict == .passed || outcome.verdict == .skipped, "\(habit): \(outcome)")
        }
    }
}
