import RunModel
import Testing

@Suite("Control report")
struct ControlReportTests {
    private func control(_ scenario: String, isRed: Bool = true) -> Control {
        Control(
            scenario: scenario, kind: .eventMissing, falsification: "success of up was left out",
            noticer: "what the scenario expects as 'events' of up", isRed: isRed)
    }

    private func names(_ count: Int) -> [String] { (0..<count).map { "a/\($0)" } }

    private func run(_ controls: ControlReport) -> RunReport {
        var run = RunReport(
            toolVersion: "", suiteVersion: "", suiteDigest: "",
            client: .init(name: "", version: ""),
            seed: 1)
        run.results = controls.passed.map { ScenarioResult(id: $0, verdict: .passed) }
        run.add(controls)
        return run
    }

    @Test("As many controls as passed scenarios, or ten, are enough", arguments: [1, 2, 10, 30])
    func enough(count: Int) {
        let controls = names(min(count, 10)).map { control($0) }
        let report = ControlReport(controls: controls, passed: names(count))
        #expect(report.problems == [])
        #expect(run(report).exitCode == .asPlanned)
        let noun = controls.count == 1 ? "control" : "controls"
        #expect(report.line == "\(controls.count) of \(controls.count) \(noun) went red")
    }

    @Test(
        "A run that passed something and made no control, or too few, is errored",
        arguments: [(1, 0), (5, 4), (30, 9)])
    func tooFew(passed: Int, made: Int) {
        let report = ControlReport(
            controls: names(made).map { control($0) }, passed: names(passed))
        #expect(report.problems.map(\.kind) == [.control])
        #expect(run(report).exitCode == .infrastructure)
    }

    @Test("Several controls of one scenario do not stand for another")
    func oneEach() {
        let report = ControlReport(
            controls: [control("a/0"), control("a/0")], passed: ["a/0", "a/1"])
        #expect(report.problems.count == 1)
    }

    @Test("One green control is enough to make the run errored")
    func green() {
        var controls = names(12).map { control($0) }
        controls[3] = control("a/3", isRed: false)
        let report = ControlReport(controls: controls, passed: names(12))
        #expect(run(report).exitCode == .infrastructure)
        #expect(report.line == "11 of 12 controls went red")
        #expect(
            report.problems.map(\.sentence) == [
                "in a/3 success of up was left out, and what the scenario expects as 'events' of up "
                    + "did not notice it: what this run calls passed is not shown"
            ])
    }

    @Test("A run in which nothing passed needs no control")
    func nothingPassed() {
        let report = ControlReport(controls: [], passed: [])
        #expect(report.problems == [])
        #expect(report.line == "no controls: nothing passed that they could be made of")
    }

    // MARK: Twins

    private func twin(
        _ name: String, _ outcome: Twin.Outcome, isFailure: Bool = false
    ) -> Twin {
        Twin(
            scenario: name, file: "\(name.prefix { $0 != "[" }).yaml", outcome: outcome,
            isFailure: isFailure)
    }

    private func problems(_ twins: [Twin]) -> [RunReport.Problem.Kind] {
        ControlReport(controls: [], passed: [], twins: twins).problems.map(\.kind)
    }

    @Test("A client that does the same in three files with and without faults is red")
    func replays() {
        let twins = ["a", "b", "c"].map { twin($0, .same) }
        let report = ControlReport(controls: [], passed: [], twins: twins)
        #expect(problems(twins) == [.twin])
        #expect(run(report).exitCode == .red)
        #expect(report.twinLine == "0 of 3 fault-free twins differ")
        #expect(report.suspicion?.hasSuffix("it told the same in a, b, c") == true)
    }

    @Test("One twin that differs, fewer than three files, or twins that tell nothing are not red")
    func doubts() {
        #expect(problems([twin("a", .same), twin("b", .same), twin("c", .differs)]) == [])
        #expect(problems([twin("a", .same), twin("b", .same)]) == [])
        #expect(problems([twin("a[x=1]", .same), twin("a[x=2]", .same), twin("b", .same)]) == [])
        #expect(problems(["a", "b", "c"].map { twin($0, .cannotTell) }) == [])
        #expect(problems(["a", "b", "c"].map { twin($0, .notRun) }) == [])
    }

    @Test("Failures that come without their faults too are red, where there are two and no other")
    func unfounded() {
        let unfounded = (1...2).map { twin("f[case=\($0)]", .unfounded, isFailure: true) }
        let others = ["a", "b", "c"].map { twin($0, .differs) }
        #expect(problems(unfounded + others) == [.twin])
        #expect(problems(Array(unfounded.dropLast()) + others) == [])
        #expect(problems(unfounded + [twin("g", .differs, isFailure: true)] + others) == [])
    }
}
