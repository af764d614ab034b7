import EventMatching
import FaultEngine
import Foundation
import RunModel
import Scenario
import StorageModel
import Testing

/// The bug reports that the suite makes again: none is missing, and each can be looked up.
@Suite("Field cases in the suite")
struct FieldCaseCoverageTests {
    /// The folders of the field cases.
    private static let topics = [
        "auth", "boundary", "cancel", "concurrency", "earlyreply", "encoding", "errmap", "harness",
        "integrity", "keepalive", "localfile", "lostreply", "midstream", "mutation", "observer",
        "offline", "partial", "pause", "progress", "proto", "retry", "session", "stall",
    ]

    private static func sources(_ planned: PlannedScenario) -> [String] {
        planned.scenario.sources.map(\.value)
    }

    /// The cases that a scenario cites: `B072`.
    private static func cases(_ planned: PlannedScenario) -> [String] {
        sources(planned).filter { $0.wholeMatch(of: /B\d+/) != nil }
    }

    @Test("Each of the 92 cases is cited by a scenario, or has a test of the backend alone")
    func covers() throws {
        #expect(Set(FieldCase.all.map(\.number)).count == 92)
        let cited = Set(try SuiteFiles.plan().flatMap(Self.cases))
        for fieldCase in FieldCase.all {
            #expect(
                cited.contains(fieldCase.number) || !fieldCase.ownTests.isEmpty,
                "\(fieldCase.number)")
        }
        let alone = FieldCase.all.map(\.number).filter { !cited.contains($0) }
        #expect(alone == ["B071", "B159", "B163"])
        #expect(cited.subtracting(FieldCase.all.map(\.number)) == [])
    }

    @Test("A scenario that cites a case cites its public report, has a symptom and cites a rule")
    func citesReports() throws {
        for planned in try SuiteFiles.plan() {
            let sources = Self.sources(planned)
            for number in Self.cases(planned) {
                let reports = FieldCase.all.first { $0.number == number }?.reports ?? []
                #expect(
                    reports.contains { sources.contains(FieldCase.host + $0) },
                    "\(planned.id) names no report of \(number)")
            }
            guard !Self.cases(planned).isEmpty else { continue }
            #expect(planned.scenario.symptom?.isEmpty == false, "\(planned.id)")
            let rules = sources.filter { RuleBook.rule(named: $0)?.kind.isPublished == true }
            #expect(!rules.isEmpty || planned.scenario.level != .must, "\(planned.id)")
        }
    }

    @Test("A file that is named for a case cites it")
    func names() throws {
        let named = try SuiteFiles.plan().compactMap { planned in
            planned.id.firstMatch(of: /\/b(\d+)-/).map { (planned, "B\($0.1)") }
        }
        #expect(Set(named.map(\.0.file)).count >= 80)
        for (planned, number) in named {
            #expect(Self.cases(planned).contains(number), "\(planned.id)")
        }
    }

    @Test("The tests of the backend that a case names are there")
    func ownTests() throws {
        let folder = URL(filePath: SuiteFiles.directory).deletingLastPathComponent()
            .appending(path: "Tests/MockServerTests")
        for fieldCase in FieldCase.all {
            for name in fieldCase.ownTests {
                let parts = name.split(separator: ".").map(String.init)
                let text = try String(
                    contentsOf: folder.appending(path: parts[0] + ".swift"), encoding: .utf8)
                #expect(text.contains("func \(parts[1])("), "\(fieldCase.number): \(name)")
                #expect(text.contains(fieldCase.number), "\(fieldCase.number): \(name)")
            }
        }
    }

    // MARK: Topics

    @Test("Each topic has a row in the smoke set", arguments: topics)
    func smoke(topic: String) throws {
        let rows = try SuiteFiles.plan().filter { $0.id.hasPrefix(topic + "/") }
        #expect(rows.contains { $0.scenario.isSmoke })
    }

    @Test("Each topic has a scenario that must hold for every client, however it cuts its bodies")
    func portable() throws {
        let portable = try SuiteFiles.plan().filter(\.isPortable)
        for topic in Self.topics {
            #expect(portable.contains { $0.id.hasPrefix(topic + "/") }, "\(topic)")
        }
    }

    @Test("The test of portability knows what is not portable")
    func knowsThePortable() throws {
        #expect(try SuiteFiles.scenario("retry/b094-endless-500").isPortable)
        for id in [
            "retry/b096-waits-between-failing-chunks", "partial/b080-second-body-at-the-right-byte",
            "proto/b092-gateway-page-in-mid-upload", "session/b045-session-gone-for-a-stream",
            "localfile/b133-error-names-the-file",
        ] {
            #expect(try !SuiteFiles.scenario(id).isPortable, "\(id)")
        }
    }
}

extension PlannedScenario {
    /// True where it names requests by what holds for every client: bodies by `upload.body`, and no
    /// whole log.
    fileprivate var isPortable: Bool {
        guard scenario.level == .must, scenario.clock == .any,
            !scenario.requiredCapabilities.contains(.chunkSize)
        else { return false }
        let sets = [scenario.expect] + scenario.expect.outcomes
        guard sets.allSatisfy({ ($0.requests ?? []).isEmpty }) else { return false }
        let named =
            scenario.faults.map(\.selector.operation)
            + sets.flatMap { $0.exchanges.map(\.value.selector.operation) }
        let own: [StorageModel.Operation] = [.uploadChunk, .uploadFinalize]
        return !named.contains { pattern in own.contains { pattern == .one($0) } }
    }
}
