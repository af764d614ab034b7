import Scenario
import StorageModel
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("What is known of a scenario's time on the wall clock")
struct WallEstimateTests {
    private func estimate(_ more: String, scale: Double = 0.1) throws -> WallEstimate {
        let planned = try Harness.plan(
            """
            title: An upload ends once
            source: [D5]
            \(more)
            """, directory: TemporaryDirectory())
        return WallEstimate(try #require(planned.first).scenario, scale: scale)
    }

    private let upload = "steps: [{upload: docs/a.bin, as: up, data: {size: 1, seed: 1}}]"

    @Test("Nobody hangs for longer than a scenario's own waits and 20 s", arguments: [0.1, 1])
    func calm(scale: Double) throws {
        let estimate = try estimate(upload, scale: scale)
        #expect(estimate.settle == .milliseconds(300))
        #expect(estimate.deadline == .milliseconds(20_300))
        #expect(estimate.expected < .milliseconds(500))
    }

    @Test(
        "A file may ask for a longer silence and for a later deadline, and never for shorter ones")
    func asked() throws {
        let long = try estimate("settle: 20s\ndeadline: 2h\n" + upload)
        #expect(long.settle == .seconds(2))
        #expect(long.deadline == .seconds(720))
        let short = try estimate("settle: 1s\ndeadline: 10s\n" + upload)
        #expect(short.settle == .milliseconds(300))
        #expect(short.deadline > .seconds(20))
    }

    @Test("Where something breaks, a client has its whole limit for each transfer, and 20 s more")
    func breaks() throws {
        let estimate = try estimate(
            """
            client: {maxUploadRetryTime: 100s, maxOperationRetryTime: 50s, idleTimeout: 10s}
            faults: [{match: "upload.start#1", do: {delay: 30s}}]
            \(upload)
            """)
        // A tenth of 100 + 50 + 2 x 10 for the client, and of 4 x 30 for the fault.
        #expect(estimate.deadline == .seconds(20) + .milliseconds(300) + .seconds(29))
    }

    @Test("Waits of the steps and the longest of the faults are expected to pass")
    func waits() throws {
        let estimate = try estimate(
            """
            faults: [{match: "upload.start#1", do: {delay: 30s}}]
            steps:
              - {upload: docs/a.bin, as: up, data: {size: 1, seed: 1}}
              - {wait: 20s}
            """)
        #expect(estimate.expected > .seconds(5))
        #expect(estimate.expected < .seconds(6))
    }
}
