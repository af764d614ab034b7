import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

/// A cell of the table of phases.
struct PhasePair: Sendable, CustomTestStringConvertible {
    let row: PhaseTable.Phase
    let column: PhaseTable.Phase

    static let all = PhaseTable.Phase.allCases.flatMap { row in
        PhaseTable.Phase.allCases.map { PhasePair(row: row, column: $0) }
    }

    static let shown = all.filter {
        if case .shown = PhaseTable.cell($0.row, $0.column) { true } else { false }
    }

    var testDescription: String { "\(row.rawValue) + \(column.rawValue)" }

    func has(_ phase: PhaseTable.Phase) -> Bool { row == phase || column == phase }

    /// The phases that leave a header.
    static let headed: Set<PhaseTable.Phase> = [
        .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
    ]

    /// Positions of the rules, in the order in which they are to fire.
    var order: [Int] { rank(row) <= rank(column) ? [1, 2] : [2, 1] }

    /// The test lets time pass inside the request's body, and again while the answer is not read.
    private func rank(_ phase: PhaseTable.Phase) -> Double {
        switch phase {
        case .elapsed: 2.5
        case .unread: 6.5
        case .connect, .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .responseEnd, .idle:
            Double(PhaseTable.Phase.allCases.firstIndex(of: phase) ?? 0)
        }
    }

    /// Headers that the answer is to have.
    var headers: [String: String] {
        var headers: [String: String] = [:]
        for (phase, role, position) in [(row, "row", 1), (column, "column", 2)]
        where Self.headed.contains(phase) {
            headers["X-\(role)"] = phase.rawValue
            if headers["X-Last"] == nil || order.last == position { headers["X-Last"] = role }
        }
        return headers
    }

    /// The byte of the answer that faults change.
    func byte(was honest: UInt8) -> UInt8 {
        switch (row == .responseBody, column == .responseBody) {
        case (false, false): honest
        case (true, false): 0
        case (false, true): ~honest
        case (true, true): 0xFF
        }
    }

    /// How many of the two have fired when one has that goes by the clock.
    func count(upTo phase: PhaseTable.Phase) -> Int {
        [row, column].filter { rank($0) <= rank(phase) }.count
    }

    /// Marks that are seen at an object alone.
    var touches: Int64 {
        let clocked: Set<PhaseTable.Phase> = [.responseEnd, .idle, .elapsed, .unread]
        return (clocked.contains(row) ? 1 : 0) + (clocked.contains(column) ? 1 : 0)
    }
}

@Suite("Pairs of phases on one exchange", .serialized)
struct PhasePairTests {
    private static let body = sample(10)

    /// More than the kernel takes while nobody reads.
    private static func longAnswer() throws -> FaultRule {
        var forced = ForcedResponse(status: 200)
        forced.body = .content(Content(.synthetic(size: longSize, seed: 1)))
        return try fault("upload.media", at: .afterCommit, position: 3, .respond(forced))
    }

    private static let longSize: Int64 = 16 << 20

    @Test(
        "The faults of both phases fire on one exchange, in their order, and leave their marks",
        arguments: PhasePair.shown)
    func pair(_ pair: PhasePair) throws {
        let settings = BackendSettings.made { $0.give(PhaseTable.touched, 1) }
        let isLong = pair.has(.unread)
        let rules =
            PhaseTable.rules(pair.row, pair.column) + (isLong ? [try Self.longAnswer()] : [])
        try withServer(rules, settings: settings) { run in
            let probe = try run.probe(receiveBuffer: isLong ? 4096 : nil)
            try send(to: probe, of: run, pair)
            if isLong { try run.faults(pair.count(upTo: .unread)) }
            let answer = try probe.readAnswer()
            #expect(answer.status == 200)
            #expect(answer.isWhole)
            for name in ["X-row", "X-column", "X-Last"] {
                #expect(answer.head[name] == pair.headers[name], "\(name)")
            }
            let place = Int(PhaseTable.offset)
            let honest = isLong ? sample(place + 1)[place] : UInt8(ascii: "k")
            #expect(answer.body[place] == pair.byte(was: honest))
            #expect(try run.stored("a") == Self.body)
            let fired = try run.faults(2)
            #expect(fired.map(\.rule) == pair.order)
            #expect(fired.allSatisfy { $0.connection == 1 && $0.exchange <= 1 })
            let touched = try run.on { $0.object(PhaseTable.touched)?.attributes.metageneration }
            #expect(touched == 1 + pair.touches)
            // The connection goes on.
            #expect(try probe.get(PhaseTable.touched).status == 200)
        }
    }

    /// Head and body at once; the last byte waits for a fault that wants the exchange to last.
    private func send(to probe: WireProbe, of run: ServerRun, _ pair: PhasePair) throws {
        let head =
            "POST \(WireProbe.objects)?name=a HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Length: \(Self.body.count)\r\n\r\n"
        let lasts = pair.has(.elapsed)
        try probe.send(Array(head.utf8) + Self.body.dropLast(lasts ? 1 : 0))
        guard lasts else { return }
        try run.faults(pair.count(upTo: .elapsed))
        try probe.send([Self.body[Self.body.count - 1]])
    }

    @Test("The order of a phase is the file's: the later header stands, the later byte")
    func order() {
        let pair = PhasePair(row: .responseHead, column: .responseHead)
        #expect(pair.order == [1, 2])
        #expect(pair.headers["X-Last"] == "column")
        #expect(PhasePair(row: .responseHead, column: .requestHead).headers["X-Last"] == "row")
    }

    @Test("Every pair of phases that this version carries out alone is shown together")
    func complete() {
        for pair in PhasePair.all {
            guard case .notYet = PhaseTable.cell(pair.row, pair.column) else { continue }
            let alone = [pair.row, pair.column].filter { phase in
                if case .notYet = PhaseTable.cell(phase, phase) { true } else { false }
            }
            #expect(!alone.isEmpty, "\(pair.testDescription)")
        }
        #expect(PhasePair.shown.count >= 49)
    }
}

extension ServerRun {
    /// Waits for so many of the first two rules to fire: rule, connection, and exchange (0 for the
    /// connection itself).
    @discardableResult
    fileprivate func faults(
        _ count: Int
    ) throws -> [(rule: Int, connection: Int, exchange: Int)] {
        func faults(_ events: [JournalEvent]) -> [(rule: Int, connection: Int, exchange: Int)] {
            events.compactMap { event in
                guard case .fault(let record, let fired) = event, fired.rule <= 2 else {
                    return nil
                }
                return (fired.rule, record.connection, record.ordinal)
            }
        }
        return faults(try log.wait(for: "\(count) faults") { faults($0).count >= count })
    }
}
