import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

/// What the engine does to a plain connection happens to the client's, at the same byte of plaintext.
@Suite("Bodies through TLS")
struct TLSBodyTests {
    static let content = SyntheticContent(size: 300_000, seed: 5)
    static let bytes = content.allBytes
    static let offsets: [Int64] = [0, 1, 150_000, 299_999, 300_000]
    static let cases = offsets.flatMap { offset in
        TLSProbe.Version.allCases.map { (offset, $0) }
    }

    private func plan(_ offset: Int64, _ verdict: ExchangeVerdict) -> Plan {
        var plan = Plan.at(.responseBody(offset), verdict)
        plan.response = HTTPResponse(status: 200, body: Self.content)
        return plan
    }

    /// Whether these are exactly the first bytes. A failure need not show them all.
    private func isStart(_ seen: [UInt8], _ count: Int64, of bytes: [UInt8] = bytes) -> Bool {
        seen == Array(bytes[..<Int(count)])
    }

    private func readBody(
        _ client: TLSProbe, piece: Int = 16_384
    ) throws -> (bytes: [UInt8], ending: TLSProbe.Ending) {
        try client.ask("/")
        var head: [UInt8] = []
        while head.suffix(4) != [13, 10, 13, 10] {
            let (byte, ending) = client.read(upTo: 1)
            try #require(ending == nil)
            head += byte
        }
        return client.readToEnd(piece: piece)
    }

    @Test("An answer comes whole, and the next one on the same connection")
    func whole() throws {
        for version in TLSProbe.Version.allCases {
            var plan = Plan()
            plan.response = HTTPResponse(status: 200, body: Self.content)
            try SecureEngine.with(plan) { secure in
                let client = try secure.client(version: version)
                #expect(client.chosenProtocol == "http/1.1")
                for _ in 0..<2 {
                    try client.ask("/")
                    let (head, body) = try client.readAnswer()
                    #expect(head.status == 200 && body == Self.bytes)
                }
                try secure.run.wait(for: "2 complete received=0 sent=300000")
            }
        }
    }

    @Test("Reset inside a body is an RST after exactly its bytes", arguments: cases)
    func reset(offset: Int64, version: TLSProbe.Version) throws {
        try SecureEngine.with(plan(offset, .disconnect(.reset))) { secure in
            let seen = try readBody(secure.client(version: version))
            #expect(isStart(seen.bytes, offset))
            #expect(seen.ending == .reset)
            try secure.run.wait(for: "1 disconnected received=0 sent=\(offset)")
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test("Close inside a body is close_notify and FIN after exactly its bytes", arguments: cases)
    func close(offset: Int64, version: TLSProbe.Version) throws {
        try SecureEngine.with(plan(offset, .disconnect(.close))) { secure in
            let client = try secure.client(version: version)
            let seen = try readBody(client)
            #expect(isStart(seen.bytes, offset))
            #expect(seen.ending == .closed)
            #expect(client.wire.readToEnd().ending == .closed)
            client.wire.close()
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test("Without close_notify a close is a FIN after exactly its bytes", arguments: offsets)
    func truncate(offset: Int64) throws {
        var plan = plan(offset, .disconnect(.close))
        plan.handshakes[1] = TLSPlan()
        plan.handshakes[1]?.omitsCloseNotify = true
        try SecureEngine.with(plan) { secure in
            let seen = try readBody(secure.client())
            #expect(isStart(seen.bytes, offset))
            #expect(seen.ending == .truncated)
        }
    }

    @Test("Silence inside a body leaves the client with exactly its bytes", arguments: offsets)
    func silence(offset: Int64) throws {
        try SecureEngine.with(plan(offset, .silence)) { secure in
            let wire = try WireProbe(port: secure.run.port, deadline: .milliseconds(200))
            let client = try TLSProbe(wire, authority: secure.authority.certificate)
            try client.shakeHands()
            let seen = try readBody(client)
            #expect(isStart(seen.bytes, offset))
            #expect(seen.ending == .silence)
            client.wire.close()
            try secure.run.wait(for: "1 client-left received=0 sent=\(offset)")
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test(
        "A slow reader gets exactly the bytes before a reset", arguments: [1, 100_000, 3_000_000])
    func slowReader(offset: Int64) throws {
        let content = SyntheticContent(size: 3_000_001, seed: 6)
        var plan = Plan.at(.responseBody(offset), .disconnect(.reset))
        plan.response = HTTPResponse(status: 200, body: content)
        try SecureEngine.with(plan) { secure in
            let seen = try readBody(secure.client(receiveBuffer: 8192), piece: 3000)
            #expect(isStart(seen.bytes, offset, of: content.allBytes))
            #expect(seen.ending == .reset)
        }
    }

    @Test("Bytes that no HTTP server writes reach the client as they are")
    func raw() throws {
        let steps: [WireStep] = [
            .send(Array("HTTP/1.1 200 Fi".utf8)), .wait(.milliseconds(20)),
            .slices(Array("ne\r\n\r\nbody".utf8), size: 3, gap: .milliseconds(1)), .reset,
        ]
        try SecureEngine.with(.at(.responseHead, .adopt(steps))) { secure in
            let client = try secure.client()
            try client.ask("/")
            let seen = client.readToEnd()
            #expect(String(decoding: seen.bytes, as: UTF8.self) == "HTTP/1.1 200 Fine\r\n\r\nbody")
            #expect(seen.ending == .reset)
        }
    }

    @Test("A request stops at its byte", arguments: [0, 1, 500_000, 999_999, 1_000_000])
    func requestStop(offset: Int64) throws {
        try SecureEngine.with(.at(.requestBody(offset), .disconnect(.reset))) { secure in
            let client = try secure.client()
            try client.ask("/up", method: "PUT", fields: ["Content-Length: 1000000"])
            try? client.send([UInt8](repeating: 7, count: 1_000_000))
            #expect(client.readToEnd().ending == .reset)
            try secure.run.wait(for: "1 disconnected received=\(offset) sent=0")
        }
    }

    @Test("An early answer is read although the body goes on")
    func early() throws {
        let refusal = HTTPResponse(status: 401, body: ByteArraySource(Array("no".utf8)))
        try SecureEngine.with(.at(.head, .respond(refusal))) { secure in
            let client = try secure.client()
            try client.ask("/up", method: "PUT", fields: ["Content-Length: 4000000"])
            try? client.send([UInt8](repeating: 7, count: 4_000_000))
            #expect(try client.readAnswer().head.status == 401)
        }
    }

    @Test("A client that only finished sending gets its answer", arguments: [true, false])
    func halfClosed(saysEnd: Bool) throws {
        try SecureEngine.with { secure in
            let client = try secure.client()
            try client.ask("/")
            if saysEnd { client.sayEnd() }
            client.wire.finish()
            let (head, body) = try client.readAnswer()
            #expect(head.status == 200 && body == Array("hello".utf8))
            #expect(client.readToEnd().ending == .closed)
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test(
        "A client that leaves in the middle of its body is seen to leave", arguments: [true, false])
    func leaving(byReset: Bool) throws {
        try SecureEngine.with { secure in
            let client = try secure.client()
            try client.ask("/up", method: "PUT", fields: ["Content-Length: 1000"])
            // A reset before the head was read takes the head with it, as without TLS.
            try secure.run.wait(for: "1 head")
            try client.send([1, 2, 3])
            if byReset { client.wire.reset() } else { client.wire.close() }
            try secure.run.wait(for: "1 left")
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test(
        "A client that leaves while its exchange waits is seen to leave", arguments: [true, false])
    func leavingInAWait(byReset: Bool) throws {
        try SecureEngine.with(.at(.requestEnd, .wait)) { secure in
            let client = try secure.client()
            try client.ask("/")
            try secure.run.wait(for: "1 request-end")
            if byReset {
                client.wire.reset()
            } else {
                client.sayEnd()
                client.wire.close()
            }
            try secure.run.wait(for: "1 left")
        }
    }

    @Test("Bytes that are no record end the connection")
    func garbageAfterwards() throws {
        try SecureEngine.with { secure in
            let client = try secure.client()
            try client.wire.send([23, 3, 3, 0, 20] + [UInt8](repeating: 9, count: 20))
            guard case .broken = client.readToEnd().ending else {
                Issue.record("no alert")
                return
            }
            try secure.run.wait(for: "closed 1")
        }
    }
}
