import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Connections between two requests")
struct IdleConnectionTests {
    private static let first = ConnectionID(ordinal: 1)

    /// By libmicrohttpd, and by ourselves.
    private static let reasons: [String?] = [nil, "Odd"]

    private func withAnswered(
        reason: String?, _ whenComplete: WhenComplete = .keep,
        _ body: (EngineRun, WireProbe) throws -> Void
    ) throws {
        var plan = Plan()
        plan.response.reason = reason
        plan.whenComplete = whenComplete
        try withEngine(plan) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.readAnswer().text == "hello")
            try run.wait(for: "1 complete received=0 sent=5")
            try body(run, probe)
        }
    }

    @Test(
        "A connection that is to be closed at the next request lives until its first byte comes",
        arguments: reasons)
    func closeAtNext(reason: String?) throws {
        try withAnswered(reason: reason, .closeAtNext) { run, probe in
            #expect(probe.isSilent(for: .milliseconds(30)))
            try probe.send("G")
            let seen = probe.readToEnd()
            #expect(seen.bytes.isEmpty && seen.ending == .closed)
            try probe.send("ET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(probe.readToEnd(silence: .milliseconds(30)).bytes.isEmpty)
            probe.close()
            try run.wait(for: "closed 1")
            #expect(!run.log.values.contains("2 head"))
        }
    }

    @Test("A next request that is there already closes it at once", arguments: reasons)
    func closeAtPipelined(reason: String?) throws {
        var plan = Plan()
        plan.response.reason = reason
        plan.whenComplete = .closeAtNext
        try withEngine(plan) { run in
            let probe = try run.probe()
            let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
            try probe.send(request + request)
            #expect(try probe.readAnswer().text == "hello")
            let seen = probe.readToEnd()
            #expect(seen.bytes.isEmpty && seen.ending == .closed)
            #expect(!run.log.values.contains("2 head"))
        }
    }

    @Test("A connection that is to be closed at the next request may be closed by its client")
    func leftAlone() throws {
        for reason in Self.reasons {
            try withAnswered(reason: reason, .closeAtNext) { run, probe in
                probe.close()
                try run.wait(for: "closed 1")
            }
        }
    }

    @Test("A connection can be closed after an answer that did not say so", arguments: reasons)
    func closeAtOnce(reason: String?) throws {
        try withAnswered(reason: reason, .close) { run, probe in
            #expect(probe.readToEnd().ending == .closed)
        }
    }

    @Test("An idle connection is closed or reset from outside", arguments: reasons)
    func ends(reason: String?) throws {
        for (how, ending) in [
            (Disconnection.close, WireEnding.closed), (.reset, .reset), (.half, .closed),
        ] {
            try withAnswered(reason: reason) { run, probe in
                #expect(try run.onLoop { $0.isIdle(Self.first, after: 1) })
                #expect(try run.onLoop { $0.end(Self.first, how) })
                #expect(probe.readToEnd().ending == ending)
                #expect(try run.onLoop { !$0.isIdle(Self.first, after: 1) })
                #expect(try run.onLoop { !$0.end(Self.first, how) })
                probe.close()
                try run.wait(for: "closed 1")
            }
        }
    }

    @Test("An idle connection can fall silent, and its end is still seen")
    func silence() throws {
        for reason in Self.reasons {
            try withAnswered(reason: reason) { run, probe in
                #expect(try run.onLoop { $0.silence(Self.first) })
                try probe.ask("/")
                #expect(probe.isSilent(for: .milliseconds(30)))
                probe.reset()
                try run.wait(for: "closed 1")
            }
        }
    }

    @Test("Bytes that nobody asked for come before the next answer")
    func unasked() throws {
        for reason in Self.reasons {
            try withAnswered(reason: reason) { run, probe in
                #expect(
                    try run.onLoop {
                        $0.send(Array("HTTP/1.1 408 Late\r\n\r\n".utf8), on: Self.first)
                    })
                #expect(try probe.readHead().status == 408)
                try probe.ask("/")
                #expect(try probe.readAnswer().text == "hello")
            }
        }
    }

    @Test("A connection with an exchange under way is not idle, and its end ends the exchange")
    func underWay() throws {
        for point in [
            ExchangePoint.head, .requestEnd, .responseHead, .responseBody(2), .responseEnd,
        ] {
            for reason in Self.reasons {
                var plan = Plan.at(point, .wait)
                plan.response.reason = reason
                try withEngine(plan) { run in
                    let probe = try run.probe()
                    try probe.ask("/")
                    try run.log.wait(for: "\(point)") {
                        $0.last?.hasPrefix("1 \(Self.word(point))") ?? false
                    }
                    #expect(try run.onLoop { !$0.isIdle(Self.first, after: 1) })
                    #expect(try run.onLoop { $0.end(Self.first, .reset) })
                    #expect(probe.readToEnd().ending == .reset)
                    #expect(try run.wait(prefix: "1 disconnected").isEmpty == false)
                    #expect(run.log.values.filter { $0.hasPrefix("1 disconnected") }.count == 1)
                }
            }
        }
    }

    private static func word(_ point: ExchangePoint) -> String {
        switch point {
        case .head: "head"
        case .requestBody: "request-body"
        case .requestEnd: "request-end"
        case .responseHead: "response-head"
        case .responseBody: "response-body"
        case .responseEnd: "response-end"
        case .interrupted: "interrupted"
        }
    }
}
