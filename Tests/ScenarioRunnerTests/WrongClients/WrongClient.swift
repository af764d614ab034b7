import EventMatching
import Mutants
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import Testing

/// A client with one mistake, one scenario of the suite that finds it, and what is to be said of it first.
struct WrongClient: Sendable, CustomTestStringConvertible {
    /// A mutant's, or what it does where it is none of the table.
    let name: String
    /// Nil: that of the mutant of this name.
    private var hook: Mutant.Hook?
    /// A scenario of the suite, with its row.
    let scenario: String
    let kind: Failure.Kind
    var invariant: Invariant?
    /// Words of the headline.
    let words: [String]
    var verdict = Verdict.failed

    var testDescription: String { "\(name) in \(scenario)" }

    init(
        _ name: String, in scenario: String, _ kind: Failure.Kind, says words: String...,
        verdict: Verdict = .failed
    ) {
        self.name = name
        self.scenario = scenario
        self.kind = kind
        self.words = words
        self.verdict = verdict
    }

    /// One that is made for this scenario.
    init(
        _ name: String, in scenario: String, _ kind: Failure.Kind, says words: String...,
        mistake: Mistake
    ) {
        self.name = name
        self.scenario = scenario
        self.kind = kind
        self.words = words
        hook = .reports(mistake)
    }

    /// One that is made for this scenario.
    init(
        _ name: String, in scenario: String, _ kind: Failure.Kind, says words: String...,
        wire: WireMistake
    ) {
        self.name = name
        self.scenario = scenario
        self.kind = kind
        self.words = words
        hook = .wire(wire)
    }

    /// One that nothing but an invariant finds.
    init(
        _ name: String, in scenario: String, breaks invariant: Invariant, says words: String...
    ) {
        self.name = name
        self.scenario = scenario
        kind = .invariant
        self.invariant = invariant
        self.words = words
    }

    func run() async throws -> ScenarioResult {
        let made = hook.map { Mutant(name, name, breaks: [], says: [], $0) }
        let mutant = try #require(made ?? Mutants.named(name), "there is no mutant \(name)")
        return try await Self.run(scenario, mutant.source)
    }

    /// The same scenario with the honest client.
    func control() async throws -> ScenarioResult {
        try await Self.run(scenario, ClientSource(isKept: false) { ReferenceDriver(loop: $0) })
    }

    private static func run(
        _ scenario: String, _ source: ClientSource
    ) async throws -> ScenarioResult {
        let runner = SuiteRunner(source, settings: RunSettings())
        return try await runner.run([SuiteFiles.scenario(scenario)]).results[0]
    }
}
