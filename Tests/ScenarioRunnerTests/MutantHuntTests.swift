import EventMatching
import Mutants
import RunModel
import Scenario
import Testing

/// What is made of scenarios that turn red, or do not.
@Suite("Hunt for mutants")
struct MutantHuntTests {
    private static func suite(_ ids: String...) throws -> SuiteUnderTest {
        SuiteUnderTest(try ids.map(SuiteFiles.scenario))
    }

    private static func evidence(
        _ names: [String], _ suite: SuiteUnderTest, _ explanations: Explanations = Explanations(),
        depth: Search.Depth = .whole, _ witnesses: Witnesses = Witnesses()
    ) async throws -> Evidence {
        let mutants = try names.map { try #require(Mutants.named($0)) }
        let rules = ["D17", "D19", "D29"]
        var evidence = Evidence(mutants, suite, explanations, rules: rules)
        let search = Search(Hunt(plan: suite.plan, jobs: 2), witnesses) { _ in }
        await search.fill(&evidence, depth)
        return evidence
    }

    private static let upload = "upload/data-in-one-request"
    private static let pause = "pause/in-a-callback"
    /// As they are called where a file is named by itself.
    private static let uploadID = "data-in-one-request"
    private static let pauseID = "in-a-callback"

    @Test("A mutant is caught by a must scenario with a line that names its mistake")
    func catches() async throws {
        let suite = try Self.suite(Self.upload)
        let found = try await Self.evidence(["start-untold", "pause-ignored"], suite)
        #expect(found.caught.map(\.name) == ["start-untold"])
        #expect(found.survivors.map(\.name) == ["pause-ignored"])
        #expect(found.lastLine == "1 of 2 mutants caught")
        let problems = found.problems(isWhole: true)
        #expect(problems.contains { $0.hasPrefix("pause-ignored is caught by no must scenario") })
    }

    @Test("A rule is covered by a scenario that cites it, and by no other")
    func covers() async throws {
        let suite = try Self.suite(Self.upload, Self.pause)
        let found = try await Self.evidence(["pause-ignored"], suite)
        #expect(found.cover(of: "D17") == nil)
        #expect(found.cover(of: "D19")?.red.scenario == Self.pauseID)
        #expect(found.uncoveredRules == ["D17", "D29"])
    }

    @Test("A scenario that no mutant turns red is told, unless there is a reason")
    func untouched() async throws {
        let suite = try Self.suite(Self.upload, Self.pause)
        let found = try await Self.evidence(["pause-ignored"], suite)
        #expect(found.untouched.map(\.id) == [Self.uploadID])
        #expect(found.problems(isWhole: true).contains("\(Self.uploadID) is red for no mutant"))
        let text = "[scenario]\n\(Self.uploadID) = it is not about pauses\n"
        let reasons = try Explanations(text, file: "reasons")
        let told = try await Self.evidence(["pause-ignored"], suite, reasons)
        #expect(!told.problems(isWhole: true).contains("\(Self.uploadID) is red for no mutant"))
    }

    @Test("An explanation of what is as it should be is stale")
    func stale() async throws {
        let suite = try Self.suite(Self.pause)
        let reasons = try Explanations(
            "[equivalent]\npause-ignored = nobody sees it\n[scenario]\nnone/* = why\n", file: "r")
        let found = try await Self.evidence(["pause-ignored"], suite, reasons)
        let stale = found.problems(isWhole: true).filter { $0.contains("stale") }
        #expect(
            stale == [
                "line 2 of the explanations is stale: pause-ignored",
                "line 4 of the explanations is stale: none/*",
            ])
        #expect(!found.problems(isWhole: false).contains { $0.contains("stale") })
    }

    @Test("What is missing of the witnesses is looked for")
    func looksFurther() async throws {
        let suite = try Self.suite(Self.upload, Self.pause)
        let witnesses = Witnesses([.init("start-untold", Self.pauseID)])
        let found = try await Self.evidence(
            ["start-untold", "pause-ignored"], suite, depth: .quick, witnesses)
        #expect(found.survivors.isEmpty)
        #expect(found.untouched.isEmpty)
    }

    @Test("A small choice of witnesses shows what all the evidence shows")
    func choice() async throws {
        let suite = try Self.suite(Self.upload, Self.pause, "upload/file-in-chunks")
        let whole = try await Self.evidence(
            ["start-untold", "pause-ignored", "last-progress-untold"], suite)
        let chosen = Witnesses(choosingFrom: whole)
        let less = whole.restricted(to: chosen)
        #expect(less.caught.map(\.name) == whole.caught.map(\.name))
        #expect(less.coveredRules == whole.coveredRules)
        #expect(less.untouched.map(\.id) == whole.untouched.map(\.id))
        #expect(Witnesses(text: chosen.text) == chosen)
    }

    @Test("A mutant is left alone once it is caught, where that is asked")
    func first() async throws {
        let suite = try Self.suite(Self.upload, Self.pause, "upload/file-in-chunks")
        let found = try await Self.evidence(["start-untold"], suite, depth: .first)
        #expect(found.both[0].1.ran == 1)
    }

    @Test("A file of explanations that is none is refused with its place")
    func unreadable() {
        for (text, place) in [("a = b", "f:1"), ("[rule]\nD1", "f:2"), ("\n[rule]\nD1 = ", "f:3")] {
            do {
                _ = try Explanations(text, file: "f")
                Issue.record("accepted: \(text)")
            } catch {
                #expect(error.description.hasPrefix("\(place): "), "\(error)")
            }
        }
    }
}
