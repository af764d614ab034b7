import EventMatching
import RunModel
import Scenario
import StorageModel
import Testing

@testable import ScenarioRunner

@Suite("Fault-free twins")
struct FaultFreeTwinTests {
    // MARK: Comparing

    private static func event(
        _ kind: TransferEvent.Kind, _ completed: Int64 = 0, code: ErrorCode? = nil
    ) -> TransferEvent {
        TransferEvent(
            kind: kind, completed: completed, total: 100, error: code.map { ClientError(code: $0) })
    }

    private static func result(
        _ events: [TransferEvent], _ requests: [(StorageModel.Operation, Int?)],
        isFaulty: Bool = false
    ) -> ScenarioResult {
        var result = ScenarioResult(id: "a/b", file: "a/b.yaml", verdict: .passed)
        var task = TaskRecord(name: "up", isUpload: true, bucket: "demo", path: "a.bin")
        task.events = events
        task.completions = [TaskRecord.Completion(error: events.last?.error, time: .seconds(1))]
        result.tasks = [task]
        result.exchanges = requests.enumerated().map { index, request in
            var exchange = ExchangeRecord(
                ordinal: index + 1, connection: 1, operation: request.0, method: "POST",
                target: "/")
            exchange.path = "a.bin"
            exchange.status = request.1
            exchange.ending = .complete
            if isFaulty, request.1 != 200 {
                exchange.faults = [FiredFault(rule: 1, name: "busy", time: .zero)]
            }
            return exchange
        }
        return result
    }

    private static let success = [event(.resume), event(.progress, 100), event(.success, 100)]
    private static let refused = [event(.resume), event(.failure, code: .unauthorized)]

    @Test("A retried request makes the difference, whatever the events are")
    func retried() {
        let twin = FaultFreeTwins.compare(
            Self.result(
                Self.success, [(.uploadStart, 503), (.uploadStart, 200), (.uploadFinalize, 200)],
                isFaulty: true),
            Self.result(Self.success, [(.uploadStart, 200), (.uploadFinalize, 200)]))
        #expect(twin.outcome == .differs)
        #expect(!twin.isFailure)
    }

    @Test("The same events and requests are the same, whatever was answered, and however finely")
    func same() {
        var more = Self.success
        more.insert(Self.event(.progress, 50), at: 1)
        let twin = FaultFreeTwins.compare(
            Self.result(
                Self.success, [(.uploadStart, 503), (.uploadFinalize, nil)], isFaulty: true),
            Self.result(more, [(.uploadStart, 200), (.uploadFinalize, 200)]))
        #expect(twin.outcome == .same)
    }

    @Test("A failure that is told without its cause is unfounded")
    func unfounded() {
        let passed = Self.result(Self.refused, [(.uploadStart, 403)], isFaulty: true)
        let stored: [(StorageModel.Operation, Int?)] = [
            (.uploadStart, 200), (.uploadFinalize, 200),
        ]
        let twin = FaultFreeTwins.compare(passed, Self.result(Self.refused, stored))
        #expect(twin.outcome == .unfounded)
        #expect(twin.isFailure)
        // With a success instead, as an honest client tells, or with another refusal.
        let honest = FaultFreeTwins.compare(passed, Self.result(Self.success, stored))
        #expect(honest.outcome == .differs)
        let again = Self.result(Self.refused, [(.uploadStart, 200), (.uploadFinalize, 403)])
        #expect(FaultFreeTwins.compare(passed, again).outcome == .differs)
    }

    @Test("What a client finds out by itself needs no refusal")
    func ownFailure() {
        let own = [Self.event(.resume), Self.event(.failure, code: .downloadSizeExceeded)]
        let passed = Self.result(own, [(.download, 503), (.download, 200)], isFaulty: true)
        let twin = FaultFreeTwins.compare(passed, Self.result(own, [(.download, 200)]))
        #expect(twin.outcome == .differs)
        #expect(!twin.isFailure)
    }

    @Test("A fault that refuses and breaks nothing tells nothing")
    func cannotTell() {
        let slow = Self.result(Self.success, [(.uploadStart, 200)])
        let twin = FaultFreeTwins.compare(slow, slow)
        #expect(twin.outcome == .cannotTell)
        #expect(twin.reason != nil)
    }

    @Test("A twin in which the client broke is not compared")
    func broken() {
        let passed = Self.result(Self.success, [(.uploadStart, 503)], isFaulty: true)
        var broken = passed
        broken.verdict = .failed
        broken.failures = [Failure(.client, "the client exited")]
        let twin = FaultFreeTwins.compare(passed, broken)
        #expect(twin.outcome == .notRun)
        #expect(twin.reason == "the client exited")
    }

    // MARK: Running

    private static func report(_ text: String) async throws -> ControlReport {
        var settings = RunSettings()
        settings.controls = .one
        let plan = try TemporaryPlan(text)
        let outcome = await SuiteRunner(Harness.client, settings: settings, jobs: 2)
            .run(plan.planned)
        #expect(outcome.results.count == plan.planned.count)
        return try #require(outcome.controls)
    }

    private static let smoke = """
        title: An upload that was refused for now goes on
        source: [D5]
        smoke: true
        client: {chunkSize: 256KiB}
        matrix: {status: [500, 503], size: [100KiB, 600KiB]}
        faults: [{match: "upload.start#1", name: busy, do: {respond: "${status}"}}]
        steps:
          - {upload: docs/a.bin, as: up, data: {size: "${size}", seed: 1}}
          - {get-metadata: docs/a.bin, as: there, when: [up success, fault busy]}
        expect:
          up: {events: [resume, progress+, success]}
        """

    @Test(
        "Each smoke scenario with faults that passed has a twin, also one that waits for its fault")
    func runs() async throws {
        let report = try await Self.report(Self.smoke)
        #expect(report.passed.count == 4)
        #expect(report.twins.map(\.scenario) == report.passed)
        #expect(report.twins.allSatisfy { $0.outcome == .differs }, "\(report.twins)")
        #expect(report.problems == [])
    }

    @Test("Scenarios without faults, outside of the smoke set, or not passed have none")
    func hasNone() async throws {
        let others = [
            Self.smoke.replacing("smoke: true\n", with: ""),
            Self.smoke.replacing("when: [up success, fault busy]", with: "when: up success")
                .split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("faults:") }.joined(separator: "\n")
                .replacing("status: [500, 503], ", with: ""),
            Self.smoke.replacing("success]}", with: "failure]}"),
        ]
        for text in others { #expect(try await Self.report(text).twins == []) }
    }

    @Test("The reference client's twins of the suite all differ")
    func referenceClient() async throws {
        let plan = try SuiteFiles.plan().filter {
            $0.scenario.isSmoke && !$0.scenario.faults.isEmpty
        }
        var settings = RunSettings()
        settings.controls = .one
        let outcome = await SuiteRunner(Harness.client, settings: settings, jobs: 2).run(plan)
        let twins = try #require(outcome.controls).twins
        // Whoever is killed cannot tell a held answer from a slow one.
        #expect(
            Set(plan.map(\.id)).subtracting(twins.map(\.scenario))
                == ["restart/goes-on-in-a-new-process[after=40%]"])
        #expect(Set(twins.map(\.file)).count >= 5)
        #expect(twins.filter { $0.outcome != .differs } == [])
    }
}
