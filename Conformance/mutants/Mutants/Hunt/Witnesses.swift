import Scenario

/// Pairs of a mutant and a scenario that is known to turn red for it: where to look first.
///
/// They save work and prove nothing: each of them is run again.
package struct Witnesses: Hashable, Sendable {
    package struct Pair: Hashable, Sendable {
        package let mutant: String
        package let scenario: String

        package init(_ mutant: String, _ scenario: String) {
            self.mutant = mutant
            self.scenario = scenario
        }
    }

    package private(set) var pairs: [Pair] = []

    package init(_ pairs: [Pair] = []) {
        var known: Set<Pair> = []
        self.pairs = pairs.filter { known.insert($0).inserted }
    }

    /// Reads lines `MUTANT: SCENARIO`; others say nothing.
    package init(text: String) {
        self.init(
            text.split(separator: "\n").compactMap { line in
                guard !line.hasPrefix("#"), let mark = line.firstRange(of: ": ") else { return nil }
                return Pair(String(line[..<mark.lowerBound]), String(line[mark.upperBound...]))
            })
    }

    package var text: String {
        let head = """
            # A mutant, and a scenario that turns red for it: where Conformance/mutants looks first.
            # Written by `Conformance/mutants/run --all --update`; every pair is run again each time.

            """
        return head + pairs.map { "\($0.mutant): \($0.scenario)\n" }.joined()
    }

    package func scenarios(of mutant: String) -> Set<String> {
        Set(pairs.filter { $0.mutant == mutant }.map(\.scenario))
    }

    /// A small choice that shows everything that the evidence shows: each mutant caught, each rule
    /// covered, each scenario red.
    package init(choosingFrom evidence: Evidence) {
        var pairs: [Pair] = []
        for (mutant, finding) in evidence.both {
            // The one that cites a rule which it breaks, if there is one, speaks best.
            let caught = finding.caught
            let best = caught.first { !Set($0.rules).isDisjoint(with: mutant.rules) }
            if let red = best ?? caught.first { pairs.append(Pair(mutant.name, red.scenario)) }
        }
        for rule in evidence.rules {
            if let cover = evidence.cover(of: rule) {
                pairs.append(Pair(cover.mutant.name, cover.red.scenario))
            }
        }
        var shown = Set(pairs.map(\.scenario))
        for planned in evidence.suite.plan where !shown.contains(planned.id) {
            guard let red = evidence.firstRed(planned.id) else { continue }
            pairs.append(Pair(red.mutant.name, planned.id))
            shown.insert(planned.id)
        }
        let order = Dictionary(
            evidence.mutants.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { one, _ in one }
        )
        let sorted = pairs.enumerated().sorted { one, other in
            let places = (order[one.element.mutant] ?? 0, order[other.element.mutant] ?? 0)
            return places.0 == places.1 ? one.offset < other.offset : places.0 < places.1
        }
        self.init(sorted.map(\.element))
    }
}
