import EventMatching
import RunModel
import Scenario
import StorageModel
import Testing

@testable import ScenarioRunner

/// That the judge is not blind: every lie about what was seen turns it red, and a blind judge is told.
@Suite("Negative controls")
struct NegativeControlTests {
    private static func report(
        _ plan: [PlannedScenario], _ extent: RunSettings.Controls, seed: UInt64 = 1, jobs: Int = 2,
        judging: Judging = .whole
    ) async throws -> ControlReport {
        var settings = RunSettings(seed: seed)
        settings.controls = extent
        let runner = SuiteRunner(
            Harness.client, settings: settings, jobs: jobs, judging: judging)
        return try #require(await runner.run(plan).controls)
    }

    private static func plan(_ ids: [String]) throws -> [PlannedScenario] {
        try ids.map(SuiteFiles.scenario)
    }

    private static let few = [
        "upload/data-in-one-request", "cancel/running-upload", "download/into-a-file",
        "errmap/status-to-code[case=1]", "pause/upload-and-resume",
    ]

    private static let failedDownloads = [
        "cancel/running-download[when=down progress]", "download/limit-of-memory[case=1]",
        "midstream/never-whole", "retry/limit-of-zero", "offline/link-stays-away",
    ]

    /// That expect of exchanges, results, metadata, tokens and times.
    private static let others = [
        "auth/renewed-once", "auth/slow-token", "lostreply/final-answer-lost", "list/one-level",
        "metadata/get",
        "midstream/three-times", "boundary/odd-chunk-size",
    ]

    @Test("Every kind of lie about every scenario of the suite is noticed by whom it must be")
    func noticesEveryLie() async throws {
        let report = try await Self.report(try SuiteFiles.plan(), .everyKind)
        let green = report.controls.filter { !$0.isRed }
        #expect(green.map { "\($0.scenario): \($0.falsification), \($0.noticer)" } == [])
        let counts = Dictionary(grouping: report.controls, by: \.kind).mapValues(\.count)
        for kind in Control.Kind.allCases {
            #expect(counts[kind, default: 0] >= 8, "\(kind.rawValue)")
        }
    }

    @Test("Every scenario of the suite that passes is controlled, and the kinds are spread")
    func controlsEveryScenario() async throws {
        let report = try await Self.report(try SuiteFiles.plan(), .one)
        #expect(report.uncontrolled == [])
        #expect(report.controls.count == report.passed.count)
        #expect(report.problems == [])
        #expect(Set(report.controls.map(\.kind)).count >= 15)
    }

    @Test("The draw depends on seed and scenario alone, not on order or jobs")
    func isDrawnBySeed() async throws {
        let plan = try Self.plan(Self.few)
        let one = try await Self.report(plan, .one, jobs: 1).controls
        let other = try await Self.report(plan.reversed(), .one, jobs: 4).controls
        #expect(one == other.reversed())
        let alone = try await Self.report([plan[2]], .one).controls
        #expect(alone == [one[2]])
        var kinds: Set<Control.Kind> = []
        for seed in 1...12 {
            kinds.formUnion(
                try await Self.report([plan[2]], .one, seed: UInt64(seed)).controls.map(\.kind))
        }
        #expect(kinds.count > 3)
    }

    @Test("Without being asked for there are no controls")
    func isOff() async throws {
        let outcome = await SuiteRunner(Harness.client, settings: RunSettings())
            .run(try Self.plan(Self.few))
        #expect(outcome.controls == nil)
        #expect(outcome.results.flatMap(\.controls) == [])
    }

    // MARK: Blind judges

    /// A judge that passes over one kind of mistake, and what of its controls stays green.
    private static let blind: [(name: String, sees: @Sendable (Failure) -> Bool)] = [
        ("events", { $0.kind != .events }), ("error", { $0.kind != .error }),
        ("stored", { $0.kind != .stored }), ("local", { $0.kind != .local }),
        ("requests", { $0.kind != .requests }), ("exchanges", { $0.kind != .exchanges }),
        ("metadata", { $0.kind != .metadata }), ("result", { $0.kind != .result }),
        ("sessions", { $0.kind != .sessions }), ("tokens", { $0.kind != .tokens }),
        ("time", { $0.kind != .time }),
        ("one-terminal", { $0.invariant != .oneTerminal }),
        ("nothing-after", { $0.invariant != .nothingAfter }),
        ("completion", { $0.invariant != .completion }),
        ("progress-bounds", { $0.invariant != .progressBounds }),
        ("progress-total", { $0.invariant != .progressTotal }),
        ("alternation", { $0.invariant != .alternation }),
        ("stored-bytes", { $0.invariant != .storedBytes }),
        ("no-partial-file", { $0.invariant != .noPartialFile }),
        ("no-complaint", { $0.invariant != .noComplaint }),
        ("anything", { _ in false }),
    ]

    @Test(
        "A judge that is blind for one thing is told, whatever that is",
        arguments: blind.map(\.name))
    func blindJudge(name: String) async throws {
        let sees = try #require(Self.blind.first { $0.name == name }?.sees)
        let judging = Judging { evidence, expect in
            Judging.whole.failures(evidence, expect).filter(sees)
        }
        let plan = try Self.plan(Self.few + Self.failedDownloads + Self.others)
        let problems = try await Self.report(plan, .everyKind, judging: judging).problems
        #expect(!problems.isEmpty)
        #expect(problems.allSatisfy { $0.kind == .control })
        if name != "anything" {
            #expect(problems.allSatisfy { $0.sentence.contains("'\(name)'") }, "\(problems)")
        }
    }

    @Test("A green control names scenario, lie and who should have noticed, and the run is errored")
    func blindRunIsErrored() async throws {
        let judging = Judging { evidence, expect in
            Judging.whole.failures(evidence, expect).filter { $0.kind != .events }
        }
        let report = try await Self.report(
            try Self.plan(["upload/data-in-one-request"]), .everyKind, judging: judging)
        var run = RunReport(
            toolVersion: "", suiteVersion: "", suiteDigest: "",
            client: .init(name: "", version: ""),
            seed: 1)
        run.results = [ScenarioResult(id: "a", verdict: .passed)]
        #expect(run.exitCode == .asPlanned)
        run.add(report)
        #expect(run.exitCode == .infrastructure)
        let sentence = try #require(run.problems.first?.sentence)
        #expect(sentence.hasPrefix("in data-in-one-request "))
        #expect(sentence.contains(" of up "))
        #expect(sentence.contains("what the scenario expects as 'events' of up did not notice it"))
    }

    @Test("A scenario that can show nothing makes a run of it errored")
    func nothingToFalsify() async throws {
        let directory = try TemporaryPlan(
            """
            title: Nothing is asked for and nothing expected
            source: [D3]
            steps:
              - {reference: {path: images/rivers.jpg}, as: r}
            """)
        let report = try await Self.report(directory.planned, .one)
        #expect(report.controls == [])
        #expect(report.problems.map(\.kind) == [.control])
        #expect(report.problems.first?.sentence.contains("scenario") == true)
    }
}
