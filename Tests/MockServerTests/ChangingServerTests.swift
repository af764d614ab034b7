import EventLoop
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("A server whose faults come and go", .serialized)
struct ChangingServerTests {
    @Test("A fault that is added fires on the next exchange, and no more once it is removed")
    func addAndRemove() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            #expect(try run.probe().get("a").status == 200)
            let rule = try fault("download", at: .responseHead, .status(503))
            try run.on { try $0.add([rule]) }
            #expect(try run.probe().get("a").status == 503)
            let account = try run.on { $0.removeFault(at: 1) }
            #expect(account?.fired == 1)
            #expect(try run.probe().get("a").status == 200)
            #expect(try run.on { $0.faultAccounts.map(\.isRemoved) } == [true])
        }
    }

    @Test("A fault that falsifies answers does so although the server began without one")
    func corruption() throws {
        try withServer(settings: .made { $0.give("a", 100) }) { run in
            let rule = try fault(
                "download", at: .responseBody(.bytes(50)), .corrupt(.flip(1)))
            try run.on { try $0.add([rule]) }
            let body = try run.probe().get("a").body
            #expect(body.count == 100)
            let clean = sample(100)
            #expect(body.indices.filter { body[$0] != clean[$0] } == [50])
        }
    }

    @Test("A fault that slows a body down holds its client back although the server began without")
    func slowReading() throws {
        try withServer { run in
            let rule = try fault("upload.body", at: .requestHead, .throttle(rate: 1))
            try run.on { try $0.add([rule]) }
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let size = 8 << 20
            try probe.begin(
                "POST", target, fields: WireProbe.command("upload, finalize", offset: 0),
                length: size)
            let sent = try probe.sendWhatFits([UInt8](repeating: 1, count: size))
            #expect(sent < size)
        }
    }
}

@Suite("Beginning anew", .serialized)
struct ResetTests {
    @Test("Objects, sessions, the journal, ordinals and budgets are as at the start")
    func everything() throws {
        let rule = try fault("download", .exactly(2), at: .responseHead, per: .run, .status(503))
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            func round() throws -> [Int] {
                let probe = try run.probe()
                let statuses = try (0..<3).map { _ in try probe.get("a").status }
                try probe.chunk(try probe.startUpload("new"), offset: 0, [1, 2, 3], last: true)
                _ = try probe.startUpload("open")
                return statuses
            }
            #expect(try round() == [200, 503, 200])
            let object = try run.on { $0.object("a")?.attributes }
            try run.on { $0.reset() }
            #expect(try run.on { $0.records.count } == 0)
            #expect(try run.on { $0.object("new") == nil })
            #expect(try run.on { $0.store.allSessions.count } == 0)
            #expect(try run.on { $0.faultAccounts.map(\.fired) } == [0])
            #expect(try run.on { $0.object("a")?.attributes } == object)
            #expect(try round() == [200, 503, 200])
            #expect(try run.on { $0.records.map(\.ordinal) } == [1, 2, 3, 4, 5, 6])
            #expect(try run.on { $0.records.map(\.connection) } == [1, 1, 1, 1, 1, 1])
            #expect(try run.on { $0.records.compactMap(\.arrival) } == [1, 2, 3, 4, 5, 6])
            #expect(try run.on { $0.records.last?.start ?? .seconds(99) } < .seconds(20))
        }
    }

    @Test("The faults are those of the start, none, or those that are there")
    func faults() throws {
        let first = try fault("list", at: .responseHead, .status(500))
        let added = try fault("download", at: .responseHead, position: 2, .status(503))
        try withServer([first], settings: .made { $0.give("a", 10) }) { run in
            try run.on { try $0.add([added]) }
            #expect(try run.probe().get("a").status == 503)
            try run.on { $0.reset(faults: $0.faultAccounts.map(\.rule)) }
            #expect(try run.probe().get("a").status == 503)
            try run.on { $0.reset() }
            #expect(try run.probe().get("a").status == 200)
            #expect(try run.on { $0.faultAccounts.map(\.rule.position) } == [1])
            try run.on { $0.reset(faults: []) }
            #expect(try run.probe().exchange("GET", WireProbe.objects).status == 200)
            #expect(try run.on { $0.nextFaultPosition } == 1)
        }
    }

    @Test("An exchange that stands still ends as open, and its connection is reset")
    func heldExchange() throws {
        let rule = try fault(
            "upload.body", .exactly(1), at: .requestBody(.bytes(100)),
            .hold(until: .gate(name: "go"), atMost: nil))
        try withServer([rule]) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 300, sending: sample(300), last: true)
            try run.firstFault()
            try run.on { $0.reset() }
            #expect(probe.readToEnd().ending == .reset)
            #expect(try run.ended(2).ending == .open)
            // What is under the same ordinal now is another exchange.
            let other = try run.probe()
            let again = try other.startUpload("b")
            try other.beginChunk(again, offset: 0, length: 300, sending: sample(300), last: true)
            try run.log.wait(for: "the hold") { events in
                events.contains { if case .held = $0 { $0.record.path == "b" } else { false } }
            }
            try run.on { $0.openGate("go") }
            #expect(try other.readAnswer().status == 200)
            #expect(try run.stored("b") == sample(300))
            #expect(try run.stored("a") == nil)
        }
    }

    @Test("An upload under way leaves nothing, whenever its bytes come")
    func flowingUpload() throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 300, sending: sample(100), last: true)
            try run.log.wait(for: "the body") { $0.count >= 3 }
            try run.on { $0.reset() }
            try probe.send(Array(sample(300)[100...]))
            #expect(probe.readToEnd().ending == .reset)
            #expect(try run.stored("a") == nil)
            // The session is none of the new run.
            #expect(try run.probe().query(target).status == 404)
            #expect(try run.on { $0.records.map(\.ordinal) } == [1])
        }
    }

    @Test("A port that was shut is open again, and the timer of before does not shut or open it")
    func port() throws {
        try withServer { run in
            try run.on { server in
                try server.apply(.link(.down(.refuse, keeps: true)))
            }
            #expect(throws: WireError.refused) { try run.probe() }
            try run.on { $0.reset() }
            #expect(try run.probe().get("a").status == 404)
        }
    }

    @Test("An expired token is as good as new")
    func tokens() throws {
        let settings = BackendSettings.made {
            $0.access = .signedIn
            $0.tokens = ["alice": .init()]
            $0.give("a", 1)
        }
        try withServer(settings: settings) { run in
            func status() throws -> Int {
                try run.probe().exchange(
                    "GET", WireProbe.object("a"), fields: ["Authorization: Firebase alice"]
                ).status
            }
            #expect(try status() == 200)
            try run.on { try $0.apply(.token(.expire(name: "alice"))) }
            #expect(try status() == 401)
            try run.on { $0.reset() }
            #expect(try status() == 200)
        }
    }
}

@Suite("Gates of a server", .serialized)
struct GateTests {
    private func held(_ name: String = "go", _ ordinal: OrdinalPattern = .all) throws -> FaultRule {
        try fault(
            "download", ordinal, at: .responseHead,
            .hold(until: .gate(name: name), atMost: nil))
    }

    @Test("A gate tells who waits at it, where and since when")
    func waiting() throws {
        try withServer([try held()], settings: .made { $0.give("a", 10) }) { run in
            let gates = try run.on { $0.gates }
            #expect(gates.map(\.name) == ["go"])
            #expect(gates[0].released == nil && gates[0].waiting.isEmpty)
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            try run.firstFault()
            let waiters = try run.on { $0.gates[0].waiting }
            #expect(waiters.map(\.record.ordinal) == [1])
            #expect(waiters.map(\.place) == ["response-head"])
            let fault = try #require(waiters.first?.record.faults.first)
            #expect(try #require(waiters.first).since >= fault.time)
            try run.on { $0.openGate("go") }
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.on { $0.gates[0].waiting.isEmpty && $0.gates[0].released != nil })
        }
    }

    @Test("A release before anybody waits is remembered; a closed gate holds again")
    func remembered() throws {
        try withServer([try held()], settings: .made { $0.give("a", 10) }) { run in
            try run.on { $0.openGate("go") }
            #expect(try run.probe().get("a").status == 200)
            try run.on { $0.closeGate("go") }
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(probe.isSilent(for: .milliseconds(50)))
            try run.on { $0.openGateOnce("go") }
            #expect(try probe.readAnswer().status == 200)
            let other = try run.probe()
            try other.ask(WireProbe.object("a") + "?alt=media")
            #expect(other.isSilent(for: .milliseconds(50)))
        }
    }

    @Test("The journal's observers hear at once that an exchange stands still, and for what")
    func heard() throws {
        try withServer([try held()], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            let events = try run.log.wait(for: "the hold") { events in
                events.contains { if case .held = $0 { true } else { false } }
            }
            guard case .held(let record, let trigger, _)? = events.last else {
                Issue.record("the last event is \(String(describing: events.last))")
                return
            }
            #expect(record.ordinal == 1)
            #expect(trigger == .gate(name: "go"))
            var narrator = ServeNarrator(control: "http://127.0.0.1:7")
            let lines = narrator.lines(for: try #require(events.last))
            #expect(lines.first?.hasSuffix("#1 download  a  STANDS STILL until gate go") == true)
            #expect(
                lines.dropFirst() == [
                    "            release it: curl -X POST http://127.0.0.1:7/v1/gates/go/release"
                ])
            var alone = ServeNarrator()
            #expect(
                alone.lines(for: try #require(events.last)).last
                    == "            nothing can release the gate 'go': start with --control-port")
        }
    }
}
