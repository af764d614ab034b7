import ClientDriver
import EventLoop
import Foundation
import ReferenceDriver
import RunModel
import Scenario
import ScenarioRunner
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// What the reference client does after each fault, against what the rules say.
@Suite("The reference client in the fault table", .serialized)
struct FaultTableRunTests {
    /// The rows that this client does not follow, one sentence each.
    private static func departures(
        _ rows: [FaultRow], client: ClientSource = Harness.client
    ) async -> [String] {
        let plan = rows.flatMap { FaultTable.plan($0).planned }
        let results = await SuiteRunner(client, settings: RunSettings(), jobs: 2).run(plan).results
        return results.filter { $0.verdict != .passed }.map { result in
            let why = result.failures.map(\.sentence) + [result.reason].compactMap { $0 }
            return "\(result.id): \(result.verdict): \(why.joined(separator: "; "))"
        }
    }

    private static let scenarios = FaultTable.rows.filter { !$0.needsTLS }

    @Test("Does in every row what the rules say")
    func follows() async {
        let departures = await Self.departures(Self.scenarios.filter { $0.outcome != .undecided })
        for departure in departures { Issue.record("\(departure)") }
    }

    // MARK: A client that is wrong in one entry

    private static func client(
        _ answers: AnswerTable = .documented, _ breaks: TransportTable = .documented
    ) -> ClientSource {
        ClientSource(isKept: false) { loop in
            ReferenceDriver(loop: loop) { loop, configuration in
                StorageEngine(
                    loop: loop, transport: CurlTransport(loop: loop, connections: 8),
                    seed: configuration.seed, idleTimeout: configuration.settings.idleTimeout,
                    answers: answers, breaks: breaks)
            }
        }
    }

    private static func rows(_ word: String) -> [FaultRow] {
        scenarios.filter { $0.name.contains(word) && $0.outcome != .undecided }
    }

    @Test("A client that takes 429 for final is found")
    func without429() async {
        var answers = AnswerTable.documented
        answers.rows.removeAll { $0.statuses == 429...429 }
        let rows = Self.rows("{respond: 429}")
        let found = await Self.departures(rows, client: Self.client(answers))
        #expect(rows.count > 10)
        #expect(found.count == rows.count)
    }

    @Test("A client that tries 403 again is found")
    func with403() async {
        var answers = AnswerTable.documented
        answers.rows.insert(AnswerTable.Row(403, .retried), at: 0)
        let rows = Self.rows("{respond: 403}")
        let found = await Self.departures(rows, client: Self.client(answers))
        #expect(rows.count > 10)
        #expect(found.count == rows.count)
    }

    @Test("A client that takes a reset for final is found")
    func withoutResets() async {
        var breaks = TransportTable.documented
        breaks.rows[.reset]?.isRetried = false
        let rows = Self.rows("broken-connection {disconnect: reset}")
        let found = await Self.departures(rows, client: Self.client(.documented, breaks))
        #expect(rows.count > 10)
        #expect(found.count == rows.count)
    }

    @Test("A client that gives a lost session up is found")
    func withoutNewSession() async {
        var answers = AnswerTable.documented
        answers.rows.removeAll { $0.meaning == .sessionGone }
        let rows = Self.rows("{session: expire} @").filter { $0.outcome == .renews }
        let found = await Self.departures(rows, client: Self.client(answers))
        #expect(rows.count > 5)
        #expect(found.count == rows.count)
    }
}
