import Foundation
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import Testing

/// Each value of each trait is a habit that a client has: its profile lets it pass, and nothing else.
@Suite("Clients with habits", .serialized)
struct HabitTests {
    private static let honest = ClientSource(isKept: false) { ReferenceDriver(loop: $0) }

    @Test("Every value of every trait has a client with that habit")
    func coversEveryValue() {
        for trait in Scenario.Trait.allCases {
            let shown = Set(HabitCase.all.filter { $0.trait == trait }.map(\.form))
            for form in trait.forms where form != Traits.documented.text(trait) {
                #expect(shown.contains(form), "\(trait.rawValue): \(form)")
            }
        }
    }

    @Test("A client with a habit passes under the profile that has it", arguments: HabitCase.all)
    func passes(_ habit: HabitCase) async throws {
        let planned = try habit.profile().rewriting(habit.planned())
        #expect(planned.skipReason == nil)
        let outcome = await Habits.run(planned, try habit.client().source)
        #expect(outcome.verdict == .passed, "\(outcome)")
    }

    @Test("The same client fails where its habit is not expected", arguments: HabitCase.all)
    func isSeen(_ habit: HabitCase) async throws {
        let outcome = await Habits.run(try habit.planned(), try habit.client().source)
        #expect(outcome.verdict == .failed, "\(outcome)")
        for word in habit.documented {
            #expect(outcome.sentences.contains(word), "'\(word)' is not said: \(outcome)")
        }
    }

    @Test("A client without the habit fails where it is expected", arguments: HabitCase.all)
    func isWanted(_ habit: HabitCase) async throws {
        let planned = try habit.profile().rewriting(habit.planned())
        let outcome = await Habits.run(planned, Self.honest)
        switch habit.reference {
        case .passes(let why): #expect(outcome.verdict == .passed, "\(why): \(outcome)")
        case .fails(let words):
            #expect(outcome.verdict == .failed, "\(outcome)")
            for word in words {
                #expect(outcome.sentences.contains(word), "'\(word)' is not said: \(outcome)")
            }
        }
    }

    @Test("Without a habit the client of these tests is the reference client")
    func hasNoOtherHabit() async throws {
        let client = HabitClient(traits: .documented)
        try await Self.check(client, .documented, isSkipping: false)
    }

    /// `SQUALL_HABITS=all` takes every scenario that a profile rewrites; else some of each profile's.
    private static let most =
        ProcessInfo.processInfo.environment["SQUALL_HABITS"] == "all" ? Int.max : 15

    @Test(
        "Over the suite a client with a habit passes what its profile rewrites",
        arguments: HabitCase.all)
    func passesTheSuite(_ habit: HabitCase) async throws {
        try await Self.check(
            try habit.client(), try habit.profile(), isSkipping: true, most: Self.most)
    }

    @Test(
        "A client with all habits of a profile passes what the profile does not leave out",
        arguments: ["apple", "javascript", "android"])
    func hasAllHabits(_ name: String) async throws {
        let profile = try Habits.profile("base: \(name)\nname: mine\n")
        try await Self.check(HabitClient(traits: profile.traits), profile, isSkipping: true)
    }

    private static func check(
        _ client: HabitClient, _ profile: Profile, isSkipping: Bool, most: Int = .max
    ) async throws {
        var plan = try SuiteFiles.plan().map(profile.rewriting)
        if most < plan.count {
            let rewritten = plan.filter { !$0.rewrites.isEmpty && $0.skipReason == nil }
            let step = max(1, rewritten.count / most)
            plan = stride(from: 0, to: rewritten.count, by: step).map { rewritten[$0] }
        }
        let run = await SuiteRunner(client.source, settings: RunSettings(), jobs: 2).run(plan)
        for result in run.results where result.verdict != .passed {
            guard isSkipping, result.verdict == .skipped else {
                let outcome = Habits.Outcome(result: result)
                Issue.record("\(profile.departures): \(result.id): \(outcome)")
                continue
            }
        }
        #expect(plan.isEmpty || run.results.contains { $0.verdict == .passed })
    }
}
