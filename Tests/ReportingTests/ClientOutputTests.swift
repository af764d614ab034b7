import RunModel
import StorageModel
import Testing

@testable import Reporting

@Suite("The client's own log in reports")
struct ClientOutputTests {
    private func result(_ verdict: Verdict) -> ScenarioResult {
        var result = ScenarioResult(id: "resume/cut", verdict: verdict)
        if verdict == .failed { result.failures = [Failure(.client, "the client hung")] }
        result.clientOutput = (1...12).map { "line \($0) \u{1B}[31m<red>" }.joined(separator: "\n")
        return result
    }

    private func report(_ verdict: Verdict) -> RunReport {
        var report = RunReport(
            toolVersion: "", suiteVersion: "", suiteDigest: "",
            client: RunReport.Client(name: "", version: ""), seed: 1)
        report.results = [result(verdict)]
        return report
    }

    @Test(
        "The console shows the last ten lines under what failed, without what they would do to it")
    func console() {
        let text = ConsoleReport(isTerminal: false).block(result(.failed)) ?? ""
        #expect(text.contains("  the client's log ended so:\n    | line 3 "))
        #expect(text.contains("    | line 12 "))
        #expect(!text.contains("line 2 "))
        #expect(!text.contains("\u{1B}"))
        #expect(ConsoleReport(isTerminal: false).block(result(.passed)) == nil)
    }

    @Test("JUnit has all of it as system-err of the case, escaped")
    func junit() {
        let text = JUnitReport.text(report(.failed))
        #expect(text.contains("<system-err>line 1 "))
        #expect(text.contains("&lt;red&gt;</system-err>"))
        #expect(!JUnitReport.text(report(.passed)).contains("system-err"))
    }

    @Test("JSON has it for what did not pass")
    func json() throws {
        #expect(try JSONReport.text(report(.failed)).contains("\"clientOutput\""))
        #expect(try !JSONReport.text(report(.passed)).contains("\"clientOutput\""))
    }
}
