import Foundation
import Scenario

/// What was found, as tables of text and as JSON.
package struct MutantReport {
    private let evidence: Evidence
    private let isWhole: Bool

    /// - Parameter isWhole: every scenario was run against every mutant.
    package init(_ evidence: Evidence, isWhole: Bool) {
        self.evidence = evidence
        self.isWhole = isWhole
    }

    package var caughtTable: [String] {
        ["Mutants, and the must scenarios that catch them:"]
            + evidence.both.flatMap { mutant, finding in lines(mutant, finding) }
    }

    private func lines(_ mutant: Mutant, _ finding: Finding) -> [String] {
        let caught = finding.caught
        guard
            let best = caught.first(where: { !Set($0.rules).isDisjoint(with: mutant.rules) })
                ?? caught.first
        else {
            let reason = evidence.explanations.reason(.equivalent, mutant.name)
            return [
                "  \(mutant.name): NOT CAUGHT (\(reason ?? "\(finding.reds.count) red")): "
                    + "the client \(mutant.mistake)"
            ]
                + finding.reds.prefix(3).map { red in
                    "    red: \(red.scenario)\(red.isMust ? "" : " (no must)"): \(red.line)"
                }
        }
        let few = ([best] + caught.filter { $0 != best }).prefix(3).map(\.scenario)
        let count = isWhole ? "\(caught.count) scenarios: " : ""
        return [
            "  \(mutant.name): \(count)\(few.joined(separator: ", "))", "    says: \(best.line)",
        ]
    }

    package var ruleTable: [String] {
        ["Rules:"]
            + evidence.rules.map { rule in
                guard let cover = evidence.cover(of: rule) else {
                    let reason = evidence.explanations.reason(.rule, rule)
                    return "  \(rule): NOT COVERED: \(reason ?? "for no reason that is known")"
                }
                return "  \(rule): \(cover.mutant.name) by \(cover.red.scenario)"
            }
            + ["  \(evidence.coveredRules.count) of \(evidence.rules.count) rules covered"]
    }

    package var scenarioTable: [String] {
        let untouched = evidence.untouched
        return ["Scenarios that are red for no mutant:"]
            + untouched.map { planned in
                let reason = evidence.explanations.reason(.scenario, planned.id)
                return "  \(planned.id): \(reason ?? "for no reason that is known")"
            }
            + ["  \(untouched.count) of \(evidence.suite.plan.count)"]
    }

    /// Everything, with sorted keys.
    package func json() throws -> String {
        let mutants: [[String: Any]] = evidence.both.map { mutant, finding in
            [
                "name": mutant.name, "mistake": mutant.mistake, "rules": mutant.rules,
                "hook": mutant.parts, "isDrawn": mutant.isDrawn, "isCaught": finding.isCaught,
                "ran": finding.ran, "broken": finding.broken,
                "red": finding.reds.map { red -> [String: Any] in
                    [
                        "scenario": red.scenario, "isMust": red.isMust, "line": red.line,
                        "namesMistake": red.isNamed,
                    ]
                },
            ]
        }
        let all: [String: Any] = [
            "mutants": mutants,
            "rules": Dictionary(
                uniqueKeysWithValues: evidence.rules.map { rule in
                    (
                        rule,
                        evidence.cover(of: rule).map { [$0.mutant.name, $0.red.scenario] } ?? []
                    )
                }),
            "untouched": evidence.untouched.map(\.id), "scenarios": evidence.suite.plan.count,
            "line": evidence.lastLine, "problems": evidence.problems(isWhole: isWhole),
        ]
        let data = try JSONSerialization.data(
            withJSONObject: all, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
