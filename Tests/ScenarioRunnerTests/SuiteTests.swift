import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import Testing

/// The suite as a whole: what it covers, and that the reference client passes it.
@Suite("Suite", .serialized)
struct SuiteTests {
    private static let honest = ClientSource(isKept: false) { ReferenceDriver(loop: $0) }

    @Test("Every documented rule D1-D26 is cited by a scenario")
    func citesEveryRule() throws {
        let cited = Set(try SuiteFiles.plan().flatMap(\.scenario.sources).map(\.value))
        let missing = (1...26).map { "D\($0)" }.filter { !cited.contains($0) }
        #expect(missing.isEmpty)
    }

    @Test("There are at least 60 files and 120 rows")
    func isLargeEnough() throws {
        let plan = try SuiteFiles.plan()
        #expect(Set(plan.map(\.file)).count >= 60)
        #expect(plan.count >= 120)
    }

    @Test("Every scenario that must hold cites a published rule")
    func bindsByRules() throws {
        let loose = try SuiteFiles.plan().filter { planned in
            planned.scenario.level == .must
                && !planned.scenario.sources.contains {
                    RuleBook.rule(named: $0.value)?.kind.isPublished ?? false
                }
        }
        #expect(loose.map(\.id) == [])
    }

    @Test("No scenario expects what this version cannot carry out")
    func isSupported() throws {
        #expect(try SuiteFiles.plan().filter { !$0.notYetSupported.isEmpty }.map(\.id) == [])
    }

    @Test(
        "The reference client passes every scenario in virtual time, skips none, and two runs are alike"
    )
    func passes() async throws {
        let plan = try SuiteFiles.plan()
        let one = await SuiteRunner(Self.honest, settings: RunSettings(), jobs: 2).run(plan).results
        #expect(one.count == plan.count)
        for result in one {
            #expect(
                result.verdict == .passed,
                "\(result.id): \(result.reason ?? "") \(result.failures)")
        }
        let other = await SuiteRunner(Self.honest, settings: RunSettings(), jobs: 1).run(plan)
        let unlike = zip(one, other.results).filter { Self.digest([$0]) != Self.digest([$1]) }
        #expect(unlike.map { "\($0.id): \($0.tasks) \($1.tasks)" } == [])
        #expect(Self.digest(one) == Self.digest(other.results))
    }

    private static func digest(_ results: [ScenarioResult]) -> String {
        var report = RunReport(
            toolVersion: "1", suiteVersion: "1", suiteDigest: "",
            client: RunReport.Client(name: "reference", version: "1"), seed: 1)
        report.results = results
        return report.digest
    }
}
