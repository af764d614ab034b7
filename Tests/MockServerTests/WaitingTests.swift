import EventLoop
import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Exchanges that stand still", .serialized)
struct WaitingTests {
    @Test("A body held at byte 64 KiB goes on when its gate opens (B161)")
    func gate() throws {
        try withServer([
            try fault(
                "upload.body", .exactly(1), at: .requestBody(.bytes(65_536)),
                .hold(until: .gate(name: "go"), atMost: nil))
        ]) { run in
            let bytes = sample(262_144)
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: bytes.count, sending: bytes, last: true)
            try run.firstFault()
            // Other connections go on meanwhile.
            #expect(try run.probe().get("nothing").status == 404)
            #expect(try run.on { $0.records[1].received } == 65_536)
            #expect(try run.on { $0.waiting }.count == 1)
            try run.on { $0.openGate("go") }
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.stored("a") == bytes)
            #expect(try run.on { $0.waiting } == [])
        }
    }

    @Test("A hold ends by itself after its time")
    func atMost() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseHead,
                    .hold(until: .gate(name: "never"), atMost: .milliseconds(50)))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            #expect(try run.probe().get("a").status == 200)
            let record = try run.ended(1)
            #expect(try #require(record.end) - record.start >= .milliseconds(50))
        }
    }

    @Test("A hold that waits for another exchange goes on when that gets there")
    func wireTrigger() throws {
        let selector = ExchangeSelector(operation: .one(.list), ordinal: .exactly(1))
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseBody(.bytes(5)),
                    .hold(until: .wire(selector, .responseHead), atMost: nil))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            _ = try probe.readHead()
            #expect(try probe.read(exactly: 5) == Array(sample(10)[..<5]))
            #expect(probe.isSilent(for: .milliseconds(50)))
            #expect(try run.probe().exchange("GET", WireProbe.objects).status == 200)
            #expect(try probe.read(exactly: 5) == Array(sample(10)[5...]))
        }
    }

    @Test("A delay comes before the answer, and before the next action of its rule")
    func delay() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .beforeCommit,
                    .delay(.fixed(.milliseconds(60))), .status(403))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let start = ContinuousClock.now
            let answer = try run.probe().get("a")
            #expect(answer.status == 403)
            #expect(ContinuousClock.now - start >= .milliseconds(60))
        }
    }

    @Test("A step's hold is told once, keeps the exchange, and lets it go on")
    func stepHold() throws {
        try withServer { run in
            let reached = Recorder<ExchangeRecord>()
            let id = try run.on { server in
                server.hold(
                    at: ExchangeSelector(operation: .uploadBody, ordinal: .exactly(1)),
                    phase: .requestBody(.bytes(100))
                ) { reached.append($0) }
            }
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 300, sending: sample(300), last: true)
            let record = try reached.wait(count: 1)[0]
            #expect(record.operation == .uploadFinalize)
            #expect(probe.isSilent(for: .milliseconds(50)))
            try run.on { $0.release(id) }
            #expect(try probe.readAnswer().status == 200)
            #expect(reached.values.count == 1)
        }
    }

    @Test("Two steps at one point: the exchange goes on when both have let it")
    func twoSteps() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let reached = Recorder<Int>()
            let selector = ExchangeSelector(operation: .one(.download), ordinal: .exactly(1))
            let ids = try run.on { server in
                [1, 2].map { number in
                    server.hold(at: selector, phase: .responseHead) { _ in reached.append(number) }
                }
            }
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try reached.wait(count: 2) == [1, 2])
            try run.on { $0.release(ids[1]) }
            #expect(probe.isSilent(for: .milliseconds(50)))
            try run.on { $0.release(ids[0]) }
            #expect(try probe.readAnswer().status == 200)
        }
    }

    @Test("A hold that was released before it was reached keeps nobody")
    func releasedEarly() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            try run.on { server in
                let id = server.hold(
                    at: ExchangeSelector(operation: .one(.download)), phase: .responseHead
                ) { _ in }
                server.release(id)
            }
            #expect(try run.probe().get("a").status == 200)
        }
    }

    @Test("An exchange held at its head is let in by its ordinal")
    func headHook() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let seen = Recorder<Int>()
            try run.on { server in
                server.setHeadHook { record in
                    seen.append(record.ordinal)
                    return record.operation == .download
                }
            }
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try seen.wait(count: 1) == [1])
            #expect(probe.isSilent(for: .milliseconds(50)))
            try run.on { $0.letIn(1) }
            #expect(try probe.readAnswer().status == 200)
            #expect(seen.values == [1])
        }
    }

    @Test("A client that leaves a held exchange whose body came in part ends it")
    func leavesHalfway() throws {
        try withServer(
            [
                try fault(
                    "upload.body", .exactly(1), at: .requestBody(.bytes(100_000)), .stall(nil))
            ], settings: .made { $0.granularity = 65_536 }
        ) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(
                target, offset: 0, length: 200_000, sending: sample(200_000), last: true)
            try run.firstFault()
            probe.reset()
            let record = try run.ended(2)
            #expect(record.ending == .clientLeft)
            #expect(record.received == 100_000)
            #expect(try run.probe().receivedSize(target) == 65_536)
        }
    }

    @Test("A client that leaves after its body was read whole changes nothing for the backend")
    func leavesAfterBody() throws {
        try withServer([
            try fault(
                "upload.finalize", .exactly(1), at: .beforeCommit,
                .delay(.fixed(.milliseconds(100))))
        ]) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 5, sending: sample(5), last: true)
            try run.firstFault()
            probe.reset()
            let record = try run.ended(2)
            #expect(record.ending == .clientLeft)
            #expect(record.status == nil)
            #expect(try run.stored("a") == sample(5))
        }
    }

    @Test("A throttled answer takes its time and is whole")
    func throttle() throws {
        try withServer(
            [try fault("download", .exactly(1), at: .responseHead, .throttle(rate: 1 << 20))],
            settings: .made { $0.give("a", 200_000) }
        ) { run in
            let start = ContinuousClock.now
            let answer = try run.probe().get("a")
            #expect(answer.body == sample(200_000))
            #expect(ContinuousClock.now - start >= .milliseconds(140))
        }
    }

    @Test("A throttled upload takes its time and is whole")
    func throttleUpload() throws {
        try withServer([
            try fault("upload.media", .exactly(1), at: .requestHead, .throttle(rate: 1 << 20))
        ]) { run in
            let start = ContinuousClock.now
            let answer = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: sample(200_000))
            #expect(answer.status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(140))
            #expect(try run.stored("a") == sample(200_000))
        }
    }

    @Test("A sliced answer comes in its pieces")
    func slice() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseBody(.bytes(0)),
                    .slice(size: 4, gap: .milliseconds(60)))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            _ = try probe.readHead()
            let pieces = [4, 4, 2].map { probe.read(upTo: $0).bytes.count }
            #expect(pieces == [4, 4, 2])
            let record = try run.ended(1)
            #expect(try #require(record.end) - record.start >= .milliseconds(120))
        }
    }
}
