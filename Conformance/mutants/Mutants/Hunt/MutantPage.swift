import Scenario
import StorageModel

/// The page of the mutants, in Markdown: a pure function of what was found.
package struct MutantPage {
    private let evidence: Evidence

    /// - Parameter evidence: what the witnesses show.
    package init(_ evidence: Evidence) { self.evidence = evidence }

    package var text: String {
        (head + mutantTable("## Made by hand", isDrawn: false)
            + mutantTable("## Drawn by chance", isDrawn: true) + equivalents + rules + untouched)
            .joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        [
            "# Mutants",
            "",
            "<!-- Written by `Conformance/mutants/run --all --update`. -->",
            "",
            "Wrong clients, each the reference client with one mistake, and the scenario that catches it. "
                + "A mutant counts as caught when a scenario of level `must` fails for it with a line that "
                + "names the mistake. `Conformance/mutants/run` runs them all; the gate holds this page "
                + "against what it finds.",
            "",
            evidence.lastLine + ".",
            "",
        ]
    }

    private func mutantTable(_ title: String, isDrawn: Bool) -> [String] {
        let rows = evidence.both.filter { $0.0.isDrawn == isDrawn && $0.1.isCaught }
        guard !rows.isEmpty else { return [] }
        return [
            title, "", "| mutant | the client | breaks | where | caught by | which says |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
            + rows.map { mutant, finding in
                let caught = finding.caught
                let best =
                    caught.first { !Set($0.rules).isDisjoint(with: mutant.rules) } ?? caught[0]
                return row([
                    "`\(mutant.name)`", mutant.mistake, mutant.rules.joined(separator: ", "),
                    mutant.parts.joined(separator: ", "), "`\(best.scenario)`", best.line,
                ])
            } + [""]
    }

    private var equivalents: [String] {
        let rows = evidence.equivalent
        guard !rows.isEmpty else { return [] }
        return [
            "## No mistakes", "",
            "Changes that nobody who looks from outside can tell from the honest client.", "",
            "| mutant | the client | why it cannot be told |", "| --- | --- | --- |",
        ]
            + rows.map { mutant in
                row([
                    "`\(mutant.name)`", mutant.mistake,
                    evidence.explanations.reason(.equivalent, mutant.name) ?? "",
                ])
            } + [""]
    }

    private var rules: [String] {
        [
            "## Rules", "",
            "A rule is covered when a mutant that breaks it is caught by a scenario that cites it.",
            "",
            "| rule | says | covered by |", "| --- | --- | --- |",
        ]
            + evidence.rules.map { rule in
                let cover = evidence.cover(of: rule).map {
                    "`\($0.mutant.name)`, caught by `\($0.red.scenario)`"
                }
                let reason = evidence.explanations.reason(.rule, rule).map { "not covered: \($0)" }
                return row([
                    rule, RuleBook.sentence(for: rule) ?? "", cover ?? reason ?? "not covered",
                ])
            } + [""]
    }

    private var untouched: [String] {
        let left = evidence.untouched
        return [
            "## Scenarios that are red for no mutant", "",
            "\(left.count) of \(evidence.suite.plan.count).", "",
        ]
            + (left.isEmpty
                ? []
                : ["| scenario | why |", "| --- | --- |"]
                    + left.map {
                        row([
                            "`\($0.id)`", evidence.explanations.reason(.scenario, $0.id) ?? "",
                        ])
                    })
    }

    private func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
}
