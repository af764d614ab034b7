import EventLoop
import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

/// How a fault ends a connection, and how a raw client sees it.
enum Break: CaseIterable {
    case close
    case reset
    case half
    case silence

    var action: FaultAction {
        switch self {
        case .close: .disconnect(.close)
        case .reset: .disconnect(.reset)
        case .half: .disconnect(.half)
        case .silence: .silence
        }
    }

    var seen: WireEnding {
        switch self {
        case .close, .half: .closed
        case .reset: .reset
        case .silence: .silence
        }
    }
}

@Suite("Faults that break connections", .serialized)
struct BreakFaultTests {
    @Test(
        "A download breaks after the head and exactly N bytes (B157)",
        arguments: Break.allCases, [0, 1, 65_536, 131_071])
    func download(kind: Break, count: Int) throws {
        let offset = ByteOffset.bytes(Int64(count))
        try withServer(
            [try fault("download", .exactly(1), at: .responseBody(offset), kind.action)],
            settings: .made { $0.give("a", 131_072) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            let head = try probe.readHead()
            #expect(head["Content-Length"] == "131072")
            let (body, ending) = probe.readToEnd(silence: .milliseconds(150))
            #expect(body == Array(sample(131_072)[..<count]))
            #expect(ending == kind.seen)
            probe.close()
            let record = try run.ended(1)
            #expect(record.sent == Int64(count))
            #expect(record.status == 200)
            #expect(record.faults.count == 1)
            #expect(record.ending == (kind == .silence ? .clientLeft : .disconnected))
        }
    }

    @Test(
        "`end` breaks after the last byte",
        arguments: [
            ByteOffset.beforeEnd(0), .percent(100),
        ])
    func afterLast(offset: ByteOffset) throws {
        try withServer(
            [try fault("download", .exactly(1), at: .responseBody(offset), .disconnect(.close))],
            settings: .made { $0.give("a", 1000) }
        ) { run in
            let probe = try run.probe()
            let answer = try probe.get("a")
            #expect(answer.isWhole)
            #expect(probe.readToEnd().ending == .closed)
        }
    }

    @Test(
        "An upload breaks after exactly N bytes came, and keeps whole units",
        arguments: Break.allCases, [0, 1, 70_000, 131_071])
    func upload(kind: Break, count: Int) throws {
        let offset = ByteOffset.bytes(Int64(count))
        try withServer(
            [try fault("upload.body", .exactly(1), at: .requestBody(offset), kind.action)],
            settings: .made { $0.granularity = 65_536 }
        ) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            var seen: WireEnding?
            do throws(WireError) {
                try probe.beginChunk(
                    target, offset: 0, length: 131_072, sending: sample(131_072), last: true)
            } catch {
                // A reset may be met while sending.
                if case .ended(let ending, _) = error { seen = ending }
            }
            let (answer, ending) = probe.readToEnd(silence: .milliseconds(150))
            #expect(answer == [])
            #expect(seen ?? ending == kind.seen)
            let other = try run.probe()
            #expect(try other.receivedSize(target) == (count >= 65_536 ? 65_536 : 0))
            probe.reset()
            let record = try run.ended(2)
            #expect(record.received == Int64(count))
            #expect(record.committed == (count >= 65_536 ? 65_536 : 0))
            #expect(record.status == nil)
        }
    }

    @Test(
        "`commit` says what a cut body leaves",
        arguments: [
            (CommitAmount.none, 0), (.all, 100_000), (.bytes(70_001), 70_001),
            (.percent(50), 65_536), (.more(4096), 104_096), (.twice, 200_000),
        ])
    func commit(amount: CommitAmount, kept: Int) throws {
        try withServer(
            [
                try fault(
                    "upload.body", .exactly(1), at: .requestBody(.bytes(100_000)), commit: amount,
                    .disconnect(.reset))
            ], settings: .made { $0.granularity = 65_536 }
        ) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try? probe.beginChunk(
                target, offset: 0, length: 131_072, sending: sample(131_072), last: true)
            _ = probe.readToEnd()
            #expect(try run.probe().receivedSize(target) == kept)
            #expect(try run.stored("a") == nil)
        }
    }

    @Test("`drop: chunk` reads the body whole, keeps nothing and answers nothing")
    func dropChunk() throws {
        try withServer([try fault("upload.chunk", .exactly(1), at: .beforeCommit, .drop(.chunk))]) {
            run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 262_144, sending: sample(262_144))
            let (answer, ending) = probe.readToEnd()
            #expect(answer == [])
            #expect(ending == .closed)
            #expect(try run.ended(2).received == 262_144)
            #expect(try run.probe().receivedSize(target) == 0)
        }
    }

    @Test("`drop: answer` applies everything and loses the answer")
    func dropAnswer() throws {
        try withServer([
            try fault("upload.finalize", .exactly(1), at: .afterCommit, .drop(.answer))
        ]) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 5, sending: sample(5), last: true)
            let (answer, ending) = probe.readToEnd()
            #expect(answer == [])
            #expect(ending == .closed)
            #expect(try run.stored("a") == sample(5))
            let other = try run.probe()
            #expect(try other.query(target).uploadStatus == "final")
        }
    }

    @Test(
        "A connection is closed, reset or silent before a byte of it is read",
        arguments: [
            (FaultAction.disconnect(.close), WireEnding.closed), (.disconnect(.reset), .reset),
            (.silence, .silence),
        ])
    func connect(action: FaultAction, ending: WireEnding) throws {
        try withServer(
            [try fault("connect", .range(from: 1, through: 2), at: .connect, action)],
            settings: .made { $0.give("a", 10) }
        ) { run in
            for _ in 1...2 {
                // A reset may come while the probe still connects.
                guard let probe = try? run.probe() else {
                    #expect(ending == .reset)
                    continue
                }
                try? probe.ask(WireProbe.object("a") + "?alt=media")
                #expect(probe.readToEnd(silence: .milliseconds(100)).ending == ending)
            }
            #expect(try run.probe().get("a").status == 200)
            let records = try run.on { $0.records }
            #expect(records.map(\.operation) == [.connect, .connect, .download])
            #expect(records.map(\.ordinal) == [0, 0, 1])
        }
    }

    @Test(
        "Bytes are falsified from their place on, and no others",
        arguments: [
            Corruption.flip(2), .zero(2), .random(2),
        ])
    func corrupt(kind: Corruption) throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseBody(.bytes(70_000)), .corrupt(kind))
            ], settings: .made { $0.give("a", 200_000) }
        ) { run in
            let answer = try run.probe().get("a")
            let honest = sample(200_000)
            let wrong = honest.indices.filter { honest[$0] != answer.body[$0] }
            #expect(wrong == [70_000, 70_001] || kind == .zero(2) && wrong.count <= 2)
            #expect(answer.isWhole)
        }
    }

    @Test("Falsified request bytes are what is stored, and nobody is blamed")
    func corruptUpload() throws {
        try withServer([
            try fault(
                "upload.media", .exactly(1), at: .requestBody(.bytes(1)), .corrupt(.flip(1)))
        ]) { run in
            let answer = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: [1, 2, 3])
            #expect(answer.status == 200)
            #expect(try run.stored("a") == [1, 253, 3])
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test("The port refuses for a while, then takes connections again")
    func refuse() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseEnd,
                    .refuse(for: .milliseconds(200), .refuse))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 200)
            _ = try run.ended(1)
            #expect(throws: WireError.refused) { _ = try run.probe() }
            // The old connection lives on.
            #expect(try probe.get("a").status == 200)
            let end = ContinuousClock.now + .seconds(5)
            var isBack = false
            while !isBack, ContinuousClock.now < end { isBack = (try? run.probe()) != nil }
            #expect(isBack)
            #expect(try run.on { $0.records.filter { $0.operation == .connect } } == [])
        }
    }
}
