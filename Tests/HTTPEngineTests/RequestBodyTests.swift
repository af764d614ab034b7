import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Request bodies")
struct RequestBodyTests {
    static let length = 200_000
    static let offsets: [Int64] = [0, 1, 100_000, 199_999, 200_000]

    /// The lines about the exchange.
    private func lines(_ run: EngineRun) -> [String] {
        run.log.values.filter { $0.hasPrefix("1 ") }
    }

    @Test(
        "A stop is reached with exactly its bytes, and the rest comes after it", arguments: offsets)
    func stops(offset: Int64) throws {
        try withEngine(.at(.requestBody(offset), .wait)) { run in
            let probe = try run.probe()
            try probe.upload(Self.length)
            try run.wait(for: "1 request-body \(offset)")
            #expect(try run.exchange(1).received == offset)
            try run.proceed(1)
            #expect(try probe.readAnswer().text == "hello")
            try run.wait(for: "1 complete received=200000 sent=5")
            #expect(
                lines(run) == [
                    "1 head", "1 request-body \(offset)", "1 request-body \(offset)",
                    "1 request-end", "1 response-head", "1 response-end",
                    "1 complete received=200000 sent=5",
                ])
        }
    }

    @Test("Where bodies are read slowly, the kernel takes in little that was not read")
    func slowReading() throws {
        var limits = EngineLimits()
        limits.readsSlowly = true
        let body = [UInt8](repeating: 1, count: 16 << 20)
        try withEngine(.at(.requestBody(1000), .wait), limits: limits) { run in
            let probe = try run.probe(sendBuffer: 16 << 10)
            try probe.ask("/", method: "POST", fields: ["Content-Length: \(body.count)"])
            let sent = try probe.sendWhatFits(body)
            #expect(sent < 512 << 10)
            try run.proceed(1)
            try probe.send(Array(body[sent...]))
            #expect(try probe.readAnswer().text == "hello")
            try run.wait(for: "1 complete received=\(body.count) sent=5")
        }
    }

    @Test("Close inside a request body is a FIN after exactly its bytes", arguments: offsets)
    func close(offset: Int64) throws {
        try withEngine(.at(.requestBody(offset), .disconnect(.close))) { run in
            let probe = try run.probe()
            try probe.upload(Self.length)
            #expect(probe.readToEnd().ending == .closed)
            try run.wait(for: "1 disconnected received=\(offset) sent=0")
            probe.close()
            try run.wait(for: "closed 1")
        }
    }

    @Test("Reset inside a request body is an RST after exactly its bytes", arguments: offsets)
    func reset(offset: Int64) throws {
        try withEngine(.at(.requestBody(offset), .disconnect(.reset))) { run in
            let probe = try run.probe()
            do {
                try probe.upload(Self.length)
                let (bytes, ending) = probe.readToEnd()
                #expect(bytes == [] && ending == .reset)
            } catch WireError.ended(.reset, _) {
                // The kernel told it while the client was sending; it tells it once.
            }
            try run.wait(for: "1 disconnected received=\(offset) sent=0")
            try run.wait(for: "closed 1")
        }
    }

    @Test("Silence inside a request body tells the client nothing", arguments: offsets)
    func silence(offset: Int64) throws {
        try withEngine(.at(.requestBody(offset), .silence)) { run in
            let probe = try run.probe()
            try probe.upload(Self.length)
            try run.wait(for: "1 request-body \(offset)")
            #expect(probe.isSilent(for: .milliseconds(30)))
            probe.reset()
            try run.wait(for: "1 client-left received=\(offset) sent=0")
            try run.wait(for: "closed 1")
        }
    }

    @Test("A chunked body stops at the same bytes", arguments: offsets)
    func chunked(offset: Int64) throws {
        try withEngine(.at(.requestBody(offset), .wait)) { run in
            let probe = try run.probe()
            try probe.ask("/", method: "POST", fields: ["Transfer-Encoding: chunked"])
            for size in [70_000, 1, 29_999, 100_000] {
                try probe.send("\(String(size, radix: 16))\r\n")
                try probe.send([UInt8](repeating: 1, count: size) + Array("\r\n".utf8))
            }
            try probe.send("0\r\n\r\n")
            try run.wait(for: "1 request-body \(offset)")
            try run.proceed(1)
            #expect(try probe.readAnswer().text == "hello")
            try run.wait(for: "1 complete received=200000 sent=5")
        }
    }

    @Test("While an exchange waits, its client's sending comes to a halt")
    func backPressure() throws {
        try withEngine(.at(.requestBody(1), .wait)) { run in
            let probe = try run.probe()
            let size = 64 << 20
            try probe.ask("/", method: "PUT", fields: ["Content-Length: \(size)"])
            let body = [UInt8](repeating: 1, count: size)
            let count = try probe.sendWhatFits(body)
            #expect(count < size)
            try run.proceed(1)
            try probe.send(Array(body[count...]))
            #expect(try probe.readAnswer().status == 200)
            try run.wait(for: "1 complete received=\(size) sent=5")
        }
    }

    @Test("The wish for 100 Continue is granted once the head has passed")
    func expect() throws {
        try withEngine(.at(.head, .wait)) { run in
            let probe = try run.probe()
            try probe.upload(3, sending: [], fields: ["Expect: 100-continue"])
            try run.wait(for: "1 head")
            #expect(probe.isSilent(for: .milliseconds(30)))
            try run.proceed(1)
            #expect(try probe.readHead().status == 100)
            try probe.send("abc")
            #expect(try probe.readAnswer().status == 200)
        }
    }

    @Test("An early answer takes the place of 100 Continue")
    func earlyInsteadOfContinue() throws {
        try withEngine(.at(.head, .respond(HTTPResponse(status: 401)))) { run in
            let probe = try run.probe()
            try probe.upload(3, sending: [], fields: ["Expect: 100-continue"])
            let answer = try probe.readAnswer()
            #expect(answer.status == 401 && answer.head["Connection"] == "close")
        }
    }

    @Test("An early answer comes before the body, which is then read and thrown away")
    func early() throws {
        var plan = Plan.at(.requestBody(1000), .respond(HTTPResponse(status: 403)))
        plan.verdicts[.responseEnd] = .wait
        try withEngine(plan) { run in
            let probe = try run.probe()
            let size = 32 << 20
            let body = [UInt8](repeating: 9, count: size)
            try probe.upload(size, sending: Array(body[..<1000]))
            #expect(try probe.readAnswer().status == 403)
            try probe.send(Array(body[1000...]))
            try run.proceed(1)
            try run.wait(for: "1 complete received=1000 sent=0")
            probe.close()
            try run.wait(for: "closed 1")
            #expect(
                lines(run) == [
                    "1 head", "1 request-body 1000", "1 response-head", "1 response-end",
                    "1 response-end", "1 complete received=1000 sent=0",
                ])
        }
    }

    @Test("After an early answer the connection may be reset instead")
    func earlyAndReset() throws {
        var plan = Plan.at(.head, .respond(HTTPResponse(status: 403)))
        plan.verdicts[.responseEnd] = .disconnect(.reset)
        try withEngine(plan) { run in
            let probe = try run.probe()
            try probe.upload(1_000_000, sending: [])
            #expect(try probe.readAnswer().status == 403)
            #expect(probe.readToEnd().ending == .reset)
            try run.wait(for: "1 disconnected received=0 sent=0")
        }
    }
}
