import EventLoop
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import TestSupport

/// Runs scenarios given as text against the reference client.
enum Harness {
    static let client = ClientSource(isKept: false) { ReferenceDriver(loop: $0) }

    static func plan(_ text: String, directory: TemporaryDirectory) throws -> [PlannedScenario] {
        let path = try directory.write(text, to: "scenario.yaml")
        let plan = ScenarioLoader().plan([path])
        guard plan.isValid else { throw Invalid(description: "\(plan.diagnostics)") }
        return plan.planned
    }

    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    static func run(
        _ text: String, client: ClientSource = client, settings: RunSettings = RunSettings(),
        jobs: Int = 1
    ) async throws -> [ScenarioResult] {
        let directory = try TemporaryDirectory()
        let plan = try plan(text, directory: directory)
        return await SuiteRunner(client, settings: settings, jobs: jobs).run(plan).results
    }

    /// What a run's digest says of the results.
    static func digest(_ results: [ScenarioResult]) -> String {
        var report = RunReport(
            toolVersion: "", suiteVersion: "", suiteDigest: "",
            client: RunReport.Client(name: "", version: ""), seed: 1)
        report.results = results
        return report.digest
    }

    /// The verdict and the sentences of the failures, for one scenario.
    static func outcome(
        _ text: String, client: ClientSource = client, settings: RunSettings = RunSettings()
    ) async throws -> [String] {
        let results = try await run(text, client: client, settings: settings)
        return results.flatMap { result in
            ["\(result.verdict)"] + (result.reason.map { [$0] } ?? [])
                + result.failures.map { "\($0.kind.rawValue): \($0.sentence)" }
        }
    }
}
