import EventLoop
import FaultEngine
import HTTPEngine
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@testable import MockServer

@Suite("Ports that take no connection", .serialized)
struct PortTests {
    @Test("A black hole answers no attempt; one that waits long enough gets through after it")
    func blackHole() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let old = try run.probe()
            #expect(try old.get("a").status == 200)
            try run.on { try $0.apply(.link(.down(.blackhole, keeps: true))) }
            #expect(throws: WireError.deadline("a connection")) {
                _ = try WireProbe(port: run.port, deadline: .milliseconds(200))
            }
            // Established connections live on.
            #expect(try old.get("a").status == 200)
            let ends = Recorder<Duration>()
            let start = ContinuousClock.now
            run.loop.post {
                run.loop.realTimer(after: .milliseconds(300)) {
                    try? run.server.assumeIsolated { try $0.apply(.link(.up)) }
                    ends.append(ContinuousClock.now - start)
                }
            }
            // Its first attempt is lost; the kernel repeats it after a second.
            let patient = try WireProbe(port: run.port)
            #expect(ContinuousClock.now - start >= .milliseconds(900))
            #expect(ends.values.count == 1)
            #expect(try patient.get("a").status == 200)
            // Afterwards nobody waits, and only real connections are counted.
            let quick = try WireProbe(port: run.port, deadline: .milliseconds(500))
            #expect(try quick.get("a").status == 200)
            #expect(try run.on { $0.openConnections } == 3)
        }
    }

    @Test("An attempt that is lost in a black hole is refused when the port refuses by then")
    func lostThenRefused() throws {
        try withServer { run in
            try run.on { try $0.apply(.link(.down(.blackhole, keeps: true))) }
            run.loop.post {
                run.loop.realTimer(after: .milliseconds(200)) {
                    try? run.server.assumeIsolated {
                        try $0.apply(.link(.down(.refuse, keeps: true)))
                    }
                }
            }
            #expect(throws: WireError.refused) { _ = try run.probe() }
        }
    }

    @Test("In virtual time a black hole takes what it takes, and ends at its moment, in 3 runs")
    func virtualBlackHole() async throws {
        for _ in 1...3 {
            try await withVirtualServer(settings: .made { $0.give("a", 10) }) {
                loop, server, port in
                try await server.apply(.link(.down(.blackhole, keeps: true)))
                // A client that gives up after 30 s has heard nothing by then.
                let lost = LoopClient(loop, port: port)
                let gaveUp = Recorder<Duration>()
                loop.timer(after: .seconds(30)) {
                    gaveUp.append(loop.now)
                    lost.close()
                }
                _ = await loop.sleep(for: .seconds(40))
                #expect(gaveUp.values == [.seconds(30)])
                loop.timer(after: .seconds(60)) {
                    server.assumeIsolated { try? $0.apply(.link(.up)) }
                }
                let patient = LoopClient(loop, port: port)
                let answer = await patient.get("a")
                #expect(answer?.status == 200)
                #expect(loop.now == .seconds(100))
                patient.close()
            }
        }
    }

    @Test("The action `refuse` with a black hole ends by itself")
    func refuseFault() throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseEnd,
                    .refuse(for: .milliseconds(300), .blackhole))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 200)
            _ = try run.ended(1)
            #expect(throws: WireError.deadline("a connection")) {
                _ = try WireProbe(port: run.port, deadline: .milliseconds(100))
            }
            #expect(try run.probe().get("a").status == 200)
        }
    }

    @Test("Nobody else gets the port while it is closed")
    func reserved() throws {
        try withServer { run in
            try run.on { try $0.apply(.link(.down(.refuse, keeps: true))) }
            #expect(throws: WireError.self) { _ = try WireListener(port: run.port) }
            try run.on { try $0.apply(.link(.up)) }
            #expect(try run.on { $0.portLost } == nil)
            _ = try run.probe()
        }
    }

    // MARK: A limit of connections

    private func limited(_ beyond: BackendSettings.ConnectionLimit.Beyond) -> BackendSettings {
        .made {
            $0.give("a", 10)
            $0.connectionLimit = .init(count: 2, beyond: beyond)
        }
    }

    @Test("At the limit the port refuses, until a connection has ended")
    func refusesBeyond() throws {
        try withServer(settings: limited(.refuse)) { run in
            let one = try run.probe()
            let two = try run.probe()
            #expect(try one.get("a").status == 200)
            #expect(try two.get("a").status == 200)
            #expect(throws: WireError.refused) { _ = try run.probe() }
            two.close()
            try waitUntil { try run.on { $0.openConnections } == 1 }
            let three = try run.probe()
            #expect(try three.get("a").status == 200)
            #expect(try one.get("a").status == 200)
            #expect(throws: WireError.refused) { _ = try run.probe() }
        }
    }

    @Test("At the limit further connections are made, and served one by one as others end")
    func queuesBeyond() throws {
        try withServer(settings: limited(.queue)) { run in
            let first = [try run.probe(), try run.probe()]
            for probe in first { #expect(try probe.get("a").status == 200) }
            let later = [try run.probe(), try run.probe()]
            for probe in later { try probe.ask(WireProbe.object("a") + "?alt=media") }
            for probe in later { #expect(probe.isSilent(for: .milliseconds(80))) }
            first[0].close()
            #expect(try later[0].readAnswer().status == 200)
            #expect(later[1].isSilent(for: .milliseconds(80)))
            first[1].close()
            #expect(try later[1].readAnswer().status == 200)
            #expect(try run.on { $0.openConnections } == 2)
        }
    }

    // MARK: A link that goes down

    @Test("A link that goes down silences a body that flows, at once, and the rest never comes")
    func silencesFlow() throws {
        let size = 64 << 20
        try withServer(settings: .made { $0.give("a", size) }) { run in
            let probe = try run.probe(receiveBuffer: 16 << 10)
            try probe.ask(WireProbe.object("a") + "?alt=media")
            _ = try probe.readHead()
            _ = try probe.read(exactly: 100_000)
            try run.on { try $0.apply(.link(.down(.refuse, keeps: false))) }
            // What the client's kernel had, and a segment that was on its way.
            let (rest, ending) = probe.readToEnd(silence: .milliseconds(300))
            #expect(rest.count < 300_000, "\(rest.count)")
            #expect(ending == .silence)
            try run.on { try $0.apply(.link(.up)) }
            #expect(probe.isSilent(for: .milliseconds(100)))
            #expect(try run.probe().get("b").status == 404)
        }
    }

    @Test("A link that goes down while an upload flows takes no further byte")
    func silencesUpload() throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 1 << 20, sending: sample(300_000))
            try waitUntil { try run.on { $0.receivedBytes(of: 2) } == 300_000 }
            try run.on { try $0.apply(.link(.down(.refuse, keeps: false))) }
            try probe.send(sample(100_000))
            #expect(probe.isSilent(for: .milliseconds(100)))
            #expect(try run.on { $0.receivedBytes(of: 2) } == 300_000)
            try run.on { try $0.apply(.link(.up)) }
            #expect(probe.isSilent(for: .milliseconds(50)))
            // One unit of what came is kept, as after any break.
            #expect(try run.probe().receivedSize(target) == 262_144)
        }
    }

    @Test("An idle connection goes silent with the link, and its next request gets no answer")
    func silencesIdle() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 200)
            try run.on { try $0.apply(.link(.down(.blackhole, keeps: false))) }
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(probe.isSilent(for: .milliseconds(100)))
            try run.on { try $0.apply(.link(.up)) }
            #expect(probe.isSilent(for: .milliseconds(50)))
            #expect(try run.on { $0.exchangeCount } == 1)
            probe.close()
            try waitUntil { try run.on { $0.openConnections } == 0 }
        }
    }
}

extension MockServer {
    /// Body bytes received by an exchange that is under way.
    func receivedBytes(of ordinal: Int) -> Int64? {
        runs[ordinal]?.exchange.received
    }
}
