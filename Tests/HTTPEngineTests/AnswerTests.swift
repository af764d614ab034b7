import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Answers")
struct AnswerTests {
    @Test("A request without a body passes every point in order and gets its answer")
    func everyPoint() throws {
        try withEngine { run in
            let probe = try run.probe()
            try probe.ask("/a")
            let answer = try probe.readAnswer()
            #expect(answer.status == 200 && answer.text == "hello")
            try run.wait(for: "1 complete received=0 sent=5")
            #expect(
                run.log.values == [
                    "accepted 1", "1 head", "1 request-end", "1 response-head", "1 response-end",
                    "1 complete received=0 sent=5",
                ])
        }
    }

    @Test("The raw target and every header field arrive as they were sent, in order")
    func head() throws {
        try withEngine { run in
            let probe = try run.probe()
            let target = "/v0/b/x/o/a%2Fb%20c%00?alt=media&uploadType&name=x%2By+z&&k="
            try probe.ask(target, method: "FROB", fields: ["X-One: 1", "x-one: 2", "X-Empty:"])
            _ = try probe.readAnswer()
            let head = try run.exchange(1).head
            #expect(head.target == target)
            #expect(head.method == "FROB" && head.version == "HTTP/1.1")
            let fields = head.headers.fields.map { "\($0.name): \($0.value)" }
            #expect(fields == ["Host: localhost", "X-One: 1", "x-one: 2", "X-Empty: "])
        }
    }

    @Test(
        "A head of any size is sent whole, however little memory the parser has",
        arguments: [30_000, 40_000, 250_000, 300_000, 2_000_000])
    func largeHead(size: Int) throws {
        var plan = Plan()
        let filler = String(repeating: "x", count: size)
        plan.response.headers.add("X-Filler", filler)
        try withEngine(plan) { run in
            let probe = try run.probe()
            try probe.ask("/a")
            let answer = try probe.readAnswer()
            #expect(answer.head["X-Filler"] == filler)
            #expect(answer.text == "hello")
            try run.wait(for: "1 complete received=0 sent=5")
        }
    }

    @Test("Bytes of a target that are no UTF-8 are escaped")
    func brokenTarget() throws {
        try withEngine { run in
            let probe = try run.probe()
            try probe.send(Array("GET /a".utf8) + [0xFF, 0xC3] + Array("b HTTP/1.0\r\n\r\n".utf8))
            _ = try probe.readAnswer()
            #expect(try run.exchange(1).head.target == "/a%FF%C3b")
        }
    }

    @Test("Requests on one connection are answered in turn, also when they come at once")
    func pipelining() throws {
        try withEngine { run in
            let probe = try run.probe()
            let one = "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n"
            let two = "PUT /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
            try probe.send(one + two + one)
            for _ in 1...3 { #expect(try probe.readAnswer().text == "hello") }
            try run.wait(for: "2 complete received=3 sent=5")
            try run.wait(for: "3 complete received=0 sent=5")
            let reused = try [1, 2, 3].map { try run.exchange($0).isReused }
            #expect(reused == [false, true, true])
        }
    }

    @Test("A connection is closed after an answer that says so")
    func closing() throws {
        var plan = Plan()
        plan.closesConnection = true
        try withEngine(plan) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.readAnswer().head["Connection"] == "close")
            #expect(probe.readToEnd().ending == .closed)
            try run.wait(for: "closed 1")
        }
    }

    @Test("HEAD gets the length and no body")
    func headRequest() throws {
        try withEngine { run in
            let probe = try run.probe()
            try probe.ask("/", method: "HEAD")
            let answer = try probe.readAnswer(to: "HEAD")
            #expect(answer.head["Content-Length"] == "5")
            try probe.ask("/")
            #expect(try probe.readAnswer().text == "hello")
        }
    }

    @Test("A body comes whole, whatever its source", arguments: [0, 1, 4097, 131_073, 3_000_000])
    func bodies(size: Int64) throws {
        let content = SyntheticContent(size: size, seed: 3)
        for source in [ByteArraySource(content.allBytes), content] as [any ByteSource] {
            for isChunked in [false, true] {
                var plan = Plan()
                plan.response = HTTPResponse(status: 206, body: source, isChunked: isChunked)
                try withEngine(plan) { run in
                    let probe = try run.probe()
                    try probe.ask("/")
                    let answer = try probe.readAnswer()
                    #expect(answer.status == 206 && answer.isWhole)
                    #expect(answer.body == content.allBytes)
                    #expect((answer.head["Transfer-Encoding"] == "chunked") == isChunked)
                    try run.wait(for: "1 complete received=0 sent=\(size)")
                }
            }
        }
    }

    @Test("What libmicrohttpd cannot write is written all the same, and the connection lives on")
    func ownWriting() throws {
        let odd: [(HTTPResponse, String)] = [
            (HTTPResponse(status: 200, reason: "Quite Fine"), "HTTP/1.1 200 Quite Fine\r\n"),
            (HTTPResponse(status: 299, reason: "Odd"), "HTTP/1.1 299 Odd\r\n"),
            (HTTPResponse(status: 200, headers: ["X-Empty": ""]), "\r\nX-Empty: \r\n"),
        ]
        for (response, text) in odd {
            var plan = Plan()
            plan.response = response
            plan.response.body = SyntheticContent(size: 300_000, seed: 1)
            try withEngine(plan) { run in
                let probe = try run.probe()
                try probe.ask("/")
                let answer = try probe.readAnswer()
                #expect(answer.head.text.contains(text), "\(answer.head.text)")
                #expect(answer.head["Content-Length"] == "300000")
                #expect(answer.head["Connection"] == nil && answer.isWhole)
                let isExact = answer.body == plan.response.body.allBytes
                #expect(isExact)
                try run.wait(for: "1 complete received=0 sent=300000")
                try probe.ask("/")
                let isSame = try probe.readAnswer().body == answer.body
                #expect(isSame)
                #expect(try run.exchange(2).isReused)
                probe.close()
                try run.wait(for: "closed 1")
            }
        }
    }

    @Test("A Content-Length that lies goes out as it is")
    func lyingLength() throws {
        var plan = Plan()
        for (length, ending) in [("4", WireEnding.silence), ("6", .closed), ("x", .closed)] {
            plan.response.headers["Content-Length"] = length
            try withEngine(plan) { run in
                let probe = try run.probe()
                try probe.ask("/")
                #expect(try probe.readHead().values(of: "Content-Length") == [length])
                let seen = probe.readToEnd(silence: .milliseconds(50))
                #expect(seen.bytes == Array("hello".utf8) && seen.ending == ending)
            }
        }
    }

    @Test("A handler without an answer gives a 500")
    func noAnswer() throws {
        try withEngine(.at(.requestEnd, .proceed)) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.readAnswer().status == 500)
        }
    }

    @Test("The answer may be replaced at its head")
    func replaced() throws {
        try withEngine(.at(.responseHead, .respond(HTTPResponse(status: 503)))) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.readAnswer().status == 503)
        }
    }
}
