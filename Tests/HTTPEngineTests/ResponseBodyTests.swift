import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Answer bodies")
struct ResponseBodyTests {
    static let content = SyntheticContent(size: 300_000, seed: 5)
    static let bytes = content.allBytes
    static let offsets: [Int64] = [0, 1, 150_000, 299_999, 300_000]

    /// The ways in which an answer goes out.
    enum Way: CaseIterable { case plain, chunked, own, ownChunked }

    static let cases = offsets.flatMap { offset in Way.allCases.map { (offset, $0) } }

    private func plan(_ offset: Int64, _ way: Way, _ verdict: ExchangeVerdict) -> Plan {
        var plan = Plan.at(.responseBody(offset), verdict)
        plan.response = HTTPResponse(
            status: 200, reason: way == .own || way == .ownChunked ? "Own" : nil,
            body: Self.content, isChunked: way == .chunked || way == .ownChunked)
        return plan
    }

    /// Reads all that comes; the body's bytes without chunk marks.
    private func read(
        _ probe: WireProbe, _ way: Way, piece: Int = 65536
    ) throws -> (body: [UInt8], hasLastChunk: Bool, ending: WireEnding) {
        _ = try probe.readHead()
        var (bytes, ending) = probe.readToEnd(silence: .milliseconds(40), piece: piece)
        guard way == .chunked || way == .ownChunked else { return (bytes, false, ending) }
        var body: [UInt8] = []
        while let mark = bytes.firstIndex(of: 10) {
            let digits = String(decoding: bytes[..<(mark - 1)], as: UTF8.self)
            let size = try #require(Int(digits, radix: 16))
            if size == 0 { return (body, true, ending) }
            body += bytes[(mark + 1)...].prefix(size)
            bytes = Array(bytes.dropFirst(mark + 1 + size + 2))
        }
        return (body, false, ending)
    }

    @Test("Close inside a body is a FIN after exactly its bytes", arguments: cases)
    func close(offset: Int64, way: Way) throws {
        try withEngine(plan(offset, way, .disconnect(.close))) { run in
            let probe = try run.probe()
            try probe.ask("/")
            let seen = try read(probe, way)
            #expect(seen.body == Array(Self.bytes[..<Int(offset)]))
            #expect(seen.ending == .closed && !seen.hasLastChunk)
            try run.wait(for: "1 disconnected received=0 sent=\(offset)")
            probe.close()
            try run.wait(for: "closed 1")
        }
    }

    @Test("Reset inside a body is an RST after exactly its bytes", arguments: cases)
    func reset(offset: Int64, way: Way) throws {
        try withEngine(plan(offset, way, .disconnect(.reset))) { run in
            let probe = try run.probe()
            try probe.ask("/")
            let seen = try read(probe, way)
            #expect(seen.body == Array(Self.bytes[..<Int(offset)]))
            #expect(seen.ending == .reset && !seen.hasLastChunk)
            try run.wait(for: "1 disconnected received=0 sent=\(offset)")
            try run.wait(for: "closed 1")
        }
    }

    @Test("Silence inside a body leaves the client with exactly its bytes", arguments: cases)
    func silence(offset: Int64, way: Way) throws {
        try withEngine(plan(offset, way, .silence)) { run in
            let probe = try run.probe()
            try probe.ask("/")
            let seen = try read(probe, way)
            #expect(seen.body == Array(Self.bytes[..<Int(offset)]))
            #expect(seen.ending == .silence && !seen.hasLastChunk)
            probe.close()
            try run.wait(for: "1 client-left received=0 sent=\(offset)")
            try run.wait(for: "closed 1")
        }
    }

    @Test("Half a close inside a body is a FIN, and the server goes on reading", arguments: cases)
    func half(offset: Int64, way: Way) throws {
        try withEngine(plan(offset, way, .disconnect(.half))) { run in
            let probe = try run.probe()
            try probe.ask("/")
            let seen = try read(probe, way)
            #expect(seen.body == Array(Self.bytes[..<Int(offset)]) && seen.ending == .closed)
            try probe.send([UInt8](repeating: 1, count: 20_000_000))
            #expect(!run.log.values.contains("closed 1"))
            probe.close()
            try run.wait(for: "closed 1")
        }
    }

    @Test("A wait inside a body holds its next byte back", arguments: cases)
    func wait(offset: Int64, way: Way) throws {
        try withEngine(plan(offset, way, .wait)) { run in
            let probe = try run.probe()
            try probe.ask("/")
            if way == .plain || way == .own {
                _ = try probe.readHead()
                #expect(
                    probe.read(upTo: Int(offset)).bytes == Array(Self.bytes[..<Int(offset)]))
                try run.wait(for: "1 response-body \(offset)")
                #expect(probe.isSilent(for: .milliseconds(20)))
                try run.proceed(1)
                let rest = probe.read(upTo: 300_000 - Int(offset)).bytes
                #expect(rest == Array(Self.bytes[Int(offset)...]))
            } else {
                try run.wait(for: "1 response-body \(offset)")
                try run.proceed(1)
                #expect(try probe.readAnswer().body == Self.bytes)
            }
            try run.wait(for: "1 complete received=0 sent=300000")
        }
    }

    @Test("A reset after 3,000,000 bytes loses none of them to a slow reader")
    func slowReader() throws {
        let size: Int64 = 3_000_000
        var plan = Plan.at(.responseBody(size), .disconnect(.reset))
        plan.response.body = SyntheticContent(size: size + 1_000_000, seed: 6)
        let bytes = plan.response.body.bytes(in: 0..<size)
        for _ in 0..<5 {
            try withEngine(plan) { run in
                let probe = try run.probe(receiveBuffer: 8192)
                try probe.ask("/")
                _ = try probe.readHead()
                try run.wait(for: "accepted 1")
                let (body, ending) = probe.readToEnd(piece: 1500)
                #expect(body == bytes && ending == .reset)
            }
        }
    }

    @Test("An answer without a body can be cut after its head")
    func emptyBody() throws {
        var plan = Plan.at(.responseBody(0), .disconnect(.reset))
        plan.response.body = ByteArraySource([])
        try withEngine(plan) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.readHead().status == 200)
            #expect(probe.readToEnd().ending == .reset)
        }
    }

    @Test(
        "Before the answer nothing of it is sent",
        arguments: [ExchangePoint.head, .requestEnd, .responseHead])
    func nothing(point: ExchangePoint) throws {
        for (how, ending) in [(Disconnection.close, WireEnding.closed), (.reset, .reset)] {
            try withEngine(.at(point, .disconnect(how))) { run in
                let probe = try run.probe()
                try probe.ask("/")
                let seen = probe.readToEnd()
                #expect(seen.bytes == [] && seen.ending == ending)
                try run.wait(for: "1 disconnected received=0 sent=0")
            }
        }
    }

    @Test(
        "After the answer the connection can end in any way",
        arguments: [(Disconnection.close, WireEnding.closed), (.reset, .reset), (.half, .closed)])
    func end(how: Disconnection, ending: WireEnding) throws {
        for closes in [false, true] {
            var plan = Plan.at(.responseEnd, .disconnect(how))
            plan.closesConnection = closes
            try withEngine(plan) { run in
                let probe = try run.probe()
                try probe.ask("/")
                #expect(try probe.readAnswer().text == "hello")
                #expect(probe.readToEnd().ending == ending)
                try run.wait(for: "1 disconnected received=0 sent=5")
            }
        }
    }

    @Test(
        "A wait after the answer holds the connection's next request back",
        arguments: [false, true])
    func waitAtEnd(closes: Bool) throws {
        var plan = Plan.at(.responseEnd, .wait)
        plan.closesConnection = closes
        try withEngine(plan) { run in
            let probe = try run.probe()
            try probe.ask("/1")
            #expect(try probe.readAnswer().text == "hello")
            try run.wait(for: "1 response-end")
            if !closes { try probe.ask("/2") }
            #expect(probe.isSilent(for: .milliseconds(30)))
            #expect(!run.log.values.contains("2 head"))
            try run.proceed(1)
            if closes {
                #expect(probe.readToEnd().ending == .closed)
            } else {
                try run.wait(for: "2 head")
                #expect(try probe.readAnswer().text == "hello")
            }
            try run.wait(for: "1 complete received=0 sent=5")
        }
    }
}
