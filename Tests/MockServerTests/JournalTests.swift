import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Journal", .serialized)
struct JournalTests {
    private func asked(_ count: Int, limit: Int) throws -> (kept: [Int], dropped: Int, count: Int) {
        var options = MockServer.Options()
        options.journalLimit = limit
        var seen: (kept: [Int], dropped: Int, count: Int) = ([], 0, 0)
        try withServer(settings: .made { $0.give("a", 10) }, options: options) { run in
            let probe = try run.probe()
            for _ in 0..<count { #expect(try probe.get("a").status == 200) }
            try run.ended(count)
            seen = try run.on {
                ($0.records.map(\.ordinal), $0.droppedRecords, $0.exchangeCount)
            }
        }
        return seen
    }

    @Test("Keeps the newest records in their order, and counts those that had to go")
    func ring() throws {
        let seen = try asked(8, limit: 3)
        #expect(seen.kept == [6, 7, 8])
        #expect(seen.dropped == 5)
        #expect(seen.count == 8)
    }

    @Test("Loses nothing up to its limit")
    func full() throws {
        let seen = try asked(4, limit: 4)
        #expect(seen.kept == [1, 2, 3, 4])
        #expect(seen.dropped == 0)
    }

    @Test("A record that went while its exchange was under way is told whole at its end")
    func longExchange() throws {
        var options = MockServer.Options()
        options.journalLimit = 1
        try withServer(
            [try fault("list", at: .responseHead, .hold(until: .gate(name: "go"), atMost: nil))],
            settings: .made { $0.give("a", 10) }, options: options
        ) { run in
            let slow = try run.probe()
            try slow.ask(WireProbe.objects)
            try run.firstFault()
            let probe = try run.probe()
            for _ in 1...3 { #expect(try probe.get("a").status == 200) }
            try run.on { $0.openGate("go") }
            #expect(try slow.readAnswer().status == 200)
            let record = try run.ended(1)
            #expect(record.status == 200)
            #expect(record.faults.map(\.rule) == [1])
            #expect(try run.on { $0.records.map(\.ordinal) } == [4])
        }
    }

    @Test("A fired fault is told with its draw, its limit, its delay and its actions")
    func draws() throws {
        var rule = try fault(
            "download", at: .responseHead, .delay(.uniform(.milliseconds(1), .milliseconds(9))),
            .delay(.fixed(.milliseconds(2))))
        rule.chance = 0.5
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            for _ in 1...20 { #expect(try probe.get("a").status == 200) }
            try run.ended(20)
            let records = try run.on { $0.records }
            let fired = records.flatMap(\.faults)
            #expect((1..<20).contains(fired.count))
            for fault in fired {
                #expect(fault.chance == 0.5)
                #expect(try #require(fault.draw) < 0.5)
                #expect(fault.actions == ["delay", "delay"])
                #expect(fault.delays.count == 2)
                #expect(fault.delays[0] >= .milliseconds(1) && fault.delays[0] < .milliseconds(9))
                #expect(fault.delays[1] == .milliseconds(2))
            }
        }
    }

    @Test("The delay that is told is the one that was waited for")
    func waitedDelay() throws {
        let rule = try fault(
            "download", at: .responseHead, .delay(.uniform(.milliseconds(20), .milliseconds(60))))
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            #expect(try run.probe().get("a").status == 200)
            let record = try run.ended(1)
            let delay = try #require(record.faults.first?.delays.first)
            #expect(try #require(record.end) - record.start >= delay)
        }
    }
}

@Suite("X-Squall-Fault", .serialized)
struct ExplanationTests {
    private func explained(
        _ faults: [FaultRule], explains: Bool = true, _ body: (ServerRun) throws -> WireAnswer
    ) throws -> WireHead {
        var options = MockServer.Options()
        options.explains = explains
        var head: WireHead?
        try withServer(faults, settings: .made { $0.give("a", 10) }, options: options) { run in
            head = try body(run).head
        }
        return try #require(head)
    }

    private func busy(at phase: FaultPhase, reason: String? = nil) throws -> FaultRule {
        var answer = ForcedResponse(status: 503)
        answer.reason = reason
        return try fault("download", at: phase, name: "busy", .respond(answer))
    }

    private let told = #"fault=1; exchange=1; ordinal=1; action="respond"; name="busy""#

    @Test(
        "Names fault, exchange and action, whoever writes the head",
        arguments: [nil, "Very busy"] as [String?])
    func named(reason: String?) throws {
        let head = try explained([try busy(at: .beforeCommit, reason: reason)]) {
            try $0.probe().get("a")
        }
        #expect(head.reason == reason ?? "Service Unavailable")
        #expect(head.values(of: "X-Squall-Fault") == [told])
        #expect(head["Access-Control-Expose-Headers"]?.hasSuffix(", X-Squall-Fault") == true)
    }

    @Test("An answer before the body is explained, too")
    func early() throws {
        let rule = try fault("upload.media", at: .requestHead, name: "busy", .status(503))
        let head = try explained([rule]) { run in
            let probe = try run.probe()
            try probe.begin("POST", WireProbe.objects + "?name=a", length: 1 << 20)
            return try probe.readAnswer()
        }
        #expect(head.values(of: "X-Squall-Fault") == [told])
    }

    @Test("Several faults give a field each, and what a field cannot hold is escaped")
    func several() throws {
        let rules = [
            try fault("download", at: .requestHead, name: "a\"b\r\nc", .delay(.fixed(.zero))),
            try fault("download", at: .responseHead, position: 2, .delay(.fixed(.zero))),
        ]
        let head = try explained(rules) { try $0.probe().get("a") }
        let fields = head.values(of: "X-Squall-Fault")
        #expect(fields.count == 2)
        #expect(fields[0].hasSuffix(#"name="a%22b%0D%0Ac""#))
        #expect(fields[1].hasPrefix("fault=2; "))
    }

    @Test("Is in no answer of an exchange without a fault")
    func withoutFault() throws {
        let head = try explained([try busy(at: .beforeCommit)]) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 503)
            return try probe.exchange("GET", WireProbe.objects)
        }
        #expect(head.status == 200)
        #expect(head["X-Squall-Fault"] == nil)
    }

    @Test(
        "Is in no answer at all unless it is asked for",
        arguments: [nil, "Very busy"] as [String?])
    func unasked(reason: String?) throws {
        let head = try explained([try busy(at: .beforeCommit, reason: reason)], explains: false) {
            try $0.probe().get("a")
        }
        #expect(head.status == 503)
        #expect(!head.text.lowercased().contains("squall"))
    }
}
