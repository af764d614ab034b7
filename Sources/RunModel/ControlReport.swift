/// What shows that the green of a run could have been red: negative controls and fault-free twins.
package struct ControlReport: Hashable, Sendable {
    /// So many passed scenarios are controlled at least; all, where fewer passed.
    package static let least = 10
    /// Twins of so many files, none of which differs, make a run red.
    package static let tellingFiles = 3
    /// So many failures that come without their faults too make a run red, where all failures do.
    package static let unfoundedFailures = 2

    /// In the order of the plan.
    package var controls: [Control]
    /// Ids of the scenarios that passed, whether they were controlled or not.
    package var passed: [String]
    /// In the order of the plan.
    package var twins: [Twin]

    package init(controls: [Control], passed: [String], twins: [Twin] = []) {
        self.controls = controls
        self.passed = passed
        self.twins = twins
    }

    package var redCount: Int { controls.count(where: \.isRed) }

    /// Passed scenarios in which nothing could be falsified.
    package var uncontrolled: [String] {
        let controlled = Set(controls.map(\.scenario))
        return passed.filter { !controlled.contains($0) }
    }

    /// `10 of 10 controls went red`.
    package var line: String {
        guard !controls.isEmpty || !passed.isEmpty else {
            return "no controls: nothing passed that they could be made of"
        }
        let noun = controls.count == 1 ? "control" : "controls"
        return "\(redCount) of \(controls.count) \(noun) went red"
    }

    /// `8 of 8 twins without faults differ`; nil where there is none that tells anything.
    package var twinLine: String? {
        let telling = twins.filter(\.isTelling)
        guard !telling.isEmpty else { return nil }
        let differing = telling.count { $0.outcome == .differs }
        return "\(differing) of \(telling.count) fault-free "
            + (telling.count == 1 ? "twin differs" : "twins differ")
    }

    /// Names the scenarios after which the client is to be looked at; nil where there are none.
    package var suspicion: String? {
        let names = twins.filter(\.isSuspicious).map(\.scenario)
        guard !names.isEmpty else { return nil }
        let some = names.prefix(5).joined(separator: ", ")
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return "the client's events may not depend on what happens: with and without the faults it "
            + "told the same in \(some)\(more)"
    }

    /// What is wrong with the run because of them.
    package var problems: [RunReport.Problem] {
        controlProblems + twinProblems
    }

    private var controlProblems: [RunReport.Problem] {
        var problems = controls.filter { !$0.isRed }.map { control in
            RunReport.Problem(
                .control,
                "in \(control.scenario) \(control.falsification), and \(control.noticer) did not "
                    + "notice it: what this run calls passed is not shown")
        }
        let wanted = min(Self.least, passed.count)
        if Set(controls.map(\.scenario)).count < wanted {
            let names = uncontrolled.prefix(3).joined(separator: ", ")
            problems.append(
                RunReport.Problem(
                    .control,
                    "\(controls.count) of \(passed.count) passed scenarios could be controlled, "
                        + "at least \(wanted) must be: nothing that \(names) expects could turn "
                        + "red; let it expect events, errors, bytes or requests"))
        }
        return problems
    }

    private var twinProblems: [RunReport.Problem] {
        let telling = twins.filter(\.isTelling)
        let failing = telling.filter(\.isFailure)
        if Set(telling.map(\.file)).count >= Self.tellingFiles,
            telling.allSatisfy(\.isSuspicious)
        {
            return [
                RunReport.Problem(
                    .twin,
                    "nothing that the client does or tells depends on what happens: none of "
                        + "\(telling.count) scenarios differs from its run without faults")
            ]
        }
        guard failing.count >= Self.unfoundedFailures,
            failing.allSatisfy(\.isSuspicious)
        else { return [] }
        return [
            RunReport.Problem(
                .twin,
                "the client tells of failures that nothing brought about: all \(failing.count) "
                    + "scenarios that end in a failure end in the same without their faults")
        ]
    }
}

extension RunReport {
    /// Takes in what controls and twins have shown, with what is wrong because of it.
    package mutating func add(_ controls: ControlReport?) {
        self.controls = controls
        problems += controls?.problems ?? []
        if let suspicion = controls?.suspicion { remarks.append(suspicion) }
    }
}
