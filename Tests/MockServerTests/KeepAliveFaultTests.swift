import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Kept connections that end", .serialized)
struct KeepAliveFaultTests {
    private let body = sample(10)

    /// Answers once with the fault; `isOwn`: by an answer that only we can write.
    private func answered(
        isOwn: Bool, at phase: FaultPhase = .responseEnd, ordinal: OrdinalPattern = .exactly(1),
        _ actions: FaultAction..., then check: (ServerRun, WireProbe) throws -> Void
    ) throws {
        var rules = [try fault("download", ordinal, at: phase, per: .run, .silence)]
        rules[0].actions = actions
        if isOwn {
            var twice = HeaderEdit()
            twice.duplicate = ["Content-Length"]
            rules.append(try fault("download", at: .responseHead, position: 2, .headers(twice)))
        }
        try withServer(rules, settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").body == body)
            try check(run, probe)
        }
    }

    @Test("`close-at-next` lives until bytes of a next request come", arguments: [false, true])
    func closeAtNext(isOwn: Bool) throws {
        try answered(isOwn: isOwn, .keepAlive(.closeAtNext)) { (run, probe) throws in
            #expect(try run.ended(1).ending == .complete)
            #expect(probe.isSilent(for: .milliseconds(30)))
            try probe.send("G")
            let seen = probe.readToEnd()
            #expect(seen.bytes.isEmpty && seen.ending == .closed)
            #expect(try run.on { $0.records.count } == 1)
            let next = try run.probe().get("a").body
            #expect(next == body)
        }
    }

    @Test(
        "`close-after` closes an idle connection, and one that is used lives on",
        arguments: [false, true])
    func closeAfter(isOwn: Bool) throws {
        for time in [Duration.zero, .milliseconds(40)] {
            try answered(isOwn: isOwn, .keepAlive(.close(after: time))) { (run, probe) throws in
                let start = ContinuousClock.now
                let seen = probe.readToEnd()
                #expect(seen.bytes.isEmpty && seen.ending == .closed)
                #expect(ContinuousClock.now - start >= time - .milliseconds(20))
                #expect(try run.ended(1).ending == .complete)
            }
        }
        try answered(isOwn: isOwn, .keepAlive(.close(after: .milliseconds(60)))) {
            (run, probe) throws in
            #expect(try probe.get("a").body == body)
            #expect(probe.isSilent(for: .milliseconds(120)))
            #expect(try probe.get("a").body == body)
        }
    }

    @Test("`max-age` ends a connection at its age, also in the middle of an answer")
    func maxAge() throws {
        for (manner, ending) in [(DisconnectManner.close, WireEnding.closed), (.reset, .reset)] {
            for isOwn in [false, true] {
                try answered(isOwn: isOwn, .keepAlive(.maxAge(.milliseconds(50), then: manner))) {
                    (run, probe) throws in
                    #expect(probe.readToEnd().ending == ending)
                }
                try answered(isOwn: isOwn, .keepAlive(.maxAge(.zero, then: manner))) {
                    (run, probe) throws in
                    #expect(probe.readToEnd().ending == ending)
                    #expect(try run.ended(1).status == 200)
                }
            }
        }
        let aged = try fault(
            "download", .exactly(1), at: .responseEnd, per: .run,
            .keepAlive(.maxAge(.milliseconds(60), then: .reset)))
        let stalled = try fault(
            "download", .exactly(2), at: .responseBody(.bytes(5)), position: 2, per: .run,
            .stall(nil))
        try withServer([aged, stalled], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").body == body)
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try probe.readHead().status == 200)
            let seen = probe.readToEnd()
            #expect(seen.bytes == Array(body[..<5]) && seen.ending == .reset)
            #expect(try run.ended(2).ending == .disconnected)
        }
    }

    @Test(
        "After a time of idleness the connection is closed, reset, half-closed or silent",
        arguments: [false, true])
    func idle(isOwn: Bool) throws {
        let time = Duration.milliseconds(30)
        for (action, ending) in [
            (FaultAction.disconnect(.close), WireEnding.closed), (.disconnect(.reset), .reset),
            (.disconnect(.half), .closed),
        ] {
            try answered(isOwn: isOwn, at: .idle(time), action) { (run, probe) throws in
                let seen = probe.readToEnd()
                #expect(seen.bytes.isEmpty && seen.ending == ending)
                #expect(try run.on { $0.records[0].faults.filter { $0.rule == 1 }.count } == 1)
                #expect(try run.on { $0.firedCounts[0] } == 1)
            }
        }
        try answered(isOwn: isOwn, at: .idle(time), .silence) { (run, probe) throws in
            try run.firstFault()
            try run.log.wait(for: "idle") {
                $0.contains { if case .fault(_, let fired) = $0 { fired.rule == 1 } else { false } }
            }
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(probe.isSilent(for: .milliseconds(40)))
        }
    }

    @Test("Bytes that nobody asked for come on an idle connection", arguments: [false, true])
    func unasked(isOwn: Bool) throws {
        let late = Array("HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n".utf8)
        try answered(isOwn: isOwn, at: .idle(.milliseconds(20)), .raw(late)) {
            (run, probe) throws in
            #expect(try probe.readAnswer().status == 408)
            #expect(try probe.get("a").body == body)
        }
        try answered(isOwn: isOwn, at: .idle(.milliseconds(20)), .raw(late), .disconnect(.close)) {
            (run, probe) throws in
            let seen = probe.readToEnd()
            #expect(seen.bytes == late && seen.ending == .closed)
        }
    }

    @Test("A connection that is used in time meets nothing, and the fault did not fire")
    func notIdle() throws {
        try answered(isOwn: false, at: .idle(.milliseconds(60)), .disconnect(.reset)) {
            (run, probe) throws in
            #expect(try probe.get("a").body == body)
            #expect(probe.isSilent(for: .milliseconds(120)))
            #expect(try run.on { $0.firedCounts } == [0])
        }
    }

    @Test("A connection that its client closed meets nothing")
    func gone() throws {
        try answered(isOwn: false, at: .idle(.milliseconds(30)), .disconnect(.reset)) {
            (run, probe) throws in
            probe.close()
            let other = try run.probe()
            #expect(other.isSilent(for: .milliseconds(60)))
            #expect(try run.on { $0.firedCounts } == [0])
        }
    }

    @Test("Half-closed after an answer: the end comes, and what is sent is read and not answered")
    func half() throws {
        try answered(isOwn: false, .disconnect(.half)) { (run, probe) throws in
            #expect(probe.readToEnd().ending == .closed)
            try probe.ask(WireProbe.object("a") + "?alt=media")
            try probe.send(sample(4 << 20))
            #expect(try run.on { $0.openConnections } == 1)
        }
    }

    @Test("A close that was announced comes late", arguments: [false, true])
    func slowClose(isOwn: Bool) throws {
        var closing = HeaderEdit()
        closing.set = [HeaderValue("Connection", .text("close"))]
        let announced = try fault("download", at: .responseHead, .headers(closing))
        let late = try fault(
            "download", at: .responseEnd, position: 2, .delay(.fixed(.milliseconds(60))),
            .disconnect(.close))
        try withServer([announced, late], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            let answer = try probe.get("a")
            #expect(answer.head["Connection"] == "close" && answer.body == body)
            #expect(probe.isSilent(for: .milliseconds(30)))
            #expect(probe.readToEnd().ending == .closed)
        }
    }
}
