import Glibc
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Connections that live on after our own answers")
struct KeptConnectionTests {
    /// Answers that only we can write.
    static let own: [@Sendable (inout Plan) -> Void] = [
        { $0.response.reason = "Quite Fine" },
        { $0.response.headers.add("X-Filler", String(repeating: "x", count: 40_000)) },
        { $0.form.headSlices = .init(size: 20, gap: .milliseconds(1)) },
        { $0.form.lengthFields = 2 },
        {
            $0.form.script = [
                .send(Array("HTTP/1.1 200 Yes\r\nContent-Length: 5\r\n\r\nhe".utf8)),
                .wait(.milliseconds(1)), .slices(Array("llo".utf8), size: 1, gap: .zero),
            ]
        },
    ]

    private func plan(_ change: (inout Plan) -> Void) -> Plan {
        var plan = Plan()
        change(&plan)
        return plan
    }

    @Test("The next request is answered on the same connection", arguments: own.indices)
    func next(index: Int) throws {
        try withEngine(plan(Self.own[index])) { run in
            let probe = try run.probe()
            for ordinal in 1...300 {
                try probe.ask("/\(ordinal)")
                let answer = try probe.readAnswer()
                #expect(answer.text == "hello" && answer.head["Connection"] == nil)
                #expect(try run.exchange(ordinal).isReused == (ordinal > 1))
            }
            #expect(
                run.log.values.filter { $0.hasPrefix("accepted") || $0.hasPrefix("closed") }
                    == ["accepted 1"])
            probe.close()
            try run.wait(for: "closed 1")
        }
    }

    @Test(
        "No byte of a request that came with its predecessor is lost, wherever the two are cut",
        arguments: own.indices)
    func pipelined(index: Int) throws {
        let one = Array("PUT /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".utf8)
        let two = Array("PUT /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz".utf8)
        try withEngine(plan(Self.own[index])) { run in
            var ordinal = 0
            for cut in [0, 1, one.count - 4, one.count, one.count + 1, one.count + 30] {
                let probe = try run.probe()
                let all = one + two + one
                try probe.send(Array(all[..<cut]))
                // Two turns of the loop: one may have begun before the bytes came.
                for _ in 1...2 { try run.onLoop { _ in } }
                try probe.send(Array(all[cut...]))
                for _ in 1...3 { #expect(try probe.readAnswer().text == "hello") }
                ordinal += 3
                try run.wait(for: "\(ordinal) complete received=3 sent=\(sent(index))")
                let targets = try (ordinal - 2...ordinal).map { try run.exchange($0).head.target }
                #expect(targets == ["/1", "/2", "/1"])
            }
        }
    }

    private func sent(_ index: Int) -> Int { index == 4 ? 0 : 5 }

    @Test(
        "After an early answer the rest of the body is thrown away, and the next request answered",
        arguments: [0, 1, 50_000, 99_999], [1, 3])
    func early(offset: Int64, requests: Int) throws {
        let early = Plan.at(
            offset == 0 ? .head : .requestBody(offset),
            .respond(HTTPResponse(status: 403, body: ByteArraySource([1, 2]))))
        try withEngine(early) { run in
            let probe = try run.probe()
            let body = SyntheticContent(size: 100_000, seed: 1).allBytes
            for ordinal in 1...requests {
                try probe.upload(100_000, sending: Array(body[..<Int(offset)]))
                let answer = try probe.readAnswer()
                #expect(answer.status == 403 && answer.body == [1, 2])
                #expect(answer.head["Connection"] == nil)
                // The exchange is over before its body is.
                try run.wait(for: "\(ordinal) complete received=\(offset) sent=2")
                try probe.send(Array(body[Int(offset)...]))
            }
            try probe.ask("/next", method: "PUT", fields: ["Content-Length: 0"])
            #expect(try probe.readAnswer().status == (offset == 0 ? 403 : 200))
            #expect(try run.exchange(requests + 1).isReused)
        }
    }

    @Test(
        "An early answer keeps the connection while it stands still itself, and so does its request"
    )
    func earlyAndHeld() throws {
        var plan = Plan.at(.head, .respond(HTTPResponse(status: 403)))
        plan.verdicts[.responseHead] = .wait
        try withEngine(plan) { run in
            let probe = try run.probe()
            // More than the kernel holds: sent whole only because somebody reads.
            try probe.upload(32 << 20)
            try probe.ask("/next", method: "PUT", fields: ["Content-Length: 0"])
            #expect(probe.isSilent(for: .milliseconds(30)))
            #expect(!run.log.values.contains("2 head"))
            try run.proceed(1)
            #expect(try probe.readAnswer().status == 403)
            try run.wait(for: "2 response-head")
            try run.proceed(2)
            #expect(try probe.readAnswer().status == 403)
        }
    }

    @Test("A connection of which the end of the request is not certain ends with its early answer")
    func unsure() throws {
        for fields in [
            ["Expect: 100-continue", "Content-Length: 9"], ["Transfer-Encoding: chunked"],
        ] {
            try withEngine(.at(.head, .respond(HTTPResponse(status: 403)))) { run in
                let probe = try run.probe()
                try probe.ask("/", method: "PUT", fields: fields)
                let answer = try probe.readAnswer()
                #expect(answer.status == 403 && answer.head["Connection"] == "close")
                #expect(probe.readToEnd().ending == .closed)
            }
        }
    }

    @Test(
        "A connection ends with an answer after which nobody expects another",
        arguments: [
            ("HTTP/1.0", "", 0), ("HTTP/1.1", "Connection: close\r\n", 0),
            ("HTTP/1.1", "Connection: TE, Close\r\n", 0), ("HTTP/1.1", "", 1), ("HTTP/1.1", "", 2),
            ("HTTP/1.1", "", 3), ("HTTP/1.1", "", 4),
        ])
    func notKept(version: String, field: String, kind: Int) throws {
        let closing = plan { plan in
            plan.response.reason = "Odd"
            switch kind {
            case 1: plan.response.headers["Connection"] = "close"
            case 2: plan.closesConnection = true
            case 3: plan.form.isHTTP10 = true
            case 4: plan.form.lengthFields = 0
            default: break
            }
        }
        try withEngine(closing) { run in
            let probe = try run.probe()
            try probe.send("GET / \(version)\r\nHost: h\r\n\(field)\r\n")
            let head = try probe.readHead()
            #expect(head.version == (kind == 3 ? "HTTP/1.0" : "HTTP/1.1"))
            #expect(head["Connection"] == (kind == 3 ? nil : "close"))
            #expect(head["Content-Length"] == (kind == 4 ? nil : "5"))
            let seen = probe.readToEnd()
            #expect(seen.bytes == Array("hello".utf8) && seen.ending == .closed)
        }
    }

    @Test("A client that leaves while its request or its answer goes on is told of once")
    func leaving() throws {
        for point in [ExchangePoint.responseHead, .responseBody(3), .responseEnd] {
            for isEarly in [false, true] {
                var plan = Plan.at(point, .wait)
                plan.response.reason = "Odd"
                if isEarly { plan.verdicts[.head] = .respond(plan.response) }
                try withEngine(plan) { run in
                    let probe = try run.probe()
                    try probe.upload(100, sending: [UInt8](repeating: 1, count: isEarly ? 7 : 100))
                    try run.log.wait(for: "\(point)") { $0.count >= (isEarly ? 3 : 4) }
                    _ = probe.read(upTo: point == .responseHead ? 0 : 20)
                    probe.reset()
                    try run.wait(for: "closed 1")
                    if point != .responseBody(3), !isEarly || point == .responseEnd {
                        try run.wait(for: "1 left")
                        try run.proceed(1)
                    }
                    try run.log.wait(for: "the end") {
                        $0.contains { $0.hasPrefix("1 client-left") || $0.hasPrefix("1 complete") }
                    }
                    #expect(run.log.values.filter { $0 == "1 left" }.count == 1)
                }
            }
        }
    }

    @Test("A client that finished sending gets our answer and then the end")
    func finished() throws {
        try withEngine(plan(Self.own[0])) { run in
            let probe = try run.probe()
            try probe.ask("/")
            probe.finish()
            #expect(try probe.readAnswer().text == "hello")
            #expect(probe.readToEnd().ending == .closed)
            try run.wait(for: "closed 1")
        }
    }

    @Test("An engine that stops ends connections in every state of our answers")
    func stopping() throws {
        var plan = plan(Self.own[1])
        plan.response.body = SyntheticContent(size: 50 << 20, seed: 1)
        let run = try EngineRun(plan)
        let probes = try (1...4).map { _ in try run.probe(receiveBuffer: 8192) }
        for probe in probes.dropLast() { try probe.ask("/") }
        try probes[3].upload(100, sending: [1])
        for probe in probes.dropLast() { _ = try probe.readHead() }
        run.stop()
        for probe in probes { #expect(probe.readToEnd().ending != .silence) }
        for ordinal in 1...4 { #expect(run.log.values.contains("closed \(ordinal)")) }
    }

    @Test("Descriptors are as many as before")
    func descriptors() throws {
        try withEngine(plan(Self.own[0])) { run in
            let probe = try run.probe()
            func answered() throws {
                try probe.ask("/")
                _ = try probe.readAnswer()
            }
            try answered()
            // Parallel tests open and close their own: the smallest of several counts is ours.
            let before = (1...20).map { _ in Self.open() }.min() ?? 0
            for _ in 1...2000 { try answered() }
            let after = (1...20).map { _ in Self.open() }.min() ?? 0
            #expect(after < before + 1000)
        }
    }

    private static func open() -> Int {
        (0..<4096).filter { fcntl(Int32($0), F_GETFD) >= 0 }.count
    }
}
