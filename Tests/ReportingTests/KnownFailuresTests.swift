import RunModel
import StorageModel
import Testing

@testable import Reporting

@Suite("Lists in reports")
struct KnownFailuresTests {
    private static func entry(_ pattern: String, line: Int) -> ListedEntry {
        ListedEntry(
            .failing, pattern: pattern, reason: "sends it twice", link: "K.md#twice",
            place: SourcePlace(file: "c.yaml", line: line, column: 5))
    }

    private static func result(
        _ id: String, _ verdict: Verdict, level: ScenarioLevel = .must, _ entry: ListedEntry?
    ) -> ScenarioResult {
        var result = ScenarioResult(id: id, verdict: verdict)
        result.level = level
        result.listed = entry
        result.reason = entry.map { "\($0.reason); \($0.link)" }
        if verdict == .expectedFailure || verdict == .failed {
            result.failures = [Failure(.events, subject: "up", "it ended twice")]
        }
        return result
    }

    private static func report() -> RunReport {
        var report = Samples.report()
        var unexpected = result("z/last", .unexpectedPass, entry("z/last", line: 9))
        unexpected.reason = "delete its entry of known-failing: c.yaml:9:5"
        var timed = entry("a/one", line: 3)
        timed.expires = "2027-01-31"
        report.results = [
            result("a/one", .expectedFailure, level: .should, timed),
            result("a/two", .failed, nil),
            result("b/x", .expectedFailure, entry("b/*", line: 6)),
            result("b/y", .expectedFailure, entry("b/*", line: 6)), unexpected,
        ]
        return report
    }

    @Test("Unexpected passes come first, what is known last, entry by entry with its reason")
    func order() {
        let text = ConsoleReport(isTerminal: false).text(Self.report())
        #expect(
            text.hasPrefix(
                """
                UNEXPECTED PASS z/last
                  delete its entry of known-failing: c.yaml:9:5

                FAILED a/two: up: it ended twice

                3 known to fail, as the client's list says (2 must):
                  a/one: sends it twice (K.md#twice, until 2027-01-31; c.yaml:3:5)
                    a/one: up: it ended twice
                  b/*: sends it twice (K.md#twice; c.yaml:6:5)
                    b/x: up: it ended twice
                    b/y: up: it ended twice

                5 planned: 0 passed, 1 failed, 3 expected failure, 1 unexpected pass
                """))
    }

    @Test("A wide entry shows ten of its scenarios and counts the others")
    func wide() {
        var report = Samples.report()
        report.results = (1...13).map {
            Self.result("b/\($0)", .expectedFailure, Self.entry("b/*", line: 6))
        }
        let text = ConsoleReport(isTerminal: false).text(report)
        #expect(text.contains("    b/10: up: it ended twice\n    and 3 more\n"))
        #expect(!text.contains("b/11"))
    }

    @Test("What a list says cannot reach the terminal as control characters")
    func cleansText() {
        var report = Samples.report()
        var entry = Self.entry("b/*", line: 6)
        entry.reason = Samples.hostile
        report.results = [Self.result("b/x", .expectedFailure, entry)]
        let text = ConsoleReport(isTerminal: false).text(report)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    }

    @Test("In JUnit an expected failure is skipped with its reason, an unexpected pass a failure")
    func junit() {
        let text = JUnitReport.text(Self.report())
        #expect(
            text.contains(
                "<skipped message=\"expected failure: up: it ended twice: sends it twice; "
                    + "K.md#twice\" type=\"expectedFailure\"/>"))
        #expect(
            text.contains(
                "<failure message=\"unexpected pass: delete its entry of known-failing: "
                    + "c.yaml:9:5\" type=\"unexpectedPass\">"))
        #expect(
            text.contains(
                "<testsuites errors=\"0\" failures=\"2\" name=\"squall\" tests=\"5\" "))
        #expect(
            text.contains(
                "<testsuite errors=\"0\" failures=\"0\" name=\"b\" skipped=\"2\" tests=\"2\" "))
    }

    @Test("In JSON a scenario shows the entry that fits it")
    func json() throws {
        let text = try JSONReport.text(Self.report())
        #expect(
            text.contains(
                """
                      "listed" : {
                        "expires" : "2027-01-31",
                        "link" : "K.md#twice",
                        "list" : "known-failing",
                        "place" : {
                          "column" : 5,
                          "file" : "c.yaml",
                          "line" : 3
                        },
                        "reason" : "sends it twice",
                        "scenario" : "a/one"
                      },
                """))
    }
}
