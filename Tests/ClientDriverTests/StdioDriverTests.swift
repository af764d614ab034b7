import ClientDriver
import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@Suite("Driver of a child process")
struct StdioDriverTests {
    /// What one scenario with such a client looks like.
    struct Outcome: Sendable {
        var hello = ""
        var seen: [String] = []
        var blamed: ClientMisbehaviour?
        var upload: ClientReply?
        var errorOutput = ""
        var idle: [ClientMisbehaviour] = []
        var left: [String] = []
    }

    private static let directory = try? TemporaryDirectory()

    private static func script() throws -> String {
        let directory = try #require(directory)
        let path = directory.path(of: "zoo.py")
        if !FileManager.default.fileExists(atPath: path) {
            // Written beside and renamed: tests run side by side.
            let name = UUID().uuidString
            try directory.write(Zoo.script, to: name)
            _ = rename(directory.path(of: name), path)
        }
        return path
    }

    private static func limits() -> StdioDriver.Limits {
        var limits = StdioDriver.Limits()
        limits.reply = .milliseconds(1500)
        limits.hello = .seconds(20)
        limits.termination = .milliseconds(100)
        limits.lastWords = .milliseconds(200)
        limits.messages = 2000
        return limits
    }

    /// `scenarios` scenarios with one upload each; the last one's outcome.
    static func run(
        _ kind: String, scenarios: Int = 1,
        _ change: (inout StdioDriver.Limits) -> Void = { _ in }
    ) async throws -> [Outcome] {
        let script = try script()
        var limits = limits()
        change(&limits)
        let chosen = limits
        return try await runLoop { loop in
            let entry = "SQUALL_ZOO=\(UUID().uuidString)"
            let parts = entry.split(separator: "=").map(String.init)
            let driver = StdioDriver(
                loop: loop, command: [Zoo.python, "-I", "-S", script, kind],
                environment: [parts[0]: parts[1]], limits: chosen)
            var outcomes: [Outcome] = []
            for run in 1...scenarios {
                outcomes.append(try await scenario(run, driver))
            }
            await driver.stop()
            outcomes[scenarios - 1].idle = driver.takeAftermath()
            // A killed process needs a moment to be gone; nothing tells when it is.
            let limit = ContinuousClock.now + .seconds(5)
            repeat {
                outcomes[scenarios - 1].left = Zoo.processes(with: entry)
            } while !outcomes[scenarios - 1].left.isEmpty && ContinuousClock.now < limit
            return outcomes
        }
    }

    private static func scenario(_ run: Int, _ driver: StdioDriver) async throws -> Outcome {
        var outcome = Outcome()
        let directory = try TemporaryDirectory()
        let sink = ZooSink()
        switch await driver.hello() {
        case .success(let hello): outcome.hello = hello.name
        case .failure(let misbehaviour): outcome.hello = misbehaviour.description
        }
        var configuration = ClientConfiguration(
            run: run, port: 9, bucket: "b", workingDirectory: directory.path)
        configuration.errorOutputPath = directory.path(of: "stderr")
        if await driver.configure(configuration, sink: sink) == .result(.done) {
            let bytes = ClientCommand.GivenBytes.source(ByteArraySource([1, 2, 3, 4, 5]))
            outcome.upload = await driver.perform(
                ClientCommand(
                    .upload(.init(task: "up", object: .init(path: "a"), source: .data(bytes)))))
            _ = await driver.sync()
        }
        _ = await driver.end()
        outcome.seen = sink.seen
        outcome.blamed = sink.blamed
        outcome.errorOutput = String(
            decoding: (try? directory.read("stderr")) ?? [], as: UTF8.self)
        return outcome
    }

    @Test("A client that behaves is heard word by word, and may end after each scenario")
    func behaves() async throws {
        for kind in ["well", "exit-after-end"] {
            for outcome in try await Self.run(kind, scenarios: 2) {
                #expect(outcome.hello == "zoo")
                #expect(outcome.upload == .result(.done))
                #expect(
                    outcome.seen == [
                        "up resume 0", "up success 5",
                        "up completion metadata.a=b size=5",
                    ])
                #expect(outcome.errorOutput == "configured\n")
                #expect(outcome.idle.isEmpty)
                #expect(outcome.left.isEmpty)
            }
        }
    }

    @Test(
        "Each misbehaviour is blamed for what it is, and nothing of the client is left",
        arguments: [
            ("hang", "gave no answer to 'upload up' within 1.5s"),
            ("crash", "was killed by signal 11 before it answered 'upload up'"),
            ("exit-0", "exited with code 0 before it answered 'upload up'"),
            ("exit-3", "exited with code 3 before it answered 'upload up'"),
            (
                "garbage",
                "wrote a line that is no message (line 3: is not JSON): "
                    + "Segmentation fault (core dumped)"
            ),
            (
                "half-line",
                "gave no answer to 'upload up' within 1.5s, but sent a line without its end: "
                    + #"{"event": "res"#
            ),
            (
                "half-line-exit",
                "wrote a line that is no message (it exited in the middle of the line): "
                    + #"{"event": "res"#
            ),
            ("long-line", "wrote more than 4194304 bytes without an end of line"),
            ("flood", "sent more than 2000 messages in one scenario"),
            (
                "unknown-task",
                "wrote a line that is no message (line 3: 'task' is 'upp', which was never "
                    + #"started): {"event": "resume", "task": "upp", "completed": 0}"#
            ),
            (
                "unknown-message",
                "wrote a line that is no message (line 3: has none of: answer, event, "
                    + #"completion, ask): {"news": "good"}"#
            ),
            (
                "two-answers",
                "wrote a line that is no message (line 4: 'answer' is 3, a call that is not "
                    + #"open): {"answer": 3}"#
            ),
            (
                "wrong-result",
                "wrote a line that is no message (line 3: 'answer' to call 3 gives 'url', where "
                    + #"no result is due): {"answer": 3, "url": "http://127.0.0.1/"}"#
            ),
            (
                "close-output",
                "closed its standard output before it answered 'upload up'"
            ),
            ("close-input", "closed its standard input before it answered 'upload up'"),
            ("ignore-term", "gave no answer to 'upload up' within 1.5s"),
            ("fork", "gave no answer to 'upload up' within 1.5s"),
            (
                "event-after-end",
                "wrote a line that is no message (line 9: 'event' comes while there is no "
                    + #"scenario): {"event": "progress", "task": "up", "completed": 5, "#
                    + #""total": 5}"#
            ),
        ])
    func blames(kind: String, sentence: String) async throws {
        for _ in 0..<Zoo.rounds {
            let outcomes = try await Self.run(kind, scenarios: 2)
            // The second scenario gets a fresh client, and the same blame: none is carried over.
            for outcome in outcomes {
                #expect(outcome.hello == "zoo")
                #expect(outcome.blamed?.description == sentence)
                #expect(outcome.seen.filter { $0 == "misbehaved" }.count == 1)
            }
            #expect(outcomes.last?.idle == [])
            #expect(outcomes.last?.left == [])
        }
    }

    @Test(
        "What it does once everything was answered is never blamed on the next scenario",
        arguments: [
            ("exit-3-after-all", "exited with code 3 "),
            ("crash-after-all", "was killed by signal 11 "),
            ("event-after-all", "wrote a line that is no message (line "),
        ])
    func blamesNobodyElse(kind: String, sentence: String) async throws {
        for _ in 0..<Zoo.rounds {
            let outcomes = try await Self.run(kind, scenarios: 3)
            // Each of the three children breaks once. Where that is seen before its own scenario has
            // ended, the scenario is told.
            var blamed = outcomes.last?.idle ?? []
            for outcome in outcomes {
                #expect(outcome.upload == .result(.done))
                if let told = outcome.blamed { blamed.append(told) }
            }
            #expect(blamed.count == 3)
            #expect(blamed.allSatisfy { $0.description.hasPrefix(sentence) })
            #expect(outcomes.last?.left == [])
        }
    }

    @Test("Bytes that cannot be handed over are our trouble, not something that it cannot do")
    func hindered() async throws {
        let reply = try await runLoop { loop in
            let driver = StdioDriver(
                loop: loop, command: [Zoo.python, "-I", "-S", try Self.script(), "well"])
            let configuration = ClientConfiguration(
                run: 1, port: 9, bucket: "b", workingDirectory: "/nowhere")
            #expect(await driver.configure(configuration, sink: ZooSink()) == .result(.done))
            let bytes = ClientCommand.GivenBytes.source(ByteArraySource([1]))
            let reply = await driver.perform(
                ClientCommand(
                    .upload(.init(task: "up", object: .init(path: "a"), source: .data(bytes)))))
            _ = await driver.end()
            await driver.stop()
            return reply
        }
        let problem = "/nowhere/squall-bytes-1: No such file or directory"
        #expect(reply == .hindered("no room for the bytes of 'upload up': \(problem)"))
    }

    @Test(
        "A client that never says hello costs the scenario that waited for it",
        arguments: [
            ("hang-at-hello", "gave no answer to 'hello' within 0.3s"),
            ("exit-at-once", "exited with code 0 before it answered 'hello'"),
            (
                "wrong-version",
                "wrote a line that is no message (line 1: 'hello.protocol' is 7, not 1): "
            ),
        ])
    func refusesWithoutHello(kind: String, sentence: String) async throws {
        for _ in 0..<Zoo.rounds {
            let outcomes = try await Self.run(kind) { limits in
                if kind == "hang-at-hello" { limits.hello = .milliseconds(300) }
            }
            let outcome = try #require(outcomes.last)
            let seconds = sentence.replacingOccurrences(of: "0.3s", with: "300ms")
            #expect(outcome.hello.hasPrefix(seconds))
            #expect(outcome.blamed?.description.hasPrefix(seconds) == true)
            #expect(outcome.left == [])
        }
    }

    @Test("A driver that nobody holds any more still answers, and its child ends with the loop")
    func outlivesItsOwner() async throws {
        let script = try Self.script()
        let entry = "SQUALL_ZOO=\(UUID().uuidString)"
        let name = try await runLoop { loop in
            let hello = await withCheckedContinuation { done in
                let driver = StdioDriver(
                    loop: loop, command: [Zoo.python, "-I", "-S", script, "well"],
                    environment: ["SQUALL_ZOO": String(entry.dropFirst(11))])
                driver.hello { done.resume(returning: $0) }
            }
            return try hello.get().name
        }
        #expect(name == "zoo")
        #expect(Zoo.processes(with: entry).isEmpty)
    }

    @Test("A program that is not there is said to be not there")
    func cannotStart() async throws {
        let blamed = try await runLoop { loop in
            let driver = StdioDriver(loop: loop, command: ["/nowhere/client", "x"])
            let sink = ZooSink()
            let reply = await driver.configure(
                ClientConfiguration(run: 1, port: 9, bucket: "b", workingDirectory: "/tmp"),
                sink: sink)
            #expect(reply == .lost)
            #expect(await driver.perform(ClientCommand(.release(task: "a"))) == .lost)
            #expect(await driver.end() == .result(.done))
            await driver.stop()
            return sink.blamed
        }
        #expect(
            blamed
                == .notStarted(
                    command: "/nowhere/client x", problem: "No such file or directory"))
    }
}
