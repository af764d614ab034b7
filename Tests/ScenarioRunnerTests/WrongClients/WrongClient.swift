import ClientDriver
import EventMatching
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import Testing

@testable import CloudStorage

/// A client with one mistake, the scenario of the suite that finds it, and what is to be said of it.
struct WrongClient: Sendable, CustomTestStringConvertible {
    /// What it does.
    let name: String
    /// A scenario of the suite, with its row.
    let scenario: String
    let kind: Failure.Kind
    var invariant: Invariant?
    /// Words of the headline.
    let words: [String]
    var verdict = Verdict.failed
    let mistake: Mistake

    var testDescription: String { name }

    init(
        _ name: String, in scenario: String, _ kind: Failure.Kind, says words: String...,
        verdict: Verdict = .failed, mistake: Mistake
    ) {
        self.name = name
        self.scenario = scenario
        self.kind = kind
        self.words = words
        self.verdict = verdict
        self.mistake = mistake
    }

    /// One that nothing but an invariant finds.
    init(
        _ name: String, in scenario: String, breaks invariant: Invariant, says words: String...,
        mistake: Mistake
    ) {
        self.name = name
        self.scenario = scenario
        kind = .invariant
        self.invariant = invariant
        self.words = words
        self.mistake = mistake
    }

    private var source: ClientSource {
        ClientSource(isKept: false) { [mistake] loop in
            guard let wire = mistake.onTheWire else {
                return WrongDriver(ReferenceDriver(loop: loop), mistake)
            }
            let honest = ReferenceDriver(loop: loop) { loop, configuration in
                StorageEngine(
                    loop: loop, transport: WrongTransport(loop: loop, wire),
                    seed: configuration.seed, idleTimeout: configuration.settings.idleTimeout)
            }
            return WrongDriver(honest, mistake)
        }
    }

    func run() async throws -> ScenarioResult {
        try await Self.run(scenario, source)
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
