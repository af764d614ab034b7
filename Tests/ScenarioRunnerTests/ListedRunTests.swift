import ClientDriver
import EventLoop
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import TestSupport
import Testing

@Suite("Runs with lists")
struct ListedRunTests {
    private static let text = """
        title: An upload of any size is stored
        source: [D5]
        matrix: {size: [0, 1, 1000]}
        steps:
          - {upload: "docs/a.bin", as: up, data: {size: "${size}", seed: 1}}
        expect:
          up: {events: [resume, progress*, success]}
          stored: {docs/a.bin: {same-as: up}}
        """

    /// A client that tells its success as a second one, as long as there are lies left.
    private static func liar(lies count: Int) -> ClientSource {
        let left = Lock(count)
        return ClientSource(isKept: false) { loop in
            var lies = LyingDriver.Lies()
            let isLying = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isLying { lies.event = { $0.kind == .success ? [$0, $0] : [$0] } }
            return LyingDriver(loop: loop, lies: lies)
        }
    }

    private static func run(
        _ client: ClientSource, failing: [String] = [], flaky: [String] = [], limit: Int = 3,
        failure: [String] = [], jobs: Int = 1, shown: Recorder<Verdict>? = nil,
        isVirtual: Bool = true
    ) async throws -> [ScenarioResult] {
        let plan = try Harness.plan(text, directory: TemporaryDirectory())
        let place = SourcePlace(file: "c.yaml", line: 4, column: 5)
        func entries(_ patterns: [String], limit: Int?) -> [KnownEntry] {
            patterns.map {
                KnownEntry(
                    pattern: ScenarioPattern($0), failure: failure, reason: "r", link: "a.md#b",
                    expires: limit == nil ? nil : CalendarDay("2026-12-31"), limit: limit,
                    place: place)
            }
        }
        var lists = KnownLists()
        lists.failing = entries(failing, limit: nil)
        lists.flaky = entries(flaky, limit: limit)
        let bound = BoundLists(
            lists, suite: SuiteIDs(ids: []), plan: plan,
            today: CalendarDay(secondsSince1970: 1_790_000_000))
        var settings = RunSettings()
        if !isVirtual {
            settings.mode = .wall(scale: 0.1)
            settings.latenessLimit = .seconds(60)
        }
        return await SuiteRunner(
            client, settings: settings, jobs: jobs, lists: bound
        ).run(plan, progress: { shown?.append($0.result.verdict) }).results
    }

    @Test("What is listed and fails is expected; what is listed and passes is red")
    func failing() async throws {
        let shown = Recorder<Verdict>()
        let results = try await Self.run(
            Self.liar(lies: 2), failing: ["scenario[*]"], shown: shown)
        #expect(results.map(\.verdict) == [.expectedFailure, .expectedFailure, .unexpectedPass])
        // What is shown while it runs is what is told in the end.
        #expect(shown.values == results.map(\.verdict))
        #expect(results[0].failures.first?.kind == .events)
    }

    @Test("What fails and is not listed is failed")
    func unlisted() async throws {
        let results = try await Self.run(Self.liar(lies: 2), failing: ["scenario[size=0]"])
        #expect(results.map(\.verdict) == [.expectedFailure, .failed, .passed])
    }

    @Test("A flaky scenario is tried again until it passes, and every try is told")
    func flaky() async throws {
        let results = try await Self.run(Self.liar(lies: 2), flaky: ["scenario[size=0]"])
        #expect(results.map(\.verdict) == [.flaky, .passed, .passed])
        #expect(results[0].earlierTries.map(\.verdict) == [.failed, .failed])
        #expect(results[0].earlierTries.allSatisfy { $0.sentence?.isEmpty == false })
        #expect(results[0].earlierTries.map(\.seed) == [results[0].seed, results[0].seed])
        #expect(results[0].failures == [])
    }

    @Test("A flaky scenario that never passes is red, after as many tries as it has")
    func neverPasses() async throws {
        let results = try await Self.run(
            Self.liar(lies: 100), flaky: ["scenario[size=0]"], limit: 4)
        #expect(results.map(\.verdict) == [.failed, .failed, .failed])
        #expect(results.map(\.earlierTries.count) == [3, 0, 0])
        #expect(results[0].failures.first?.kind == .events)
    }

    @Test("A failure of another kind than the known one is not tried again")
    func anotherFailure() async throws {
        let results = try await Self.run(
            Self.liar(lies: 1), flaky: ["scenario[size=0]"], failure: ["stored"])
        #expect(results.map(\.verdict) == [.failed, .passed, .passed])
        #expect(results[0].earlierTries == [])
    }

    @Test("A client that dies is not hidden by its list")
    func dies() async throws {
        var lies = LyingDriver.Lies()
        lies.misbehaves = .crashed(signal: 11, command: "upload up")
        let results = try await Self.run(LyingDriver.source(lies), failing: ["scenario**"])
        #expect(results.map(\.verdict) == [.failed, .failed, .failed])
    }

    /// One client for all scenarios, which tells so many successes twice.
    private static func kept(
        lies count: Int, aftermath: @escaping @Sendable (Int) -> [ClientMisbehaviour]
    ) -> ClientSource {
        let left = Lock(count)
        let asked = Lock(0)
        return ClientSource(isKept: true) { loop in
            var lies = LyingDriver.Lies()
            lies.event = { event in
                guard event.kind == .success else { return [event] }
                let isLying = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isLying ? [event, event] : [event]
            }
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

    private static let crash = ClientMisbehaviour.crashed(signal: 11, command: nil)

    @Test("What a client does after a known failure is not known with it")
    func aftermath() async throws {
        let failing = try await Self.run(
            Self.kept(lies: 9) { _ in [Self.crash] }, failing: ["scenario[*]"], isVirtual: false)
        #expect(failing.map(\.verdict) == [.failed, .failed, .failed])
        #expect(failing[0].reason?.contains("but not that the client breaks off") == true)
        let named = try await Self.run(
            Self.kept(lies: 9) { _ in [Self.crash] }, failing: ["scenario[*]"],
            failure: ["client:", "events:", "[one-terminal]"], isVirtual: false)
        #expect(named.map(\.verdict) == [.expectedFailure, .expectedFailure, .expectedFailure])
    }

    @Test("A try after which the client broke off is not forgiven")
    func aftermathOfTry() async throws {
        let results = try await Self.run(
            Self.kept(lies: 1) { $0 == 2 ? [Self.crash] : [] }, flaky: ["scenario[size=0]"],
            isVirtual: false)
        #expect(results.map(\.verdict) == [.failed, .passed, .passed])
        #expect(results[0].failures.last?.kind == .client)
    }

    @Test("A client that breaks off after it passed at last is not flaky but failed")
    func aftermathOfFlaky() async throws {
        let results = try await Self.run(
            Self.kept(lies: 1) { $0 == 3 ? [Self.crash] : [] }, flaky: ["scenario[size=0]"],
            isVirtual: false)
        #expect(results.map(\.verdict) == [.failed, .passed, .passed])
        #expect(results[0].earlierTries.map(\.verdict) == [.failed])
        #expect(results[0].failures.map(\.kind) == [.client])
    }

    @Test("Whatever runs beside them, scenarios have their own tries")
    func manyLanes() async throws {
        let results = try await Self.run(
            Self.liar(lies: 1), flaky: ["scenario[*]"], limit: 2, jobs: 3)
        #expect(
            results.map(\.verdict).sorted { $0.rawValue < $1.rawValue } == [
                .flaky, .passed, .passed,
            ])
    }
}
