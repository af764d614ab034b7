import ScenarioRunner
import Testing

@Suite("Scenarios end to end")
struct FirstScenarioTests {
    @Test("An upload in one request passes")
    func upload() async throws {
        let outcome = try await Harness.outcome(
            """
            title: An upload is stored as it was sent
            source: [D5]
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 1MiB, seed: 11}}
            expect:
              up:
                events: [resume, progress+, success]
                metadata: {size: 1MiB}
              stored: {images/rivers.jpg: {same-as: up, generations: 1}}
            """)
        #expect(outcome == ["passed"])
    }
}
