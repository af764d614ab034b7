import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Heads that are unusual", .serialized)
struct OddHeadTests {
    private static let target = WireProbe.object("a") + "?alt=media"
    private let body = sample(10)

    private func serve(
        _ phase: FaultPhase, ordinal: OrdinalPattern = .exactly(1), operation: String = "download",
        _ actions: FaultAction..., then check: (ServerRun, WireProbe) throws -> Void
    ) throws {
        var rule = try fault(operation, ordinal, at: phase, .silence)
        rule.actions = actions
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            try check(run, try run.probe())
        }
    }

    private static let phases: [FaultPhase] = [
        .requestHead, .beforeCommit, .afterCommit, .responseHead,
    ]

    @Test("Interim answers come before the answer, which stays as it is", arguments: phases)
    func interim(phase: FaultPhase) throws {
        let answers = [
            InterimResponse(status: 100), InterimResponse(status: 103, headers: ["Link": "</a>"]),
            InterimResponse(status: 199),
        ]
        try serve(phase, ordinal: .all, .interim(answers)) { (run, probe) throws in
            for ordinal in 1...3 {
                try probe.ask(Self.target)
                for expected in answers {
                    let head = try probe.readHead()
                    #expect(head.status == expected.status && head.version == "HTTP/1.1")
                    #expect(head.fields.count == expected.headers.fields.count)
                    #expect(head["Link"] == expected.headers["Link"])
                }
                let answer = try probe.readAnswer()
                #expect(answer.status == 200 && answer.body == body)
                #expect(try run.ended(ordinal).isReused == (ordinal > 1))
            }
        }
    }

    @Test("An interim answer is sent at once: what follows it may take its time")
    func interimAndDelay() throws {
        try serve(.beforeCommit, .interim([InterimResponse(status: 102)]), .stall(nil)) {
            (run, probe) throws in
            try probe.ask(Self.target)
            #expect(try probe.readHead().status == 102)
            #expect(probe.isSilent(for: .milliseconds(30)))
        }
    }

    @Test("An interim answer while a body is received does not disturb the upload")
    func interimInBody() throws {
        let interim = FaultAction.interim([InterimResponse(status: 102)])
        try serve(.requestBody(.bytes(500)), operation: "upload.media", interim) {
            (run, probe) throws in
            try probe.begin("POST", WireProbe.objects + "?name=b", length: 1000)
            try probe.send(sample(500))
            #expect(try probe.readHead().status == 102)
            try probe.send(Array(sample(1000)[500...]))
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.stored("b") == sample(1000))
        }
    }

    @Test(
        "HTTP/1.0 is said, nothing is chunked, and the connection ends by itself",
        arguments: [FaultPhase.requestHead, .beforeCommit, .afterCommit, .responseHead])
    func http10(phase: FaultPhase) throws {
        var forced = ForcedResponse(status: 503)
        forced.isHTTP10 = true
        try serve(phase, .respond(forced), .length(.none)) { (run, probe) throws in
            try probe.ask(Self.target)
            let head = try probe.readHead()
            #expect(head.version == "HTTP/1.0" && head.status == 503)
            #expect(head["Connection"] == nil && head["Content-Length"] == nil)
            #expect(head["Transfer-Encoding"] == nil)
            let seen = probe.readToEnd()
            #expect(seen.ending == .closed && seen.bytes.first == UInt8(ascii: "{"))
            #expect(try run.ended(1).status == 503)
        }
    }

    @Test("HTTP/1.0 with `Connection: keep-alive` keeps the connection")
    func http10Kept() throws {
        var forced = ForcedResponse(status: 503)
        forced.isHTTP10 = true
        forced.headers = [HeaderValue("Connection", .text("keep-alive"))]
        try serve(.beforeCommit, .respond(forced)) { (run, probe) throws in
            try probe.ask(Self.target)
            #expect(try probe.readAnswer().head.version == "HTTP/1.0")
            #expect(try probe.get("a").head.version == "HTTP/1.1")
        }
    }

    @Test("An own reason phrase leaves the connection as it is")
    func reason() throws {
        var forced = ForcedResponse(status: 429)
        forced.reason = "Slow Down"
        try serve(.beforeCommit, .respond(forced)) { (run, probe) throws in
            try probe.ask(Self.target)
            let answer = try probe.readAnswer()
            #expect(answer.head.reason == "Slow Down" && answer.head["Connection"] == nil)
            #expect(try probe.get("a").body == body)
            #expect(try run.ended(2).isReused)
        }
    }

    @Test("A head comes in pieces where the answer does", arguments: [1, 7, 50])
    func slowHead(size: Int64) throws {
        try serve(.responseHead, .slice(size: size, gap: .milliseconds(2))) { (run, probe) throws in
            try probe.ask(Self.target)
            let start = ContinuousClock.now
            let answer = try probe.readAnswer()
            #expect(answer.status == 200 && answer.body == body && answer.isWhole)
            let pieces = (answer.head.text.utf8.count + Int(size) - 1) / Int(size)
            #expect(ContinuousClock.now - start >= .milliseconds(2) * pieces)
            #expect(try probe.get("a").body == body)
        }
    }

    @Test("A head obeys the rate of its answer")
    func throttledHead() throws {
        try serve(.responseHead, .throttle(rate: 4000)) { (run, probe) throws in
            try probe.ask(Self.target)
            let start = ContinuousClock.now
            let answer = try probe.readAnswer()
            #expect(answer.body == body)
            let pieces = (answer.head.text.utf8.count + 199) / 200
            #expect(ContinuousClock.now - start >= .milliseconds(50) * pieces)
        }
    }

    @Test("A client that leaves while a head comes slowly is noticed")
    func leaving() throws {
        try serve(.responseHead, .slice(size: 1, gap: .milliseconds(20))) { (run, probe) throws in
            try probe.ask(Self.target)
            _ = try probe.read(exactly: 3)
            probe.reset()
            #expect(try run.ended(1).ending == .clientLeft)
        }
    }

    // MARK: Bytes instead of an answer

    private static let whole = "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok"

    /// Before the first byte, in the version, the status, the reason, a name, a value, between two lines,
    /// before the empty line, in the middle of it, behind the head, in the body.
    static let cuts = [0, 1, 4, 10, 14, 18, 22, 25, 40, 43, 44, 45, 46]

    @Test("An answer breaks anywhere inside its head, by FIN and by RST", arguments: cuts)
    func cut(length: Int) throws {
        let bytes = Array(Self.whole.utf8.prefix(length))
        for (manner, ending) in [
            (DisconnectManner.close, WireEnding.closed), (.half, .closed), (.reset, .reset),
        ] {
            for phase in Self.phases {
                try serve(phase, .raw(bytes), .disconnect(manner)) { (run, probe) throws in
                    try probe.ask(Self.target)
                    let seen = probe.readToEnd()
                    #expect(seen.bytes == bytes && seen.ending == ending)
                    let record = try run.ended(1)
                    #expect(record.status == nil && record.ending == .disconnected)
                }
            }
        }
    }

    @Test("An answer is empty, by FIN, by RST and by silence", arguments: phases)
    func empty(phase: FaultPhase) throws {
        for (action, ending) in [
            (FaultAction.disconnect(.close), WireEnding.closed), (.disconnect(.reset), .reset),
            (.silence, .silence),
        ] {
            try serve(phase, action) { (run, probe) throws in
                try probe.ask(Self.target)
                let seen = probe.readToEnd(silence: .milliseconds(40))
                #expect(seen.bytes.isEmpty && seen.ending == ending)
            }
        }
    }

    static let noAnswers = [
        "\u{0}\u{1}\u{2}", "SSH-2.0-OpenSSH\r\n", "HTTP/9.9 abc\r\n\r\n",
        "HTTP/1.1 200\r\n: no name\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\nX y: z\r\n folded\r\n\r\n", "HTTP/1.1 99999 Much\r\n\r\n",
    ]

    @Test(
        "Garbage comes as it is given, and what follows decides on the connection",
        arguments: noAnswers)
    func garbage(text: String) throws {
        try serve(.responseHead, .raw(Array(text.utf8)), .disconnect(.close)) {
            (run, probe) throws in
            try probe.ask(Self.target)
            let seen = probe.readToEnd()
            #expect(seen.bytes == Array(text.utf8) && seen.ending == .closed)
        }
        try serve(.responseHead, .raw(Array(text.utf8))) { (run, probe) throws in
            try probe.ask(Self.target)
            #expect(try probe.read(exactly: text.utf8.count) == Array(text.utf8))
            #expect(try probe.get("a").body == body)
            #expect(try run.ended(1).ending == .complete)
        }
    }

    @Test("Two answers to one request, and the connection serves the next", arguments: phases)
    func twoAnswers(phase: FaultPhase) throws {
        let bytes = Array(Self.whole.utf8)
        try serve(phase, .raw(bytes), .delay(.fixed(.milliseconds(5))), .raw(bytes)) {
            (run, probe) throws in
            try probe.ask(Self.target)
            for _ in 1...2 { #expect(try probe.readAnswer().text == "ok") }
            #expect(try probe.get("a").body == body)
            #expect(try run.ended(2).isReused)
        }
    }

    @Test("Bytes that stall for ever, and bytes in pieces")
    func slowBytes() throws {
        try serve(.responseHead, .raw(Array("HTTP/1.1 2".utf8)), .stall(nil)) {
            (run, probe) throws in
            try probe.ask(Self.target)
            let seen = probe.readToEnd(silence: .milliseconds(40))
            #expect(seen.bytes == Array("HTTP/1.1 2".utf8) && seen.ending == .silence)
        }
        try serve(
            .responseHead, .slice(size: 5, gap: .milliseconds(3)), .raw(Array(Self.whole.utf8))
        ) {
            (run, probe) throws in
            try probe.ask(Self.target)
            let start = ContinuousClock.now
            #expect(try probe.readAnswer().text == "ok")
            #expect(ContinuousClock.now - start >= .milliseconds(3 * 9))
        }
    }

    @Test("An early answer keeps the connection, unless something else is said")
    func early() throws {
        for (extra, isKept) in [(0, true), (1, false), (2, false)] {
            var forced = ForcedResponse(status: 403)
            if extra == 1 { forced.headers = [HeaderValue("Connection", .text("close"))] }
            var rule = try fault(
                "upload.media", .exactly(1), at: .requestBody(.bytes(10)), .respond(forced))
            if extra == 2 { rule.actions.append(.disconnect(.close)) }
            try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
                let probe = try run.probe()
                try probe.begin("POST", WireProbe.objects + "?name=b", length: 1000)
                try probe.send(sample(10))
                #expect(try probe.readAnswer().status == 403)
                try probe.send(Array(sample(1000)[10...]))
                if isKept {
                    #expect(try probe.get("a").body == body)
                } else {
                    #expect(probe.readToEnd().ending == .closed)
                }
                #expect(try run.stored("b") == nil)
            }
        }
    }
}
