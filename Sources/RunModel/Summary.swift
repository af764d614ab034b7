/// How many scenarios ended in which way.
package struct Summary: Hashable, Sendable {
    private let counts: [Verdict: Int]

    package init(_ results: some Sequence<ScenarioResult>) {
        counts = results.reduce(into: [:]) { $0[$1.verdict, default: 0] += 1 }
    }

    package subscript(_ verdict: Verdict) -> Int { counts[verdict] ?? 0 }

    /// Every scenario of the plan ends in exactly one way, so this is the sum.
    package var planned: Int { Verdict.allCases.reduce(0) { $0 + self[$1] } }
}
