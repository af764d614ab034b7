import ClientDriver
import EventLoop
import RunModel
import StorageModel
import Testing

@testable import ScenarioRunner

@Suite(
    "Whom a lane holds what a client did after a scenario against", .timeLimit(.minutes(5)))
struct TurnTests {
    private static let crash = ClientMisbehaviour.crashed(signal: 11, command: nil)
    private static let exit = ClientMisbehaviour.exited(code: 3, command: nil)

    private static func turn(
        _ verdict: Verdict, before: [ClientMisbehaviour] = [], isServed: Bool = true
    ) -> Turn {
        Turn(
            result: ScenarioResult(id: "a", title: "A", file: "a.yaml", verdict: verdict),
            before: before, isServed: isServed)
    }

    @Test("What was done between two tries is the scenario's own, what was done before is not")
    func repeated() {
        var turn = Self.turn(.errored, before: [Self.exit])
        turn.repeated(Self.turn(.passed, before: [Self.crash]))
        #expect(turn.result.verdict == .failed)
        #expect(
            turn.result.failures.map(\.sentence) == [
                "after the scenario the client was killed by signal 11 while nothing was asked of it"
            ])
        #expect(turn.before == [Self.exit])
        #expect(turn.isServed)
    }

    @Test("Where the client was not given the scenario the first time, all of it was done before")
    func repeatedUnserved() {
        var turn = Self.turn(.errored, before: [Self.exit], isServed: false)
        turn.repeated(Self.turn(.passed, before: [Self.crash]))
        #expect(turn.result.verdict == .passed)
        #expect(turn.before == [Self.exit, Self.crash])
        #expect(turn.isServed)
    }

    @Test("A pass after which the client broke off is not confirmed by another one")
    func confirmed() {
        var turn = Self.turn(.passed, before: [Self.exit])
        turn.confirmed(Self.turn(.passed))
        #expect(turn.result.verdict == .passed)
        turn.confirmed(Self.turn(.passed, before: [Self.crash]))
        #expect(turn.result.verdict == .failed)
        #expect(turn.before == [Self.exit])
    }

    // MARK: In runs

    private static func text(_ clocks: String) -> String {
        """
        title: An upload is stored
        source: [D5]
        matrix: {clock: [\(clocks)]}
        clock: "${clock}"
        steps:
          - {upload: "docs/a.bin", as: up, data: {size: 10, seed: 1}}
        expect:
          up: {events: [resume, progress*, success]}
        """
    }

    /// - Parameter aftermath: by how often it was asked for before.
    private static func source(
        isKept: Bool = true, hello: @escaping @Sendable (inout ClientHello) -> Void = { _ in },
        _ aftermath: @escaping @Sendable (Int) -> [ClientMisbehaviour]
    ) -> ClientSource {
        let asked = Lock(-1)
        return ClientSource(isKept: isKept) { loop in
            var lies = LyingDriver.Lies()
            lies.hello = hello
            lies.aftermath = {
                aftermath(
                    asked.withLock { asked in
                        asked += 1
                        return asked
                    })
            }
            return LyingDriver(loop: loop, lies: lies)
        }
    }

    /// Where the machine was in the way a scenario was run twice, and the client was asked more often
    /// than it should be: then all of it is done again.
    private static func verdicts(
        _ clocks: String, _ source: () -> ClientSource
    ) async throws -> [Verdict] {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        while true {
            let results = try await Harness.run(
                text(clocks), client: source(), settings: settings)
            if results.allSatisfy(\.earlierTries.isEmpty) { return results.map(\.verdict) }
        }
    }

    @Test("A scenario that was skipped in between is not blamed for the one before it")
    func skipped() async throws {
        let verdicts = try await Self.verdicts("real, virtual, any") {
            Self.source { $0 == 1 ? [Self.crash] : [] }
        }
        #expect(verdicts == [.failed, .skipped, .passed])
    }

    @Test("The last scenario of a lane is held responsible for how the client ends")
    func last() async throws {
        let verdicts = try await Self.verdicts("real, any") {
            Self.source { $0 == 2 ? [Self.crash] : [] }
        }
        #expect(verdicts == [.passed, .failed])
    }

    @Test("A client of its own ends with its scenario, and costs no other")
    func notKept() async throws {
        // Asked at the end of each scenario, and at the end of its client.
        let verdicts = try await Self.verdicts("real, any") {
            Self.source(isKept: false) { $0 == 1 ? [Self.crash] : [] }
        }
        #expect(verdicts == [.failed, .passed])
    }

    @Test("What it did is not forgotten where the next process is another client")
    func disowned() async throws {
        let verdicts = try await Self.verdicts("real, any") {
            let hellos = Lock(0)
            return Self.source { hello in
                let isSecond = hellos.withLock { hellos in
                    hellos += 1
                    return hellos == 2
                }
                if isSecond { hello.version = "2" }
            } _: {
                $0 == 1 ? [Self.crash] : []
            }
        }
        #expect(verdicts == [.failed, .failed])
    }
}
