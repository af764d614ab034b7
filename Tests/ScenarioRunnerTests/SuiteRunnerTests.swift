import ClientDriver
import EventLoop
import RunModel
import Scenario
import ScenarioRunner
import TestSupport
import Testing

@Suite("Suite runner")
struct SuiteRunnerTests {
    private static let many = """
        title: An upload of any size is stored
        source: [D5]
        matrix: {size: [0, 1, 1000, 256KiB, 262145, 1MiB]}
        steps:
          - {upload: "docs/a.bin", as: up, data: {size: "${size}", seed: 1}}
        expect:
          up: {events: [resume, progress*, success]}
          stored: {docs/a.bin: {same-as: up}}
        """

    private func plan() throws -> [PlannedScenario] {
        try Harness.plan(Self.many, directory: TemporaryDirectory())
    }

    @Test("Every planned scenario has a result, in the order of the plan", arguments: [1, 2, 8])
    func order(jobs: Int) async throws {
        let plan = try plan()
        let seen = Recorder<Int>()
        let outcome = await SuiteRunner(Harness.client, settings: RunSettings(), jobs: jobs)
            .run(plan, progress: { seen.append($0.done) })
        #expect(outcome.results.map(\.id) == plan.map(\.id))
        #expect(outcome.results.allSatisfy { $0.verdict == .passed })
        #expect(seen.values == Array(1...plan.count))
        #expect(outcome.hello?.name == "squall-reference-client")
        #expect(Summary(outcome.results).planned == plan.count)
    }

    @Test("What a cancelled run did not get to is not run, and still has a result")
    func cancelled() async throws {
        let plan = try plan()
        let done = Lock(0)
        let outcome = await SuiteRunner(Harness.client, settings: RunSettings())
            .run(
                plan, isCancelled: { done.withLock { $0 } >= 2 },
                progress: { progress in done.withLock { $0 = progress.done } })
        #expect(
            outcome.results.map(\.verdict) == [.passed, .passed] + [
                .notRun, .notRun, .notRun, .notRun,
            ])
    }

    @Test("The same run twice gives the same results")
    func sameTwice() async throws {
        let plan = try plan()
        let runner = SuiteRunner(Harness.client, settings: RunSettings(), jobs: 2)
        let first = await runner.run(plan).results
        let second = await runner.run(plan).results
        #expect(Harness.digest(first) == Harness.digest(second))
        #expect(first.map(\.duration) == second.map(\.duration))
    }

    private final class Loops: Sendable {
        private struct Weak: @unchecked Sendable {
            // Invariant: a weak reference may be read from any thread.
            weak var loop: EventLoop?
        }

        private let loops = Lock<[Weak]>([])

        func add(_ loop: EventLoop) { loops.withLock { $0.append(Weak(loop: loop)) } }

        var made: Int { loops.withLock(\.count) }
        var alive: Int { loops.withLock { $0.count { $0.loop != nil } } }
    }

    @Test("Nothing of a run is left: loops with their descriptors, directories")
    func nothingLeft() async throws {
        let parent = try TemporaryDirectory()
        var settings = RunSettings()
        settings.temporaryDirectory = parent.path
        let plan = try plan()
        let loops = Loops()
        let client = ClientSource(isKept: false) { loop in
            loops.add(loop)
            return Harness.client.make(loop)
        }
        _ = await SuiteRunner(client, settings: settings).run(plan)
        #expect(try parent.names == [])
        #expect(loops.made == plan.count)
        #expect(loops.alive == 0)
    }

    @Test("A directory that cannot be made is our error and not the client's")
    func noDirectory() async throws {
        var settings = RunSettings()
        settings.temporaryDirectory = "/nonexistent"
        let results = await SuiteRunner(Harness.client, settings: settings).run(try plan()).results
        #expect(results.allSatisfy { $0.verdict == .errored })
        #expect(results[0].failures.first?.sentence.hasPrefix("/nonexistent") == true)
    }

    @Test(
        "What cannot run on this clock is skipped", arguments: [("virtual", false), ("real", true)])
    func clocks(clock: String, isVirtual: Bool) async throws {
        let text =
            "clock: \(clock)\n"
            + Self.many.replacing("[0, 1, 1000, 256KiB, 262145, 1MiB]", with: "[1]")
        var settings = RunSettings()
        if !isVirtual {
            settings.mode = .wall(scale: 0.1)
            settings.latenessLimit = .seconds(60)
        }
        let results = try await Harness.run(text, settings: settings)
        #expect(results.map(\.verdict) == [.skipped])
    }

    @Test("In wall time a step stops the client before its next request")
    func wallTime() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        let outcome = try await Harness.outcome(
            """
            title: An upload is paused at half and goes on
            source: [D14]
            client: {chunkSize: 256KiB}
            settle: 1s
            faults: [{match: "upload.body#3", do: {delay: 1s}, may-miss: true}]
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 1MiB, seed: 11}}
              - {pause: up, when: up progress >= 512KiB}
              - {resume: up, when: up pause, after: 1s}
            expect:
              up:
                events: [resume, "progress@<=512KiB+", pause, resume, "progress@>512KiB+", success]
                time: {end: ">= 1s"}
              stored: {images/rivers.jpg: {same-as: up}}
            """, settings: settings)
        #expect(outcome == ["passed"])
    }

    @Test("In wall time a download stops at the awaited byte")
    func wallDownload() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        let outcome = try await Harness.outcome(
            """
            title: A download is paused at half and goes on
            source: [D14]
            settle: 1s
            backend: {objects: {docs/a.bin: {size: 4MiB, seed: 3}}}
            steps:
              - {download: docs/a.bin, as: down, to: file}
              - {pause: down, when: "down progress >= 50%"}
              - {resume: down, when: down pause}
            expect:
              down:
                events: [resume, "progress@<=2MiB+", pause, resume, "progress@>2MiB+", success]
                local: {same-as: docs/a.bin}
            """, settings: settings)
        #expect(outcome == ["passed"])
    }

    @Test("In wall time nothing counts that a cancelled upload had sent, however late it leaves")
    func wallCancel() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        var lies = LyingDriver.Lies()
        lies.cancelsAfter = .milliseconds(60)
        let outcome = try await Harness.outcome(
            """
            title: An upload is cancelled at the head of its last request
            source: [D15]
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 100KiB, seed: 11}}
              - {cancel: up, when: wire upload.finalize request-head}
            expect:
              up: {events: [resume, progress*, failure(cancelled)]}
              stored: {images/rivers.jpg: absent}
            """, client: LyingDriver.source(lies), settings: settings)
        #expect(outcome == ["passed"])
    }

    @Test("In wall time a step whose moment cannot come any more does not wait for the deadline")
    func wallQuiet() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        let text = Self.many.replacing("[0, 1, 1000, 256KiB, 262145, 1MiB]", with: "[1]")
            .replacing("expect:", with: "  - {cancel: up, when: up pause}\nexpect:")
        let results = try await Harness.run(text, settings: settings)
        #expect(results.map(\.verdict) == [.void])
        // The deadline is an hour, a tenth of it on this clock.
        #expect(results.allSatisfy { $0.duration < .seconds(180) })
    }

    @Test("On the wall clock what the machine broke is tried once more, and both tries are told")
    func secondTry() async throws {
        var settings = RunSettings()
        settings.mode = .wall(scale: 0.1)
        settings.latenessLimit = .seconds(60)
        settings.temporaryDirectory = "/nonexistent"
        let results = await SuiteRunner(Harness.client, settings: settings)
            .run(Array(try plan().prefix(1))).results
        #expect(results.map(\.verdict) == [.errored])
        #expect(results[0].earlierTries.map(\.verdict) == [.errored])
    }
}
