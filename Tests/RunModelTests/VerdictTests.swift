import EventMatching
import StorageModel
import Testing

@testable import RunModel

@Suite("Verdicts and exit codes")
struct VerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let verdicts: [Verdict]
        let problems: [RunReport.Problem.Kind]
        let level: ScenarioLevel
        let wanted: ExitCode
        var testDescription: String { "\(verdicts) \(problems) \(level)" }

        init(
            _ verdicts: [Verdict], _ problems: [RunReport.Problem.Kind] = [],
            level: ScenarioLevel = .must, is wanted: ExitCode
        ) {
            self.verdicts = verdicts
            self.problems = problems
            self.level = level
            self.wanted = wanted
        }
    }

    static func report(
        _ verdicts: [Verdict], _ problems: [RunReport.Problem.Kind] = [],
        level: ScenarioLevel = .must
    ) -> RunReport {
        var report = RunReport(
            toolVersion: "1", suiteVersion: "1.0", suiteDigest: "00",
            client: .init(name: "c", version: "1"), seed: 7)
        report.results = verdicts.enumerated().map { index, verdict in
            var result = ScenarioResult(id: "s\(index)", verdict: verdict)
            result.level = level
            return result
        }
        report.problems = problems.map { .init($0, "a problem") }
        return report
    }

    @Test("A run most of which shows nothing says so, however green the rest is")
    func scarcity() {
        let scarce = Self.report([.passed, .expectedFailure, .skipped, .skipped, .pending])
        #expect(
            scarce.scarcity == "only 2 of 5 planned scenarios say anything of this client")
        #expect(Self.report([.passed, .failed, .skipped, .skipped]).scarcity == nil)
        #expect(Self.report([]).scarcity == nil)
    }

    @Test(
        "The exit code of each verdict beside a passed scenario",
        arguments: [
            Row([.passed], is: .asPlanned), Row([.passed, .failed], is: .red),
            Row([.passed, .void], is: .red),
            Row([.passed, .unexpectedPass], is: .red),
            Row([.passed, .errored], is: .infrastructure),
            Row([.passed, .skipped], is: .asPlanned), Row([.passed, .pending], is: .asPlanned),
            Row([.passed, .expectedFailure], is: .asPlanned),
            Row([.passed, .flaky], is: .asPlanned),
            Row([.passed, .notRun], is: .red),
            Row([.passed, .notRun], level: .should, is: .asPlanned),
            Row([.passed, .notRun], level: .may, is: .asPlanned),
        ])
    func ofVerdicts(row: Row) {
        #expect(Self.report(row.verdicts, row.problems, level: row.level).exitCode == row.wanted)
    }

    @Test(
        "Nothing passed and nothing failed is not green",
        arguments: [
            Row([], is: .nothingShown), Row([.skipped], is: .nothingShown),
            Row([.pending], is: .nothingShown),
            Row([.notRun], level: .may, is: .nothingShown),
            Row([.expectedFailure], is: .nothingShown),
            Row([.flaky], is: .nothingShown), Row([.skipped], [.listEntry], is: .nothingShown),
            Row([.notRun], is: .red), Row([.void], is: .red), Row([.unexpectedPass], is: .red),
            Row([.errored], is: .infrastructure), Row([.failed], is: .red),
        ])
    func ofNothing(row: Row) {
        #expect(Self.report(row.verdicts, row.problems, level: row.level).exitCode == row.wanted)
    }

    @Test(
        "Of several reasons 3 comes before 1, 1 before 5, and 5 before 6",
        arguments: [
            Row([.passed], [.invalidScenario], is: .invalidScenario),
            Row([.passed], [.missingCapability], is: .red), Row([.passed], [.flakyLimit], is: .red),
            Row([.passed], [.infrastructure], is: .infrastructure),
            Row([.passed], [.listEntry], is: .listEntry),
            Row([.failed, .errored], [.listEntry, .invalidScenario], is: .invalidScenario),
            Row([.failed, .errored], [.listEntry], is: .red),
            Row([.passed, .errored], [.listEntry], is: .infrastructure),
            Row([], [.invalidScenario], is: .invalidScenario),
        ])
    func ofSeveral(row: Row) {
        #expect(Self.report(row.verdicts, row.problems, level: row.level).exitCode == row.wanted)
    }

    @Test("Planned is the sum of all ten verdicts, each counted once")
    func countsVerdicts() {
        let summary = Self.report(Verdict.allCases + [.passed]).summary
        #expect(summary.planned == 11)
        #expect(Verdict.allCases.map { summary[$0] } == [2, 1, 1, 1, 1, 1, 1, 1, 1, 1])
        #expect(
            Verdict.allCases.map(\.rawValue) == [
                "passed", "failed", "errored", "void", "skipped", "pending", "notRun",
                "expectedFailure", "unexpectedPass", "flaky",
            ])
    }

    @Test("Every invariant has a rule of robustness, and no rule names another")
    func invariantsHaveRules() {
        for invariant in Invariant.allCases {
            #expect(RuleBook.rule(ofInvariant: invariant.rawValue)?.kind == .robustness)
        }
        let named = RuleBook.all.compactMap(\.invariant)
        #expect(named == Invariant.allCases.map(\.rawValue))
    }
}
