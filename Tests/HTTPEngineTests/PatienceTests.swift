import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Clients that keep the server waiting")
struct PatienceTests {
    private func patient(_ plan: Plan = Plan()) throws -> EngineRun {
        var limits = EngineLimits()
        limits.patience = .milliseconds(200)
        return try EngineRun(plan, limits: limits)
    }

    /// The server goes on: another client gets its answer.
    private func expectService(_ run: EngineRun) throws {
        let other = try run.probe()
        try other.ask("/after")
        #expect(try other.readAnswer().status == 200)
    }

    @Test("A head that comes byte by byte for ever gets a 408 and an end")
    func slowHead() throws {
        let run = try patient()
        defer { run.stop() }
        let probe = try run.probe()
        try probe.send("GET /slow HTTP/1.1\r\nHost: a\r\nX: ")
        let answer = try probe.readAnswer()
        #expect(answer.status == 408)
        #expect(probe.readToEnd().ending == .closed)
        try expectService(run)
    }

    @Test("A connection on which nothing ever comes is closed without an answer")
    func nothing() throws {
        let run = try patient()
        defer { run.stop() }
        let probe = try run.probe()
        let rest = probe.readToEnd()
        #expect(rest.bytes.isEmpty)
        #expect(rest.ending == .closed)
        try expectService(run)
    }

    @Test("A body that stops coming ends its connection by RST")
    func slowBody() throws {
        let run = try patient()
        defer { run.stop() }
        let probe = try run.probe()
        try probe.send("PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
        #expect(probe.readToEnd().ending == .reset)
        try expectService(run)
    }

    @Test("An answer that nobody reads ends its connection by RST, whoever writes it")
    func unreadAnswer() throws {
        for isChunked in [false, true] {
            var plan = Plan()
            plan.response = HTTPResponse(
                status: 200, body: SyntheticContent(size: 64 << 20, seed: 1), isChunked: isChunked)
            let run = try patient(plan)
            defer { run.stop() }
            let probe = try run.probe()
            try probe.ask("/large")
            _ = try run.wait(prefix: "1 client-left")
            #expect(probe.readToEnd().ending == .reset)
        }
    }

    @Test("An exchange that its handler keeps is not ended: the client is not to blame")
    func keptExchange() throws {
        let run = try patient(.at(.responseHead, .wait))
        defer { run.stop() }
        let probe = try run.probe()
        try probe.ask("/kept")
        #expect(probe.isSilent(for: .milliseconds(600)))
    }
}
