import Foundation
import RunModel
import StorageModel
import Testing

@testable import Reporting

@Suite("JSON report")
struct JSONReportTests {
    private static func object(_ report: RunReport) throws -> [String: Any] {
        let data = Data(try JSONReport.text(report).utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("Tells format, versions, digest and the count of every verdict")
    func tellsTheRun() throws {
        let report = Samples.report()
        let object = try Self.object(report)
        #expect(object["format"] as? Int == 1)
        #expect(object["toolVersion"] as? String == "0.1")
        #expect(object["suiteVersion"] as? String == "1.0")
        #expect(object["suiteDigest"] as? String == "ab12")
        #expect(object["digest"] as? String == report.digest)
        #expect(object["seed"] as? String == "7")
        #expect(object["wallMilliseconds"] as? Int == 8214)
        #expect(object["exitCode"] as? Int == 1)
        let wanted = [
            "planned": 3, "passed": 1, "failed": 1, "errored": 0, "void": 0, "skipped": 1,
            "notRun": 0, "pending": 0, "expectedFailure": 0, "unexpectedPass": 0, "flaky": 0,
        ]
        #expect(object["summary"] as? [String: Int] == wanted)
    }

    @Test("Tells each scenario with its events, exchanges and failures")
    func tellsScenarios() throws {
        let scenarios = try Self.object(Samples.report())["scenarios"] as? [[String: Any]]
        let failed = try #require(scenarios?[1])
        #expect(failed["id"] as? String == "resume/cut[how=reset,path=a/b]")
        #expect(failed["verdict"] as? String == "failed")
        #expect(failed["durationMilliseconds"] as? Int == 3250)
        let tasks = failed["tasks"] as? [[String: Any]]
        let events = tasks?[0]["events"] as? [[String: Any]]
        #expect(events?.map { $0["event"] as? String } == ["resume", "success", "success"])
        #expect(events?.map { $0["milliseconds"] as? Int } == [0, 1000, 1200])
        #expect(events?[1]["completed"] as? Int == 1 << 20)
        let exchanges = failed["exchanges"] as? [[String: Any]]
        #expect(exchanges?[0]["operation"] as? String == "upload.finalize")
        #expect(exchanges?[0]["status"] as? Int == 503)
        let failures = failed["failures"] as? [[String: Any]]
        #expect((failures?[0]["difference"] as? [[String: Any]])?.count == 3)
        #expect(failures?[1]["invariant"] as? String == "one-terminal")
    }

    @Test("The same run gives the same bytes, and its keys are sorted")
    func isStable() throws {
        let text = try JSONReport.text(Samples.report())
        #expect(try JSONReport.text(Samples.report()) == text)
        var other = Samples.report()
        other.wallDuration = .seconds(1)
        let lines = zip(
            text.split(separator: "\n"), try JSONReport.text(other).split(separator: "\n"))
        #expect(lines.filter { $0 != $1 }.count == 1)
        let keys = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }
            .compactMap { $0.split(separator: "\"").dropFirst().first }
        #expect(keys == keys.sorted())
    }

    @Test("Hostile text comes back as it was")
    func escapes() throws {
        var report = Samples.report()
        report.results[0].title = Samples.hostile
        let scenarios = try Self.object(report)["scenarios"] as? [[String: Any]]
        #expect(scenarios?[0]["title"] as? String == Samples.hostile)
    }
}
