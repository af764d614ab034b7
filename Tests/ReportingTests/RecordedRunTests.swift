import EventMatching
import Foundation
import RunModel
import StorageModel
import Testing

@testable import Reporting

@Suite("Recorded runs")
struct RecordedRunTests {
    @Test("What a report says of verdicts, failures and tries is read back")
    func readsBack() throws {
        var report = Samples.report()
        report.results[1].earlierTries = [Try(verdict: .errored, seed: 3, sentence: "late")]
        let run = try RecordedRun(json: Data(JSONReport.text(report).utf8))
        #expect(run.client == report.client.name)
        #expect(run.suiteVersion == report.suiteVersion)
        #expect(run.results.map(\.id) == report.results.map(\.id))
        #expect(run.results.map(\.file) == report.results.map(\.file))
        #expect(run.results.map(\.verdict) == report.results.map(\.verdict))
        #expect(run.results.map(\.reason) == report.results.map(\.reason))
        #expect(
            run.results.map { $0.failures.map(\.line) }
                == report.results.map { $0.failures.map(\.line) })
        #expect(run.results[1].failures.contains { $0.invariant == .oneTerminal })
        #expect(run.results[1].earlierTries == report.results[1].earlierTries)
    }

    @Test("Every verdict and every kind of failure is read back")
    func everyWord() throws {
        var report = Samples.report()
        report.results = Verdict.allCases.map { ScenarioResult(id: $0.rawValue, verdict: $0) }
        report.results[0].failures = Failure.Kind.allCases.map { Failure($0, "s") }
        let run = try RecordedRun(json: Data(JSONReport.text(report).utf8))
        #expect(run.results.map(\.verdict) == Verdict.allCases)
        #expect(run.results[0].failures.map(\.kind) == Failure.Kind.allCases)
    }

    @Test("Another file, another format and an unknown word are refused")
    func refusals() throws {
        #expect(throws: RecordedRunError.noReport) { try RecordedRun(json: Data("{}".utf8)) }
        #expect(throws: RecordedRunError.noReport) { try RecordedRun(json: Data("<a/>".utf8)) }
        let text = try JSONReport.text(Samples.report())
        let later = text.replacing("\"format\" : 1", with: "\"format\" : 2")
        #expect(throws: RecordedRunError.format(2)) { try RecordedRun(json: Data(later.utf8)) }
        let strange = text.replacing("\"verdict\" : \"skipped\"", with: "\"verdict\" : \"so-so\"")
        #expect(throws: RecordedRunError.unknown("so-so", scenario: "auth/token")) {
            try RecordedRun(json: Data(strange.utf8))
        }
    }
}
