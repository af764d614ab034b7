import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import Testing

/// The generated matrix finds wrong clients, and lets right ones pass.
@Suite("Generated matrix, run", .serialized)
struct GeneratedMatrixRunTests {
    @Test("A wrong client turns generated rows red", arguments: GeneratedMistake.all)
    func finds(_ client: GeneratedMistake) async throws {
        let plan = client.rows.flatMap { FaultTable.plan($0).planned }
        let run = await SuiteRunner(client.source, settings: RunSettings(), jobs: 2).run(plan)
        let red = run.results.filter { $0.verdict == .failed }
        let others = run.results.filter { ![.failed, .passed, .void].contains($0.verdict) }
        #expect(others.map { "\($0.id): \($0.verdict)" } == [])
        #expect(
            client.caught.contains(red.count),
            "\(client.name): \(red.count) of \(plan.count) rows are red")
        print("\(client.name): \(red.count) of \(plan.count) rows are red")
    }
}
