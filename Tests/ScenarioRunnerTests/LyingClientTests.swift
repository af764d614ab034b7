import ClientDriver
import EventMatching
import RunModel
import ScenarioRunner
import StorageModel
import Testing

@Suite("Lying clients")
struct LyingClientTests {
    private static let quiet = """
        title: An upload ends once
        source: [D5]
        client: {chunkSize: 256KiB}
        steps:
          - {upload: images/rivers.jpg, as: up, data: {size: 600KiB, seed: 11}}
        """

    private func kinds(_ lies: LyingDriver.Lies) async throws -> [String] {
        let results = try await Harness.run(Self.quiet, client: LyingDriver.source(lies))
        #expect(results.map(\.verdict) == [.failed])
        return results[0].failures.map { $0.invariant?.rawValue ?? $0.kind.rawValue }
    }

    @Test("A completion that never comes is a deadlock, and breaks an invariant")
    func noCompletion() async throws {
        var lies = LyingDriver.Lies()
        lies.completions = 0
        #expect(try await kinds(lies) == ["deadlock", "completion"])
    }

    @Test("A client that dies fails the scenario in which it did")
    func dies() async throws {
        var lies = LyingDriver.Lies()
        lies.misbehaves = .crashed(signal: 11, command: "upload up")
        let results = try await Harness.run(Self.quiet, client: LyingDriver.source(lies))
        #expect(results.map(\.verdict) == [.failed])
        #expect(
            results[0].failures.first?.sentence
                == "the client was killed by signal 11 before it answered 'upload up'")
    }

    @Test("A client that confirms a resume before it tells of it is waited for")
    func tellsOfItsResumeLate() async throws {
        var lies = LyingDriver.Lies()
        lies.lateAfterPause = { $0 == .resume ? .milliseconds(100) : .seconds(20) }
        let outcome = try await Harness.outcome(
            """
            title: A paused upload goes on
            source: [D14]
            client: {chunkSize: 256KiB}
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 600KiB, seed: 11}}
              - {pause: up, when: up progress}
              - {resume: up, when: up pause}
            expect:
              up: {events: [resume, progress+, pause, resume, progress+, success]}
            """, client: LyingDriver.source(lies))
        #expect(outcome == ["passed"])
    }

    @Test("A client without a capability skips, and the reason names it")
    func lacksCapability() async throws {
        var lies = LyingDriver.Lies()
        lies.hello = { $0.capabilities.remove(.uploadData) }
        let outcome = try await Harness.outcome(Self.quiet, client: LyingDriver.source(lies))
        #expect(outcome == ["skipped", "the client cannot: upload.data"])
    }
}
