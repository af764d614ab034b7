import FaultEngine
import MockServer
import StorageModel
import Testing

@Suite("Narration of a served backend")
struct ServeNarratorTests {
    private func record(
        _ ordinal: Int, _ operation: StorageModel.Operation, at start: Duration,
        change: (inout ExchangeRecord) -> Void = { _ in }
    ) -> ExchangeRecord {
        var record = ExchangeRecord(
            ordinal: ordinal, connection: 1, operation: operation, method: "POST", target: "/x",
            start: start)
        record.bucket = "b"
        record.path = "a.bin"
        change(&record)
        return record
    }

    private func tell(_ records: [ExchangeRecord]) -> [String] {
        var narrator = ServeNarrator()
        var lines: [String] = []
        for record in records {
            var begun = record
            begun.faults = []
            begun.end = nil
            lines += narrator.lines(for: .head(begun))
            for fault in record.faults { lines += narrator.lines(for: .fault(record, fault)) }
            lines += narrator.lines(for: .end(record))
        }
        return lines
    }

    private func cutChunk(_ ordinal: Int = 1) -> ExchangeRecord {
        record(ordinal, .uploadChunk, at: .seconds(1)) {
            $0.offset = 262_144
            $0.received = 102_400
            $0.ending = .disconnected
            $0.end = .seconds(2)
            $0.faults = [FiredFault(rule: 1, name: "cut", time: .seconds(2))]
        }
    }

    @Test("An exchange is one line, with its time, bytes and status")
    func oneLine() {
        let lines = tell([
            record(3, .download, at: .milliseconds(1250)) {
                $0.sent = 1 << 20
                $0.status = 200
                $0.ending = .complete
            }
        ])
        #expect(lines == ["    1.250s  #3 download  a.bin  1MiB from 0  200"])
    }

    @Test("After a cut: how long, which requests, from where, and how much was sent twice")
    func resumed() {
        let lines = tell([
            cutChunk(),
            record(2, .uploadQuery, at: .milliseconds(3500)) {
                $0.status = 200
                $0.ending = .complete
            },
            record(3, .uploadChunk, at: .seconds(4)) {
                $0.offset = 262_144
                $0.ending = .complete
            },
        ])
        #expect(
            lines.contains {
                $0.hasSuffix(
                    "after `cut`: the client waited 1.5s, then upload.query, "
                        + "then upload.chunk from 256KiB (100KiB sent twice)")
            }, "\(lines)")
    }

    @Test("A client that begins a new upload is told as one that does")
    func anew() {
        let lines = tell([
            cutChunk(),
            record(2, .uploadStart, at: .seconds(3)) { $0.ending = .complete },
            record(3, .uploadChunk, at: .seconds(3)) { $0.offset = 0 },
        ])
        #expect(
            lines.contains { $0.contains("a new upload, 356KiB sent twice") }, "\(lines)")
    }

    @Test("A client that only waits for a late answer is told with its answer")
    func stayed() {
        let lines = tell([
            record(1, .download, at: .seconds(1)) {
                $0.status = 200
                $0.ending = .complete
                $0.end = .seconds(4)
                $0.faults = [FiredFault(rule: 1, name: "late", time: .seconds(1))]
            }
        ])
        #expect(
            lines.last?.hasSuffix("after `late`: the client stayed and got 200 after 3s") == true,
            "\(lines)")
    }

    @Test("A client that does not come again has given up, once its time is over")
    func gaveUp() {
        var narrator = ServeNarrator()
        let cut = cutChunk()
        _ = narrator.lines(for: .head(cut))
        _ = narrator.lines(for: .fault(cut, cut.faults[0]))
        _ = narrator.lines(for: .end(cut))
        #expect(narrator.lines(at: .seconds(30)) == [])
        #expect(
            narrator.lines(at: .seconds(62)).first?
                .hasSuffix("after `cut`: the client gave up: no further request in 60s") == true)
        #expect(narrator.lines(at: .seconds(200)) == [])
    }

    @Test("Requests for another object say nothing about a fault")
    func otherObject() {
        let lines = tell([
            cutChunk(),
            record(2, .uploadChunk, at: .seconds(3)) {
                $0.path = "other"
                $0.offset = 0
            },
        ])
        #expect(!lines.contains { $0.contains("after `cut`") })
    }

    @Test("A complaint follows its exchange")
    func complaint() {
        let lines = tell([
            record(1, .uploadChunk, at: .zero) {
                $0.status = 400
                $0.ending = .complete
                $0.complaints = [Complaint(.oddGranularity, sentence: "It is odd.")]
            }
        ])
        #expect(lines.count == 2)
        #expect(lines.last?.contains("odd-granularity: It is odd.") == true)
    }

    @Test("The table has every fault, and the reason of those that never fired")
    func table() throws {
        let rules = [
            try fault("download", at: .responseHead, .status(404)),
            try fault("list", at: .beforeCommit, position: 2, .status(500)),
        ]
        var injector = FaultInjector(rules: rules)
        _ = injector.remove(position: 2)
        var narrator = ServeNarrator()
        let lines = narrator.lastLines(
            at: .zero, [FaultAccount(rules[0], fired: 3), injector.accounts[1]])
        #expect(
            lines == [
                "fired  fault", "    3  download", "    0  list  (removed)",
                "       `list` never came: no request came at all.",
            ])
    }
}
