import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Faults of 100 (Continue)", .serialized)
struct ContinueFaultTests {
    private static let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The head of an upload in one request whose client waits for 100.
    private func ask(_ probe: WireProbe, _ count: Int, fields: [String] = []) throws {
        try probe.ask(
            WireProbe.objects + "?name=a", method: "POST",
            fields: ["Content-Length: \(count)", "Expect: 100-continue"] + fields)
    }

    private func rule(_ kind: ContinueFault) throws -> FaultRule {
        try fault(
            "upload.media", .exactly(1), at: .requestHead, per: .run, .expectContinue(kind))
    }

    @Test("Without a fault the server asks for the body once, before it answers")
    func usual() throws {
        try withServer { run in
            let probe = try run.probe()
            try ask(probe, 5)
            #expect(try probe.read(exactly: Self.interim.count) == Self.interim)
            try probe.send([1, 2, 3, 4, 5])
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.stored("a") == [1, 2, 3, 4, 5])
        }
    }

    @Test("`withhold` says nothing until the client sends all the same, and keeps the connection")
    func withhold() throws {
        try withServer([try rule(.withhold)]) { run in
            let probe = try run.probe()
            try ask(probe, 100_000)
            #expect(probe.isSilent(for: .milliseconds(150)))
            try probe.send(sample(100_000))
            let answer = try probe.readAnswer()
            #expect(answer.status == 200)
            #expect(answer.head["Connection"] == nil)
            #expect(try run.stored("a") == sample(100_000))
            // The next one on the connection, without the fault, is asked for its body.
            try ask(probe, 1)
            #expect(try probe.read(exactly: Self.interim.count) == Self.interim)
            try probe.send([9])
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.ended(2).isReused)
        }
    }

    @Test("`twice` sends it two times, then answers once")
    func twice() throws {
        try withServer([try rule(.twice)]) { run in
            let probe = try run.probe()
            try ask(probe, 3)
            let both = try probe.read(exactly: 2 * Self.interim.count)
            #expect(both == Self.interim + Self.interim)
            #expect(probe.isSilent(for: .milliseconds(100)))
            try probe.send([1, 2, 3])
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.stored("a") == [1, 2, 3])
        }
    }

    @Test("`refuse` answers 417, and nothing is stored")
    func refuse() throws {
        try withServer([try rule(.refuse)]) { run in
            let probe = try run.probe()
            try ask(probe, 3)
            #expect(try probe.readAnswer().status == 417)
            #expect(try run.ended(1).received == 0)
            #expect(try run.stored("a") == nil)
            // Once more without the expectation, as RFC 9110 section 10.1.1 tells a client.
            let again = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: [1, 2, 3])
            #expect(again.status == 200)
        }
    }

    @Test("A delay lets 100 come so much later, and the body is taken then")
    func late() throws {
        try withServer([try rule(.delay(.milliseconds(200)))]) { run in
            let probe = try run.probe()
            let start = ContinuousClock.now
            try ask(probe, 3)
            #expect(try probe.read(exactly: Self.interim.count) == Self.interim)
            #expect(ContinuousClock.now - start >= .milliseconds(190))
            try probe.send([1, 2, 3])
            // It comes once.
            #expect(try probe.readHead().status == 200)
        }
    }

    @Test("A late 100 comes before what the next action does")
    func lateThenReset() throws {
        let rule = try fault(
            "upload.media", .exactly(1), at: .requestHead,
            .expectContinue(.delay(.milliseconds(20))),
            .stall(.milliseconds(20)), .disconnect(.close))
        try withServer([rule]) { run in
            let probe = try run.probe()
            try ask(probe, 3)
            let (bytes, ending) = probe.readToEnd()
            #expect(bytes == Self.interim)
            #expect(ending == .closed)
        }
    }

    @Test("A client that does not wait for 100 is not counted, and its fault never fires")
    func notExpected() throws {
        try withServer([try rule(.refuse)]) { run in
            let answer = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: [1, 2, 3])
            #expect(answer.status == 200)
            #expect(try run.on { $0.firedCounts } == [0])
        }
    }
}
