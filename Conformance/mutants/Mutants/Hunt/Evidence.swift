package import Scenario
import StorageModel

/// What a suite has found of all mutants, and what follows from that.
package struct Evidence: Sendable {
    package let mutants: [Mutant]
    package let suite: SuiteUnderTest
    package let rules: [String]
    package let explanations: Explanations
    /// Scenarios that the client cannot run in virtual time: nobody turns them red.
    package let skipped: Set<String>
    private var findings: [String: Finding]

    package init(
        _ mutants: [Mutant], _ suite: SuiteUnderTest, _ explanations: Explanations = Explanations(),
        skipped: Set<String> = [], findings: [Finding] = [],
        rules: [String] = SuiteUnderTest.rules
    ) {
        self.mutants = mutants
        self.suite = suite
        self.rules = rules
        self.explanations = explanations
        self.skipped = skipped
        self.findings = [:]
        for finding in findings { add(finding) }
    }

    package mutating func add(_ finding: Finding) {
        findings[finding.mutant, default: Finding(finding.mutant)].add(finding)
    }

    package func finding(_ mutant: Mutant) -> Finding {
        findings[mutant.name] ?? Finding(mutant.name)
    }

    package var both: [(Mutant, Finding)] { mutants.map { ($0, finding($0)) } }

    /// The same, but only what these pairs show.
    package func restricted(to witnesses: Witnesses) -> Evidence {
        var evidence = self
        for (name, finding) in findings {
            let shown = witnesses.scenarios(of: name)
            var less = finding
            less.reds.removeAll { !shown.contains($0.scenario) }
            evidence.findings[name] = less
        }
        return evidence
    }

    // MARK: Mutants

    package var caught: [Mutant] { both.filter(\.1.isCaught).map(\.0) }

    package var survivors: [Mutant] { both.filter { !$0.1.isCaught }.map(\.0) }

    /// Survivors that nobody could tell from the honest client.
    package var equivalent: [Mutant] {
        survivors.filter { explanations.reason(.equivalent, $0.name) != nil }
    }

    package var broken: [String] {
        both.flatMap { mutant, finding in finding.broken.map { "\(mutant.name): \($0)" } }
    }

    // MARK: Rules

    package struct Cover: Sendable {
        package let mutant: Mutant
        package let red: Red
    }

    /// A mutant that breaks the rule, caught by a scenario that cites it.
    package func cover(of rule: String) -> Cover? {
        for (mutant, finding) in both where mutant.rules.contains(rule) {
            if let red = finding.caught.first(where: { $0.rules.contains(rule) }) {
                return Cover(mutant: mutant, red: red)
            }
        }
        return nil
    }

    package var coveredRules: [String] { rules.filter { cover(of: $0) != nil } }

    package var uncoveredRules: [String] { rules.filter { cover(of: $0) == nil } }

    // MARK: Scenarios

    /// The first mutant that the scenario is red for.
    package func firstRed(_ scenario: String) -> Cover? {
        for (mutant, finding) in both {
            if let red = finding.reds.first(where: { $0.scenario == scenario }) {
                return Cover(mutant: mutant, red: red)
            }
        }
        return nil
    }

    private var red: Set<String> { Set(both.flatMap { $0.1.reds.map(\.scenario) }) }

    /// Scenarios that are red for no mutant.
    package var untouched: [PlannedScenario] {
        let red = red
        return suite.plan.filter { !red.contains($0.id) }
    }

    // MARK: The verdict

    /// How much of the suite may be red for no mutant, in hundredths.
    package static let mostUntouched = 10

    /// Everything that is not as it should be, a sentence each; none: all is well.
    ///
    /// - Parameter isWhole: false where not everything was run, so that what was not found may be there.
    package func problems(isWhole: Bool) -> [String] {
        var problems = broken.map { "Squall broke: \($0)" }
        for mutant in survivors where explanations.reason(.equivalent, mutant.name) == nil {
            let near = finding(mutant).reds.first.map {
                ": the nearest is \($0.scenario)\($0.isMust ? "" : " (no must)"): \($0.line)"
            }
            problems.append("\(mutant.name) is caught by no must scenario\(near ?? "")")
        }
        for rule in uncoveredRules where explanations.reason(.rule, rule) == nil {
            problems.append(
                "\(rule) is not covered: no mutant that breaks it is caught by a scenario that cites it"
            )
        }
        let untouched = untouched
        for planned in untouched where explanations.reason(.scenario, planned.id) == nil {
            problems.append("\(planned.id) is red for no mutant")
        }
        if untouched.count * 100 > suite.plan.count * Self.mostUntouched {
            problems.append(
                "\(untouched.count) of \(suite.plan.count) scenarios are red for no mutant: at most "
                    + "\(Self.mostUntouched) % may be")
        }
        return problems + (isWhole ? stale(Set(untouched.map(\.id))) : [])
    }

    private func stale(_ untouched: Set<String>) -> [String] {
        let needed: [Explanations.Section: Set<String>] = [
            .equivalent: Set(survivors.map(\.name)), .rule: Set(uncoveredRules),
            .scenario: untouched,
        ]
        return Explanations.Section.allCases.flatMap { section in
            explanations.stale(section, needed: needed[section] ?? []).map {
                "line \($0.line) of the explanations is stale: \($0.name)"
            }
        }
    }

    package var lastLine: String {
        let counted = mutants.count - equivalent.count
        return "\(caught.count) of \(counted) mutants caught"
    }
}
