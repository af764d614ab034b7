package import RunModel

/// A scenario that a mutant does not pass.
package struct Red: Hashable, Sendable {
    package let scenario: String
    package let isMust: Bool
    /// The rules that the scenario cites.
    package let rules: [String]
    /// The line that names the mistake; where none does, the headline.
    package let line: String
    package let isNamed: Bool

    /// Nil for a result that is no failure of the client.
    package init?(_ result: ScenarioResult, of mutant: Mutant) {
        guard result.verdict == .failed, let first = result.failures.first else { return nil }
        let lines = result.failures.map(\.line)
        let naming = lines.first(where: mutant.isNamed)
        scenario = result.id
        isMust = result.level == .must
        rules = result.sources
        line = naming ?? first.line
        isNamed = naming != nil
    }

    /// True for what counts as catching a mutant.
    package var catches: Bool { isMust && isNamed }
}

/// What the scenarios found of one mutant.
package struct Finding: Hashable, Sendable {
    package let mutant: String
    /// In the order of the suite.
    package var reds: [Red] = []
    /// Scenarios in which Squall broke, with what is said of it.
    package var broken: [String] = []
    package var ran = 0

    package init(_ mutant: String) { self.mutant = mutant }

    package var caught: [Red] { reds.filter(\.catches) }
    package var isCaught: Bool { reds.contains(where: \.catches) }

    /// Adds what further scenarios found; what was known stays.
    mutating func add(_ other: Finding) {
        let known = Set(reds.map(\.scenario))
        reds += other.reds.filter { !known.contains($0.scenario) }
        broken += other.broken
        ran += other.ran
    }
}
