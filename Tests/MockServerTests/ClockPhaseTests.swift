import EventLoop
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Phases that go by the clock", .serialized)
struct ClockPhaseTests {
    private static let size = 100_000

    @Test("`elapsed` breaks an upload that waits for its client", arguments: Break.allCases)
    func waitingUpload(kind: Break) throws {
        try withServer([
            try fault(
                "upload.media", .exactly(1), at: .elapsed(.milliseconds(100)), kind.action)
        ]) { run in
            let probe = try run.probe()
            try probe.begin("POST", WireProbe.objects + "?name=a", length: 1000)
            try probe.send([1, 2, 3])
            let (bytes, ending) = probe.readToEnd(silence: .milliseconds(250))
            #expect(bytes == [])
            #expect(ending == kind.seen)
            probe.close()
            let record = try run.ended(1)
            #expect(record.received == 3)
            #expect(record.faults.count == 1)
            #expect(try #require(record.faults.first).time - record.start >= .milliseconds(100))
        }
    }

    @Test("`elapsed` resets a download whose client does not read, at once")
    func unreadDownload() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .elapsed(.milliseconds(100)),
                    .disconnect(.reset))
            ], settings: .made { $0.give("a", 32 << 20) }
        ) { run in
            let probe = try run.probe(receiveBuffer: 16 << 10)
            try probe.ask(WireProbe.object("a") + "?alt=media")
            let record = try run.ended(1)
            #expect(record.ending == .disconnected)
            #expect(probe.readToEnd().ending == .reset)
        }
    }

    @Test("`elapsed` answers in place of a backend that stands still, with exact virtual time")
    func answerInstead() async throws {
        let faults = [
            try fault("download", .exactly(1), at: .requestHead, .stall(nil)),
            try fault(
                "download", .exactly(1), at: .elapsed(.seconds(7)), position: 2, .status(504)),
        ]
        try await withVirtualServer(faults, settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            #expect(await client.get("a")?.status == 504)
            #expect(loop.now == .seconds(7))
            client.close()
        }
    }

    @Test("A pause by the clock is beside what keeps the exchange: both have to be over")
    func twoPauses() async throws {
        let faults = [
            try fault("download", .exactly(1), at: .requestHead, .delay(.fixed(.seconds(5)))),
            try fault(
                "download", .exactly(1), at: .elapsed(.seconds(2)), position: 2,
                .delay(.fixed(.seconds(1)))),
            try fault(
                "download", .exactly(1), at: .elapsed(.seconds(4)), position: 3,
                .delay(.fixed(.seconds(6)))),
        ]
        try await withVirtualServer(faults, settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            #expect(await client.get("a")?.status == 200)
            #expect(loop.now == .seconds(10))
            #expect(
                await server.records.last?.faults.map(\.time) == [0, 2, 4].map { .seconds($0) })
            client.close()
        }
    }

    @Test("An exchange that is over before its time meets no fault of it")
    func overBefore() async throws {
        let late = try fault("download", at: .elapsed(.seconds(5)), .disconnect(.reset))
        try await withVirtualServer([late], settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            #expect(await client.get("a")?.status == 200)
            _ = await loop.sleep(for: .seconds(10))
            #expect(await client.get("a")?.status == 200)
            #expect(await server.firedCounts == [0])
            client.close()
        }
    }

    @Test("`elapsed` pauses a body that flows, and it goes on to its last byte")
    func flowing() async throws {
        let faults = [
            try fault("download", .exactly(1), at: .responseHead, .throttle(rate: 100_000)),
            try fault(
                "download", .exactly(1), at: .elapsed(.milliseconds(520)), position: 2,
                .stall(.seconds(30))),
        ]
        try await withVirtualServer(faults, settings: .made { $0.give("a", Self.size) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            let answer = await client.get("a")
            #expect(answer?.body == sample(Self.size))
            #expect(loop.now >= .seconds(30) && loop.now < .seconds(32), "\(loop.now)")
            client.close()
        }
    }

    @Test("`unread` fires when nothing has left for a client that does not read, and not before")
    func unread() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .unread(.milliseconds(200)),
                    .disconnect(.reset))
            ], settings: .made { $0.give("a", 32 << 20) }
        ) { run in
            let probe = try run.probe(receiveBuffer: 16 << 10)
            try probe.ask(WireProbe.object("a") + "?alt=media")
            // It reads a little now and then: nobody is cut off.
            for _ in 1...8 {
                _ = try probe.read(exactly: 100_000)
                #expect(try run.on { $0.firedCounts } == [0])
                _ = probe.isSilent(for: .zero)
                try waitFor(.milliseconds(60))
            }
            let stopped = ContinuousClock.now
            let record = try run.ended(1)
            #expect(ContinuousClock.now - stopped >= .milliseconds(100))
            #expect(record.ending == .disconnected)
            #expect(record.faults.count == 1)
            #expect(probe.readToEnd().ending == .reset)
        }
    }

    @Test("A client that has read everything is no client that does not read")
    func readAll() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .unread(.milliseconds(50)), .disconnect(.reset)),
                try fault(
                    "download", .exactly(1), at: .responseBody(.bytes(50_000)), position: 2,
                    .stall(.milliseconds(300))),
            ], settings: .made { $0.give("a", Self.size) }
        ) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").body == sample(Self.size))
            #expect(try run.on { $0.firedCounts } == [0, 1])
        }
    }

    @Test("A step may wait for the clock, and the exchange stands still until it was carried out")
    func hold() async throws {
        let stalled = try fault("download", .exactly(1), at: .requestHead, .stall(.seconds(3)))
        try await withVirtualServer([stalled], settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            let selector = ExchangeSelector(operation: .one(.download))
            let reached = Recorder<Duration>()
            let id = await server.hold(at: selector, phase: .elapsed(.seconds(2))) { _ in
                reached.append(loop.now)
            }
            loop.timer(after: .seconds(9)) { server.assumeIsolated { $0.release(id) } }
            let client = LoopClient(loop, port: port)
            #expect(await client.get("a")?.status == 200)
            #expect(reached.values == [.seconds(2)])
            #expect(loop.now == .seconds(9))
            client.close()
        }
    }

    /// Lets wall time pass without a look at anything.
    private func waitFor(_ time: Duration) throws {
        let end = ContinuousClock.now + time
        try waitUntil { ContinuousClock.now >= end }
    }
}
