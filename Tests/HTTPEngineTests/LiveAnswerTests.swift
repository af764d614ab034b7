import EventLoop
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Answers without a known end", .serialized)
struct LiveAnswerTests {
    /// Serves every request by one live answer.
    private func withAnswer(
        limit: Int = 1 << 20, _ body: (EngineRun, LiveAnswer) throws -> Void
    ) throws {
        let answer = LiveAnswer(
            status: 200, headers: ["Content-Type": "text/plain"], limit: limit)
        let run = try EngineRun(Plan.at(.requestEnd, .stream(answer)))
        defer { run.stop() }
        try body(run, answer)
    }

    private func open(_ run: EngineRun, _ probe: WireProbe, _ line: String) throws -> WireHead {
        try probe.send("\(line)\r\nHost: localhost\r\n\r\n")
        return try probe.readHead()
    }

    @Test("Each piece is a chunk that arrives when it is pushed; the end is the last chunk and FIN")
    func chunks() throws {
        try withAnswer { run, answer in
            let probe = try run.probe()
            let head = try open(run, probe, "GET / HTTP/1.1")
            #expect(head.status == 200)
            #expect(head["Transfer-Encoding"] == "chunked")
            #expect(head["Connection"] == "close")
            #expect(probe.isSilent(for: .milliseconds(30)))
            #expect(try run.onLoop { _ in answer.push(Array("hello".utf8)) })
            #expect(try probe.read(exactly: 10) == Array("5\r\nhello\r\n".utf8))
            try run.onLoop { _ in
                _ = answer.push([])
                _ = answer.push(Array("you".utf8))
                answer.finish()
            }
            let (rest, ending) = probe.readToEnd()
            #expect(String(decoding: rest, as: UTF8.self) == "3\r\nyou\r\n0\r\n\r\n")
            #expect(ending == .closed)
            #expect(try run.onLoop { _ in !answer.isOpen && !answer.push([1]) })
            try run.handler.log.wait(for: "the end") { $0.contains { $0.hasPrefix("1 complete") } }
        }
    }

    @Test("A client of HTTP/1.0 gets the bytes without marks, and HEAD gets none")
    func otherForms() throws {
        try withAnswer { run, answer in
            let probe = try run.probe()
            let head = try open(run, probe, "GET / HTTP/1.0")
            #expect(head["Transfer-Encoding"] == nil)
            try run.onLoop { _ in
                _ = answer.push(Array("plain".utf8))
                answer.finish()
            }
            let (bytes, ending) = probe.readToEnd()
            #expect(bytes == Array("plain".utf8))
            #expect(ending == .closed)
        }
        try withAnswer { run, answer in
            let probe = try run.probe()
            _ = try open(run, probe, "HEAD / HTTP/1.1")
            let (bytes, ending) = probe.readToEnd()
            #expect(bytes.isEmpty)
            #expect(ending == .closed)
        }
    }

    @Test(
        "What waits for a slow reader is bounded; what was taken arrives whole, and room comes back"
    )
    func slowReader() throws {
        try withAnswer(limit: 100_000) { run, answer in
            let probe = try run.probe(receiveBuffer: 4096)
            _ = try open(run, probe, "GET / HTTP/1.1")
            let drains = Recorder<Bool>()
            let piece = [UInt8](repeating: 7, count: 10_000)
            let taken = try run.onLoop { _ in
                answer.drained = { drains.append(true) }
                return (0..<1_000).prefix { _ in answer.push(piece) }.count
            }
            // 100,000 bytes of ours, and what the kernel takes of 10 MB.
            #expect(taken >= 10 && taken < 500)
            let before = drains.values.count
            for _ in 0..<taken {
                let mark = try probe.read(through: "\r\n")
                #expect(mark == Array("2710\r\n".utf8))
                #expect(try probe.read(exactly: 10_002).prefix(10_000).allSatisfy { $0 == 7 })
            }
            try drains.wait(count: before + 1)
            #expect(try run.onLoop { _ in answer.push(piece) })
        }
    }

    @Test(
        "A client that leaves ends the answer, whether by FIN or by RST", arguments: [true, false])
    func clientLeaves(resets: Bool) throws {
        try withAnswer { run, answer in
            let probe = try run.probe()
            _ = try open(run, probe, "GET / HTTP/1.1")
            if resets { probe.reset() } else { probe.close() }
            try run.handler.log.wait(for: "the end") { log in
                log.contains { $0.hasPrefix("1 client-left") } && log.contains("closed 1")
            }
            #expect(try run.onLoop { _ in !answer.isOpen && !answer.push([1]) })
        }
    }

    @Test("An engine that stops ends the answer with what was pushed, without the last chunk")
    func engineStops() throws {
        try withAnswer { run, answer in
            let probe = try run.probe()
            _ = try open(run, probe, "GET / HTTP/1.1")
            try run.onLoop { engine in
                _ = answer.push([65])
                engine.stop()
            }
            let (bytes, ending) = probe.readToEnd()
            #expect(bytes == Array("1\r\nA\r\n".utf8))
            #expect(ending == .closed)
        }
    }

    @Test("An exchange that waits for its body can be broken off", arguments: [true, false])
    func breakOff(resets: Bool) throws {
        let run = try EngineRun()
        defer { run.stop() }
        let probe = try run.probe()
        try probe.ask("/", method: "POST", fields: ["Content-Length: 10"])
        try probe.send("half")
        try run.handler.log.wait(for: "the head") { $0.contains("1 head") }
        let handler = run.handler
        try run.onLoop { _ in handler.exchanges[1]?.breakOff(resets ? .reset : .close) }
        #expect(probe.readToEnd().ending == (resets ? .reset : .closed))
        try run.handler.log.wait(for: "the end") { $0.contains { $0.hasPrefix("1 disconnected") } }
        // What is over cannot be broken off again.
        try run.onLoop { _ in handler.exchanges[1]?.breakOff(.reset) }
    }
}
