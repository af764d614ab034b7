import ClientDriver
import EventLoop
import EventMatching
import Glibc
import ReferenceDriver
import RunModel
import StorageModel
import TestSupport
import Testing

@testable import ScenarioRunner

/// A client that reports the beginning of an upload and nothing more.
private final class HalfDriver: ClientDriver {
    struct Conduct: Sendable {
        /// How long it has starved, each time that it is asked.
        var starvation: [Duration] = []
        /// What is found out about it when its time is over.
        var overdue: ClientMisbehaviour?
        /// What it does after the scenario.
        var aftermath: [ClientMisbehaviour] = []
        /// For how long its upload keeps the loop from everything else.
        var blocks: Duration?
        var completes = false
        /// How long it takes to be set up.
        var settingUp = Duration.zero
        /// Why its upload cannot be handed to it.
        var hindrance: String?
    }

    let loop: EventLoop
    private var conduct: Conduct
    private var sink: (any ClientSink)?
    private var isStopped = false

    init(_ loop: EventLoop, _ conduct: Conduct) {
        self.loop = loop
        self.conduct = conduct
    }

    static func source(_ conduct: Conduct) -> ClientSource {
        ClientSource(isKept: true) { HalfDriver($0, conduct) }
    }

    func hello(_ reply: @escaping (Result<ClientHello, ClientMisbehaviour>) -> Void) {
        let hello = ClientHello(name: "half", version: "1", capabilities: [.uploadData, .cancel])
        loop.realTimer(after: .zero) { reply(.success(hello)) }
    }

    func configure(
        _ configuration: ClientConfiguration, sink: any ClientSink,
        _ reply: @escaping (ClientReply) -> Void
    ) {
        self.sink = sink
        loop.realTimer(after: conduct.settingUp) { reply(.result(.done)) }
    }

    func perform(_ command: ClientCommand, _ reply: @escaping (ClientReply) -> Void) {
        loop.realTimer(after: .zero) { [self] in
            if case .cancel = command.verb {
                reply(.result(.done))
                var end = TransferEvent(kind: .failure, completed: 0, total: 1)
                end.time = loop.now
                sink?.observed(end, task: "up", observer: nil)
                sink?.completed(
                    TaskCompletion(error: ClientError(code: .cancelled, name: "n", message: "m")),
                    task: "up")
                return
            }
            if let problem = conduct.hindrance { return reply(.hindered(problem)) }
            reply(.result(.done))
            // The one test that has to be late is late on purpose.
            if let time = conduct.blocks { usleep(UInt32(time.components.seconds) * 1_000_000) }
            sink?.observed(
                TransferEvent(kind: .resume, completed: 0, total: 1), task: "up", observer: nil)
        }
    }

    func sync(_ reply: @escaping (ClientReply) -> Void) {
        loop.realTimer(after: .zero) { reply(.result(.done)) }
    }

    func end(_ reply: @escaping (ClientReply) -> Void) { sync(reply) }

    func stop(_ reply: @escaping () -> Void) {
        isStopped = true
        loop.realTimer(after: .zero, reply)
    }

    func expire(_ deadline: Duration, _ reply: @escaping () -> Void) {
        loop.realTimer(after: .zero) { [self] in
            if let overdue = conduct.overdue { sink?.misbehaved(overdue) }
            reply()
        }
    }

    var starvation: Duration {
        conduct.starvation.isEmpty ? .zero : conduct.starvation.removeFirst()
    }

    var errorOutput: [UInt8] { Array("its log\n".utf8) }

    func takeAftermath() -> [ClientMisbehaviour] {
        guard isStopped else { return [] }
        defer { conduct.aftermath = [] }
        return conduct.aftermath
    }
}

@Suite("Deadlines in wall time")
struct WallDeadlineTests {
    private static let scenario = """
        title: An upload ends once
        source: [D5]
        steps:
          - {upload: docs/a.bin, as: up, data: {size: 1, seed: 1}}
        """

    private func run(
        _ conduct: HalfDriver.Conduct, deadline: Duration = .milliseconds(200),
        _ scenario: String = scenario
    ) async throws -> ScenarioResult {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.deadline = deadline
        if conduct.blocks == nil { settings.latenessLimit = .seconds(60) }
        let results = try await Harness.run(
            scenario, client: HalfDriver.source(conduct), settings: settings)
        return try #require(results.first)
    }

    @Test("A transfer that hangs fails at the client's deadline, and what was awaited is told")
    func hangs() async throws {
        let result = try await run(HalfDriver.Conduct())
        #expect(result.verdict == .failed)
        #expect(result.failures.first?.kind == .deadline)
        #expect(result.failures.first?.sentence == "after 200ms up has not ended")
        #expect(result.duration >= .milliseconds(200))
        #expect(result.duration < .seconds(5))
        #expect(result.clientOutput == "its log\n")
    }

    @Test("A client that owes an answer at the deadline is blamed for that, once")
    func overdue() async throws {
        var conduct = HalfDriver.Conduct()
        conduct.overdue = .overdue(command: "sync", deadline: .milliseconds(200))
        let result = try await run(conduct)
        #expect(result.failures.count { $0.kind == .client } == 1)
        #expect(result.failures.count { $0.kind == .deadline } == 0)
    }

    @Test("Time for which the machine did not let the client run is added to its deadline")
    func starves() async throws {
        var conduct = HalfDriver.Conduct()
        // As it was at the start, and at each end of its time.
        conduct.starvation = [.seconds(1), .milliseconds(1400), .milliseconds(1420)]
        let result = try await run(conduct)
        #expect(result.failures.first?.sentence == "after 200ms up has not ended")
        #expect(result.duration >= .milliseconds(600))
    }

    @Test("Time that the machine took is waited for, and a machine that is always late has an end")
    func windows() throws {
        let first = ScenarioRun.Window(.milliseconds(300))
        #expect(first.next(lost: .milliseconds(50)) == nil)
        var window = try #require(first.next(lost: .milliseconds(400)))
        #expect(window.length == .milliseconds(400))
        #expect(window.next(lost: .milliseconds(50)) == nil)
        #expect(window.next(lost: .milliseconds(60))?.length == .milliseconds(60))
        var count = 0
        while let next = window.next(lost: .seconds(1)), count < 100 {
            (window, count) = (next, count + 1)
        }
        #expect(count < 20)
    }

    @Test("What the client does once a scenario is over is held against that scenario")
    func aftermath() async throws {
        var conduct = HalfDriver.Conduct()
        conduct.aftermath = [.exited(code: 3, command: nil)]
        let result = try await run(conduct)
        #expect(
            result.failures.map(\.sentence).contains(
                "after the scenario the client exited with code 3 while nothing was asked of it"))
    }

    @Test("How long the client takes to be set up is not taken from the times of the scenario")
    func setsUpSlowly() async throws {
        var conduct = HalfDriver.Conduct()
        conduct.settingUp = .milliseconds(300)
        let text =
            Self.scenario + """

                  - {cancel: up, when: time 3s}
                expect:
                  up: {time: {end: 3s..}}
                """
        let result = try await run(conduct, deadline: .seconds(10), text)
        #expect(result.failures.filter { $0.kind == .time } == [])
        #expect(result.tasks.first?.events.map(\.kind) == [.resume, .failure])
    }

    @Test("What cannot be handed to the client is our trouble and no failure of it")
    func hindered() async throws {
        var conduct = HalfDriver.Conduct()
        conduct.hindrance = "no room for the bytes of 'upload up'"
        let result = try await run(conduct)
        #expect(result.verdict == .errored)
        #expect(result.failures.first?.kind == .infrastructure)
        #expect(result.failures.first?.sentence == "no room for the bytes of 'upload up'")
        #expect(!result.failures.contains { $0.kind == .client })
    }

    @Test(
        "A loop that was late by more than a second proves nothing: errored, tried again, both told"
    )
    func late() async throws {
        var conduct = HalfDriver.Conduct()
        conduct.blocks = .seconds(2)
        let result = try await run(conduct)
        #expect(result.verdict == .errored)
        #expect(result.earlierTries.map(\.verdict) == [.errored])
        #expect(
            result.failures.contains {
                $0.kind == .infrastructure && $0.sentence.hasPrefix("the machine is too slow")
            })
    }
}
