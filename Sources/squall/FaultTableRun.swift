import FaultEngine
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner

/// `squall faults --outcomes`: every row of the fault table against the reference client.
enum FaultTableRun {
    static func perform() -> ExitCode {
        do { return try OwnLoop.run(run) } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
    }

    @Sendable private static func run() async -> ExitCode {
        // What needs TLS is no scenario: a test has its own server for it.
        let plan = GeneratedMatrix.planned.filter {
            !$0.scenario.faults.contains(where: \.needsTLS)
        }
        let client = ClientSource(isKept: false) { ReferenceDriver(loop: $0) }
        let outcome = await SuiteRunner(client, settings: RunSettings(), jobs: 2).run(plan)
        let departed = outcome.results.filter { $0.verdict != .passed }
        for result in departed {
            Terminal.print("\(result.verdict) \(result.id)")
            for failure in result.failures { Terminal.print("    " + failure.sentence) }
            if let reason = result.reason { Terminal.print("    " + reason) }
        }
        Terminal.print(
            "\(outcome.results.count) rows of \(FaultTable.rows.count): "
                + "\(outcome.results.count - departed.count) as the rules say, "
                + "\(departed.count) not; \(FaultTable.undecided.count) not decided")
        return departed.isEmpty ? .asPlanned : .red
    }
}
