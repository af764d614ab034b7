import EventLoop
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Faults of connections before a byte is read", .serialized)
struct ConnectFaultTests {
    private static let head = "GET \(WireProbe.object("a"))?alt=media HTTP/1.1\r\nHost: x\r\n"

    private func rule(_ actions: [FaultAction]) throws -> FaultRule {
        var rule = try fault("connect", .exactly(1), at: .connect, per: .run)
        rule.actions = actions
        return rule
    }

    /// One download of 10 bytes on a new connection; when its answer had come.
    private func get(_ loop: EventLoop, _ port: UInt16) async -> (status: Int?, time: Duration) {
        let client = LoopClient(loop, port: port)
        let answer = await client.get("a")
        client.close()
        return (answer?.status, loop.now)
    }

    @Test(
        "A connection is taken up late by exactly so much, and others are not",
        arguments: [
            (FaultAction.delay(.fixed(.seconds(2))), Duration.seconds(2)),
            (.stall(.seconds(3)), .seconds(3)),
            (.hold(until: .time(.seconds(4)), atMost: nil), .seconds(4)),
            (.hold(until: .step(name: "never"), atMost: .seconds(1)), .seconds(1)),
        ])
    func late(action: FaultAction, time: Duration) async throws {
        try await withVirtualServer([try rule([action])], settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            async let first = get(loop, port)
            let second = await get(loop, port)
            #expect(await first.status == 200)
            let times = await [first.time, second.time].sorted()
            #expect(times == [.zero, time])
            let records = await server.records
            #expect(records.filter { $0.operation == .connect }.map(\.ending) == [.complete])
            #expect(records.filter { $0.operation == .connect }.map(\.end) == [time])
        }
    }

    @Test("A stall without end is silence; the server sees when its client leaves")
    func stalled() throws {
        try withServer([try rule([.stall(nil)])], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(probe.isSilent(for: .milliseconds(100)))
            #expect(try run.on { $0.openConnections } == 1)
            // Others go on meanwhile.
            #expect(try run.probe().get("a").status == 200)
            probe.reset()
            try run.log.wait(for: "the end of the connection") { events in
                events.contains { $0.record.operation == .connect && $0.record.end != nil }
            }
            let records = try run.on { $0.records.filter { $0.operation == .connect } }
            let record = try #require(records.first)
            #expect(record.ending == .clientLeft)
            #expect(try run.on { $0.exchangeCount } == 1)
        }
    }

    @Test(
        "An answer comes before the request was read, then the end that the next action names",
        arguments: [
            ([FaultAction.status(503)], WireEnding.closed),
            ([.status(503), .disconnect(.close)], .closed),
            ([.status(503), .disconnect(.reset)], .reset),
            ([.status(503), .silence], .silence),
            ([.delay(.fixed(.milliseconds(20))), .status(503), .disconnect(.half)], .closed),
        ])
    func respond(actions: [FaultAction], ending: WireEnding) throws {
        try withServer([try rule(actions)]) { run in
            let probe = try run.probe()
            // Nothing was asked yet.
            let answer = try probe.readAnswer()
            #expect(answer.status == 503)
            #expect(answer.head["Connection"] == "close")
            #expect(probe.readToEnd(silence: .milliseconds(100)).ending == ending)
            #expect(try run.on { $0.exchangeCount } == 0)
        }
    }

    @Test(
        "Raw bytes and pauses come in their order",
        arguments: [
            (FaultAction.disconnect(.close), WireEnding.closed), (.disconnect(.reset), .reset),
            (.silence, .silence),
        ])
    func raw(end: FaultAction, ending: WireEnding) throws {
        let actions: [FaultAction] = [
            .raw([1, 2]), .delay(.fixed(.milliseconds(50))), .raw([3]), end,
        ]
        try withServer([try rule(actions)]) { run in
            let probe = try run.probe()
            #expect(try probe.read(exactly: 2) == [1, 2])
            #expect(probe.isSilent(for: .milliseconds(20)))
            let (bytes, seen) = probe.readToEnd(silence: .milliseconds(150))
            #expect(bytes == [3])
            #expect(seen == ending)
        }
    }

    @Test("A refusal of the port lets the connection itself live")
    func refuse() throws {
        let actions: [FaultAction] = [.refuse(for: .milliseconds(300), .refuse)]
        try withServer([try rule(actions)], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 200)
            #expect(throws: WireError.refused) { _ = try run.probe() }
        }
    }

    @Test("The backend changes when a connection comes; what cannot be done is told")
    func backend() throws {
        let actions: [FaultAction] = [
            .backend(.object(.delete(path: "a"))), .backend(.session(.expire)),
            .backend(.server(.full(true))),
        ]
        try withServer([try rule(actions)], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 404)
            #expect(try run.on { $0.problems.map(\.reason) } == ["there is no upload session"])
            #expect(try run.on { $0.store.isFull })
        }
    }

    @Test(
        "A head is read slowly: its exchange begins after its size, at the pace",
        arguments: [
            (FaultAction.throttle(rate: 100), Duration.seconds(10)),
            (.slice(size: 100, gap: .seconds(1)), .seconds(9)),
        ])
    func slowHead(action: FaultAction, time: Duration) async throws {
        try await withVirtualServer([try rule([action])], settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            // 1,000 bytes of head.
            let target = WireProbe.object("a") + "?alt=media"
            let usual = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            let filler = String(repeating: "x", count: 1000 - usual.utf8.count - 5)
            let answer = await client.exchange("GET", target, fields: ["X: \(filler)"])
            #expect(answer?.status == 200)
            #expect(await server.records.last?.start == time)
            client.close()
        }
    }

    @Test("A client that leaves while its head is read slowly made no exchange")
    func slowHeadLeft() throws {
        try withServer(
            [try rule([.throttle(rate: 10)])], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(probe.isSilent(for: .milliseconds(100)))
            #expect(try run.probe().get("a").status == 200)
            probe.reset()
            try waitUntil { try run.on { $0.openConnections } == 0 }
            #expect(try run.on { $0.exchangeCount } == 1)
        }
    }

    @Test("The pace of a connection holds for each of its bodies, both ways")
    func pace() async throws {
        let slow = try rule([.throttle(rate: 100_000)])
        try await withVirtualServer([slow], settings: .made { $0.give("a", 100_000) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            for _ in 1...2 {
                let start = loop.now
                _ = await client.get("a")
                let down = loop.now - start
                #expect(down >= .milliseconds(940) && down <= .milliseconds(1010), "\(down)")
            }
            let start = loop.now
            _ = await client.exchange(
                "POST", WireProbe.objects + "?name=b", body: sample(100_000))
            let up = loop.now - start
            #expect(up >= .milliseconds(940) && up <= .milliseconds(1050), "\(up)")
            client.close()
        }
    }
}

/// Waits until something is so, at most five seconds.
func waitUntil(_ isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < end {
        if try isSo() { return }
    }
    Issue.record("it never came to be")
}
