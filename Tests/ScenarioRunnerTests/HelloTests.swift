import ClientDriver
import EventLoop
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import TestSupport
import Testing

@Suite("What a client says of itself against its file")
struct HelloCheckTests {
    private static func file(_ text: String) throws -> ClientFile {
        let reading = ClientFile.read(
            Array("name: mine\ncommand: client\n\(text)".utf8), file: "client.yaml")
        return try #require(reading.file)
    }

    private static func check(
        _ text: String, name: String = "mine", _ capabilities: Set<Capability>
    ) throws -> HelloCheck {
        let hello = ClientHello(name: name, version: "1", capabilities: capabilities)
        return HelloCheck(hello, file: try file(text))
    }

    @Test("As many capabilities as the file pins are nothing to talk about")
    func equal() throws {
        let check = try Self.check("capabilities: [resume, pause]", [.pause, .resume])
        #expect(check.problems.isEmpty)
        #expect(check.remarks.isEmpty)
    }

    @Test("Fewer are a problem that names each of them, at the place of the list")
    func fewer() throws {
        let check = try Self.check("capabilities: [url, pause, list]", [.pause])
        #expect(check.problems.map(\.kind) == [.missingCapability])
        let problem = try #require(check.problems.first)
        #expect(problem.sentence.contains("does not offer list, url,"))
        #expect(problem.place == SourcePlace(file: "client.yaml", line: 3, column: 15))
    }

    @Test("More are told with the line that pins them all, and are no problem")
    func more() throws {
        let check = try Self.check("capabilities: [pause]", [.pause, .url, .list])
        #expect(check.problems.isEmpty)
        #expect(check.remarks.count == 1)
        let remark = try #require(check.remarks.first)
        #expect(remark.contains("offers list, url as well"))
        #expect(remark.contains("`capabilities: [list, pause, url]`"))
    }

    @Test("Both at once: the problem, and a line that keeps what is missing")
    func both() throws {
        let check = try Self.check("capabilities: [pause]", [.url])
        #expect(check.problems.count == 1)
        #expect(check.remarks.first?.contains("`capabilities: [pause, url]`") == true)
    }

    @Test("A file that pins nothing is told the line to add")
    func unpinned() throws {
        let check = try Self.check("", [.url, .list])
        #expect(check.problems.isEmpty)
        #expect(check.remarks.count == 1)
        #expect(check.remarks.first?.contains("`capabilities: [list, url]`") == true)
    }

    @Test("Another name than the file's is told, and is no problem")
    func otherName() throws {
        let check = try Self.check("capabilities: [pause]", name: "yours", [.pause])
        #expect(check.problems.isEmpty)
        #expect(check.remarks.count == 1)
        #expect(check.remarks.first?.contains("calls itself 'yours'") == true)
        #expect(check.remarks.first?.contains("'mine'") == true)
    }
}

@Suite("What a client says of itself from one process to the next")
struct HelloWitnessTests {
    private static let text = """
        title: An upload of any size is stored
        source: [D5]
        matrix: {size: [1, 2, 3, 4]}
        steps:
          - {upload: "docs/a.bin", as: up, data: {size: "${size}", seed: 1}}
        expect:
          up: {events: [resume, progress*, success]}
        """

    /// Runs the four scenarios with a client that is asked who it is before each.
    private static func run(
        settings: RunSettings = RunSettings(),
        _ lie: @escaping @Sendable (Int, inout ClientHello) -> Void
    ) async throws -> [ScenarioResult] {
        let count = Lock(0)
        var lies = LyingDriver.Lies()
        lies.hello = { hello in
            let turn = count.withLock { count in
                count += 1
                return count
            }
            lie(turn, &hello)
        }
        return try await Harness.run(text, client: LyingDriver.source(lies), settings: settings)
    }

    @Test("A process that says something else than the first costs its scenario and no other")
    func changed() async throws {
        let results = try await Self.run { turn, hello in
            guard turn == 2 else { return }
            hello.version = "2"
            hello.capabilities.remove(.pause)
        }
        #expect(results.map(\.verdict) == [.passed, .failed, .passed, .passed])
        let failure = try #require(results[1].failures.first)
        #expect(failure.kind == .client)
        #expect(failure.sentence.contains("its version was '1.0' and is '2'"))
        #expect(failure.sentence.contains("it no longer offers pause"))
    }

    @Test("A capability that comes later counts as a change too")
    func won() async throws {
        let results = try await Self.run { turn, hello in
            if turn < 4 { hello.capabilities.remove(.list) }
        }
        #expect(results.map(\.verdict) == [.passed, .passed, .passed, .failed])
        #expect(results[3].failures.first?.sentence.contains("it newly offers list") == true)
    }

    @Test("What was said before the run counts, so that the first process may be the wrong one")
    func before() async throws {
        var settings = RunSettings()
        settings.hello = ClientHello(name: "other", version: "1.0", capabilities: [])
        let results = try await Self.run(settings: settings) { _, _ in }
        #expect(results.allSatisfy { $0.verdict == .failed })
        #expect(
            results[0].failures.first?.sentence.contains(
                "its name was 'other' and is 'squall-reference-client'") == true)
    }

    @Test("A client that never says hello fails once; the rest is not run and says why")
    func speechless() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        let source = ClientSource(isKept: true) { StdioDriver(loop: $0, command: ["/bin/true"]) }
        let results = try await Harness.run(Self.text, client: source, settings: settings)
        #expect(results.map(\.verdict) == [.failed, .notRun, .notRun, .notRun])
        #expect(results[1].reason == "the client never said hello")
    }
}

@Suite("Scenarios that came after the pinned suite")
struct PendingTests {
    private static func text(since: String, expecting end: String) -> String {
        """
        title: An upload is stored
        source: [D5]
        since: \(since)
        steps: [{upload: docs/a.bin, as: up, data: {size: 1KiB, seed: 1}}]
        expect: {up: {events: [resume, progress*, \(end)]}}
        """
    }

    private static func run(since: String, expecting end: String) async throws -> ScenarioResult {
        var settings = RunSettings()
        settings.pinnedSuite = SuiteVersion(major: 1, minor: 1)
        let results = try await Harness.run(
            text(since: since, expecting: end), settings: settings)
        return try #require(results.first)
    }

    @Test(
        "They are run, shown with what came of them, and never red",
        arguments: [
            ("success", "passed"), ("failure(unknown)", "failed"),
        ])
    func pending(end: String, outcome: String) async throws {
        let result = try await Self.run(since: "1.2", expecting: end)
        #expect(result.verdict == .pending)
        #expect(!result.verdict.isRed)
        #expect(
            result.reason
                == "it came with suite 1.2, and the client is pinned to 1.1: \(outcome)")
    }

    @Test("What the pinned suite had is judged as ever", arguments: ["1.0", "1.1"])
    func judged(since: String) async throws {
        #expect(try await Self.run(since: since, expecting: "success").verdict == .passed)
        #expect(
            try await Self.run(since: since, expecting: "failure(unknown)").verdict == .failed)
    }
}
