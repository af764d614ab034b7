import Foundation
import Reporting
import RunModel
import Testing

/// What the reports tell of negative controls and of twins.
@Suite("Reports of controls")
struct ControlReportingTests {
    private static func report(green: Bool = false) -> RunReport {
        var report = Samples.report()
        let control = Control(
            scenario: "resume/ok", kind: .eventMissing,
            falsification: "success of up at 1s was left out",
            noticer: "the invariant 'one-terminal' of up", isRed: !green,
            sentences: green ? [] : ["it never ended"])
        var twins = ["a", "b"].map {
            Twin(scenario: $0, file: "\($0).yaml", outcome: .differs)
        }
        twins.append(Twin(scenario: "c<d", file: "c.yaml", outcome: .same))
        twins.append(
            Twin(scenario: "e", file: "e.yaml", outcome: .notRun, reason: "the client was gone"))
        report.add(ControlReport(controls: [control], passed: ["resume/ok"], twins: twins))
        return report
    }

    private static let console = ConsoleReport(isTerminal: false)

    @Test("The console's summary has a line on them between the counts and the identity")
    func consoleLine() {
        let lines = Self.console.summary(Self.report()).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "1 of 1 control went red; 2 of 3 fault-free twins differ")
    }

    @Test("A run without controls has no such line")
    func noLine() {
        #expect(!Self.console.summary(Samples.report()).contains("went red"))
    }

    @Test("The console names a control that stayed green, and twins that are the same")
    func consoleText() {
        let text = Self.console.text(Self.report(green: true))
        #expect(
            text.contains(
                "control: in resume/ok success of up at 1s was left out, and the invariant "
                    + "'one-terminal' of up did not notice it"), "\(text)")
        #expect(text.contains("note: the client's events may not depend on what happens"))
        #expect(text.contains("0 of 1 control went red"))
    }

    @Test("The JSON report has each control and each twin")
    func json() throws {
        let text = try JSONReport.text(Self.report(green: true))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let controls = try #require(object?["controls"] as? [String: Any])
        #expect(controls["made"] as? Int == 1)
        #expect(controls["wentRed"] as? Int == 0)
        #expect(controls["line"] as? String == "0 of 1 control went red")
        #expect(controls["uncontrolled"] as? [String] == [])
        let list = try #require(controls["controls"] as? [[String: Any]])
        #expect(list[0]["scenario"] as? String == "resume/ok")
        #expect(list[0]["kind"] as? String == "event-missing")
        #expect(list[0]["falsification"] as? String == "success of up at 1s was left out")
        #expect(list[0]["noticer"] as? String == "the invariant 'one-terminal' of up")
        #expect(list[0]["isRed"] as? Bool == false)
        let twins = try #require(controls["twins"] as? [[String: Any]])
        let outcomes = twins.map { $0["outcome"] as? String }
        #expect(outcomes == ["differs", "differs", "same", "not-run"])
        #expect(twins[3]["reason"] as? String == "the client was gone")
        #expect((controls["suspicion"] as? String)?.contains("c<d") == true)
    }

    @Test("A JSON report without controls has no member for them")
    func noMember() throws {
        #expect(try !JSONReport.text(Samples.report()).contains("\"controls\""))
    }

    @Test("The JUnit report has a property, and a green control is an error of the run")
    func junit() {
        let good = JUnitReport.text(Self.report())
        #expect(good.contains("name=\"controls\" value=\"1 of 1 control went red\""), "\(good)")
        #expect(!good.contains("type=\"control\""))
        let bad = JUnitReport.text(Self.report(green: true))
        #expect(bad.contains("value=\"0 of 1 control went red\""))
        #expect(bad.contains("type=\"control\""))
    }
}
