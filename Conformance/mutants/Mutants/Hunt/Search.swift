import Scenario
import StorageModel

/// Which scenarios are run against which mutant, and in which order.
package struct Search: Sendable {
    package enum Depth: Hashable, Sendable {
        /// Every scenario against every mutant.
        case whole
        /// What is known first, then only what is missing.
        case quick
        /// Each mutant until it is caught.
        case first
    }

    private let hunt: Hunt
    private let witnesses: Witnesses
    private let progress: @Sendable (Finding) -> Void

    /// - Parameter progress: called after each mutant, one call at a time.
    package init(
        _ hunt: Hunt, _ witnesses: Witnesses, progress: @escaping @Sendable (Finding) -> Void
    ) {
        self.hunt = hunt
        self.witnesses = witnesses
        self.progress = progress
    }

    /// Adds to the evidence what is found.
    package func fill(_ evidence: inout Evidence, _ depth: Depth) async {
        switch depth {
        case .whole: await run(evidence.mutants.map { .init($0, hunt.plan) }, &evidence)
        case .first:
            await run(
                evidence.mutants.map {
                    .init($0, likelyFirst($0), stopsWhenCaught: true)
                }, &evidence)
        case .quick:
            await run(
                evidence.mutants.map { mutant in
                    let known = witnesses.scenarios(of: mutant.name)
                    return .init(mutant, evidence.suite.scenarios(known))
                }, &evidence)
            await fillGaps(&evidence)
        }
    }

    private func run(_ trials: [Hunt.Trial], _ evidence: inout Evidence) async {
        for finding in await hunt.run(trials, progress: progress) { evidence.add(finding) }
    }

    private func likelyFirst(_ mutant: Mutant) -> [PlannedScenario] {
        let known = witnesses.scenarios(of: mutant.name)
        func rank(_ planned: PlannedScenario) -> Int {
            if known.contains(planned.id) { return 0 }
            let cited = Set(planned.scenario.sources.map(\.value))
            return cited.isDisjoint(with: mutant.rules) ? 2 : 1
        }
        return hunt.plan.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    /// What the witnesses do not show is looked for, unless there is a reason why it is not there.
    private func fillGaps(_ evidence: inout Evidence) async {
        let explanations = evidence.explanations
        let survivors = evidence.survivors.filter {
            explanations.reason(.equivalent, $0.name) == nil
        }
        await run(
            survivors.map { .init($0, likelyFirst($0), stopsWhenCaught: true) }, &evidence)
        for rule in evidence.uncoveredRules where explanations.reason(.rule, rule) == nil {
            let citing = hunt.plan.filter { $0.scenario.sources.contains { $0.value == rule } }
            let breaking = evidence.mutants.filter { $0.rules.contains(rule) }
            await run(breaking.map { .init($0, citing, stopsWhenCaught: true) }, &evidence)
        }
        for mutant in evidence.mutants {
            let left = evidence.untouched.filter {
                explanations.reason(.scenario, $0.id) == nil
            }
            if left.isEmpty { return }
            await run([.init(mutant, left)], &evidence)
        }
    }
}
