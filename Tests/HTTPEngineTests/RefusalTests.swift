import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Refusals")
struct RefusalTests {
    private func answer(
        to request: String, limits: EngineLimits = .init(), _ log: [String]? = nil
    ) throws -> (answer: WireAnswer, lines: [String]) {
        let run = try EngineRun(limits: limits)
        defer { run.stop() }
        let probe = try run.probe()
        try probe.send(request)
        let answer = try probe.readAnswer()
        _ = try run.wait(prefix: "1 complete")
        return (answer, run.log.values)
    }

    static let broken: [(request: String, text: String)] = [
        ("GET / HTTP/1.1\r\n\r\n", "A request needs one Host field; this one has none.\n"),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "A request needs one Host field; this one has 2.\n"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 3\r\n\r\nabc",
            "The request has different Content-Length fields.\n"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\n\r\n",
            "The request has both Content-Length and Transfer-Encoding.\n"
        ),
    ]

    @Test("An unknown transfer coding gets a 501")
    func unknownCoding() throws {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
        for coding in ["rot13", "gzip, chunked", "chunked\r\nTransfer-Encoding: chunked"] {
            let (answer, _) = try answer(to: "\(head)\(coding)\r\n\r\n")
            #expect(answer.status == 501)
            #expect(answer.ending != .silence)
        }
        #expect(try answer(to: "\(head)Chunked\r\n\r\n0\r\n\r\n").answer.status == 200)
    }

    @Test("A broken head gets a 400 that says what is wrong, and is reported", arguments: broken)
    func brokenHead(request: String, text: String) throws {
        let (answer, lines) = try answer(to: request)
        #expect(answer.status == 400 && answer.text == text)
        #expect(answer.head["Content-Type"] == "text/plain; charset=utf-8")
        #expect(lines.contains("1 head") && !lines.contains("1 request-end"))
    }

    @Test(
        "What is fine is not refused",
        arguments: [
            "GET / HTTP/1.0\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "GET http://h/o/a HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func fine(request: String) throws {
        #expect(try answer(to: request).answer.status == 200)
    }

    @Test("A head beyond the limit gets a 431")
    func largeHead() throws {
        var limits = EngineLimits()
        limits.headSize = 1000
        for (size, status) in [(900, 200), (1100, 431), (20_000, 431)] {
            let filler = String(repeating: "x", count: size)
            let request = "GET / HTTP/1.1\r\nHost: a\r\nX: \(filler)\r\n\r\n"
            #expect(try answer(to: request, limits: limits).answer.status == status)
        }
    }

    @Test("A body beyond the limit gets a 413, declared or not")
    func largeBody() throws {
        var limits = EngineLimits()
        limits.bodySize = 10
        let head = "PUT / HTTP/1.1\r\nHost: a\r\n"
        let body = String(repeating: "x", count: 11)
        for (request, status) in [
            ("\(head)Content-Length: 11\r\n\r\n\(body)", 413),
            ("\(head)Content-Length: 10\r\n\r\n\(body.dropLast())", 200),
            ("\(head)Transfer-Encoding: chunked\r\n\r\nb\r\n\(body)\r\n0\r\n\r\n", 413),
            ("\(head)Transfer-Encoding: chunked\r\n\r\na\r\n\(body.dropLast())\r\n0\r\n\r\n", 200),
        ] {
            #expect(try answer(to: request, limits: limits).answer.status == status)
        }
    }
}
