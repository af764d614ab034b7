import FaultEngine
import Glibc
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Faults that answer", .serialized)
struct AnswerFaultTests {
    @Test("`respond` before the commit answers, and nothing is applied")
    func beforeCommit() throws {
        try withServer([try fault("upload.media", .exactly(1), at: .beforeCommit, .status(503))]) {
            run in
            let probe = try run.probe()
            let first = try probe.exchange("POST", WireProbe.objects + "?name=a", body: [1, 2, 3])
            #expect(first.status == 503)
            #expect(try run.stored("a") == nil)
            let second = try probe.exchange("POST", WireProbe.objects + "?name=a", body: [1, 2, 3])
            #expect(second.status == 200)
            #expect(try run.stored("a") == [1, 2, 3])
            #expect(try run.on { $0.records.map(\.faults.count) } == [1, 0])
            #expect(try run.on { $0.firedCounts } == [1])
        }
    }

    @Test("`respond` after the commit answers, and everything is applied")
    func afterCommit() throws {
        try withServer([try fault("upload.media", .exactly(1), at: .afterCommit, .status(503))]) {
            run in
            let answer = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: [1, 2, 3])
            #expect(answer.status == 503)
            #expect(try run.stored("a") == [1, 2, 3])
        }
    }

    @Test("`respond` at the head answers while the body still comes", arguments: [0, 1, 300_000])
    func atHead(sent: Int) throws {
        try withServer([
            try fault("upload.media", .exactly(1), at: .requestHead, .status(401))
        ]) { run in
            let probe = try run.probe()
            try probe.begin("POST", WireProbe.objects + "?name=a", length: 500_000)
            try probe.send(sample(sent))
            let answer = try probe.readAnswer()
            #expect(answer.status == 401)
            #expect(try run.stored("a") == nil)
        }
    }

    @Test(
        "Then `disconnect` ends the connection after the answer",
        arguments: [
            (DisconnectManner.close, WireEnding.closed), (.reset, .reset),
        ])
    func thenDisconnect(manner: DisconnectManner, ending: WireEnding) throws {
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .beforeCommit, .status(401), .disconnect(manner))
            ],
            settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 401)
            #expect(probe.readToEnd().ending == ending)
            #expect(try run.ended(1).ending == .disconnected)
        }
    }

    @Test("A preset has the provider's status and body", arguments: AnswerPreset.allCases)
    func presets(preset: AnswerPreset) throws {
        try withServer([
            try fault("download", at: .beforeCommit, .respond(ForcedResponse(preset: preset)))
        ]) { run in
            let answer = try run.probe().get("a")
            #expect(answer.status == preset.status)
            let type = preset == .gatewayPage ? "<html>" : "\"error\""
            #expect(answer.text.contains(type))
        }
    }

    @Test("Reason, fields, retry time, status field and body are sent as given")
    func details() throws {
        var forced = ForcedResponse(status: 429)
        forced.reason = "Slow Down"
        forced.headers = [
            HeaderValue("X-One", .text("1")), HeaderValue("X-Filler", .filler(1000)),
        ]
        forced.retryAfter = .seconds(.milliseconds(3100))
        forced.uploadStatus = .active
        forced.body = .json(.object([.init(name: "why", value: .string("so"))]))
        try withServer([try fault("download", at: .beforeCommit, .respond(forced))]) { run in
            let answer = try run.probe().get("a")
            #expect(answer.status == 429)
            #expect(answer.head.reason == "Slow Down")
            #expect(answer.head["X-One"] == "1")
            #expect(answer.head["X-Filler"]?.utf8.count == 1000)
            #expect(answer.head["Retry-After"] == "4")
            #expect(answer.uploadStatus == "active")
            #expect(answer.text == #"{"why":"so"}"#)
        }
    }

    @Test("A retry date is in the form of the wire")
    func retryDate() throws {
        var forced = ForcedResponse(status: 503)
        forced.retryAfter = .date(.seconds(3))
        var options = MockServer.Options()
        options.epoch = 1_000_000_000_000
        try withServer(
            [try fault("download", at: .beforeCommit, .respond(forced))], options: options
        ) { run in
            let text = try run.probe().get("a").head["Retry-After"]
            #expect(text?.hasPrefix("Sun, 09 Sep 2001 01:46:4") == true, "\(text ?? "")")
        }
    }

    /// `SQUALL_ROUNDS=1000 swift test --filter onceOf32` for the long form.
    private static let rounds = getenv("SQUALL_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 50

    @Test("32 requests at once: a fault that may fire once fires exactly once, round after round")
    func onceOf32() throws {
        var good = 0
        for _ in 1...Self.rounds {
            try withServer(
                [try fault("download", at: .beforeCommit, per: .run, times: 1, .status(503))],
                settings: .made { $0.give("a", 10) }
            ) { run in
                let probes = try (1...32).map { _ in try run.probe() }
                for probe in probes { try probe.ask(WireProbe.object("a") + "?alt=media") }
                let answers = try probes.map { try $0.readAnswer().status }
                let counts = [503, 200].map { status in answers.filter { $0 == status }.count }
                #expect(counts == [1, 31])
                #expect(try run.on { $0.firedCounts } == [1])
                if counts == [1, 31] { good += 1 }
            }
        }
        #expect(good == Self.rounds)
    }

    @Test("Faults of one phase are carried out in file order")
    func composition() throws {
        var first = HeaderEdit()
        first.set = [HeaderValue("X-Order", .text("first"))]
        var second = HeaderEdit()
        second.set = [HeaderValue("X-Order", .text("second"))]
        second.rename = [HeaderEdit.Renaming(from: "ETag", to: "X-Tag")]
        second.duplicate = ["X-Tag"]
        second.remove = ["X-Goog-Hash"]
        try withServer(
            [
                try fault("download", at: .responseHead, .headers(first)),
                try fault("download", at: .responseHead, position: 2, .headers(second)),
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let head = try run.probe().get("a").head
            #expect(head.values(of: "X-Order") == ["second"])
            #expect(head["ETag"] == nil)
            #expect(head.values(of: "X-Tag").count == 2)
            #expect(head["X-Goog-Hash"] == nil)
            #expect(try run.on { $0.records[0].faults.map(\.rule) } == [1, 2])
        }
    }

    @Test("`json` changes the answer's text and keeps its length right")
    func json() throws {
        var edit = JSONEdit()
        edit.set = [
            .init(path: "size", value: .number("12")),
            .init(path: "metadata.mood", value: .string("wild")),
        ]
        edit.remove = ["md5Hash"]
        try withServer(
            [try fault("metadata.get", at: .responseHead, .json(edit))],
            settings: .made { $0.give("a", 10) }
        ) { run in
            let answer = try run.probe().exchange("GET", WireProbe.object("a"))
            #expect(answer.isWhole)
            #expect(answer.text.contains(#""size":12"#))
            #expect(answer.text.contains(#""metadata":{"mood":"wild"}"#))
            #expect(!answer.text.contains("md5Hash"))
        }
    }

    @Test("`json` truncates to so many bytes")
    func truncated() throws {
        var edit = JSONEdit()
        edit.truncate = 20
        try withServer(
            [try fault("metadata.get", at: .responseHead, .json(edit))],
            settings: .made { $0.give("a", 10) }
        ) { run in
            let answer = try run.probe().exchange("GET", WireProbe.object("a"))
            #expect(answer.isWhole)
            #expect(answer.body.count == 20)
        }
    }

    @Test("`length: none` sends the same bytes without a length")
    func withoutLength() throws {
        try withServer(
            [try fault("download", at: .responseHead, .length(.none))],
            settings: .made { $0.give("a", 100_000) }
        ) { run in
            let answer = try run.probe().get("a")
            #expect(answer.head["Content-Length"] == nil)
            #expect(answer.head["Transfer-Encoding"] == "chunked")
            #expect(answer.body == sample(100_000))
        }
    }

    @Test(
        "`hash` falsifies or removes the sums of header and resource",
        arguments: [
            HashFault.wrong, .missing,
        ])
    func hash(kind: HashFault) throws {
        try withServer(
            [try fault("*", at: .responseHead, .hash(kind))], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            let honest = try run.on { $0.object("a")?.attributes.crc32c }
            #expect(honest != nil)
            let header = try probe.get("a").head["X-Goog-Hash"]
            let resource = try probe.exchange("GET", WireProbe.object("a")).text
            #expect(
                header == (kind == .missing ? nil : "crc32c=/////w==,md5=/////////////////////w=="))
            #expect(resource.contains("crc32c") == (kind == .wrong))
            #expect(resource.contains("/////w==") == (kind == .wrong))
        }
    }

    @Test(
        "`range` gives a ranged download something else",
        arguments: [
            (RangeFault.ignore, 200, 0..<1000), (.refuse, 416, 0..<0),
            (.shift(by: 100), 206, 200..<300), (.shift(by: -50), 206, 50..<150),
        ])
    func range(kind: RangeFault, status: Int, bytes: Range<Int>) throws {
        try withServer(
            [try fault("download", at: .beforeCommit, .range(kind))],
            settings: .made { $0.give("a", 1000) }
        ) { run in
            let probe = try run.probe()
            let answer = try probe.get("a", range: "bytes=100-199")
            #expect(answer.status == status)
            if !bytes.isEmpty { #expect(answer.body == Array(sample(1000)[bytes])) }
            #expect(try probe.get("a").status == 200)
            #expect(try run.on { $0.firedCounts } == [1])
        }
    }

    @Test("`range: longer` sends more bytes than were asked for")
    func longer() throws {
        try withServer(
            [try fault("download", at: .beforeCommit, .range(.longer(by: 1)))],
            settings: .made { $0.give("a", 1000) }
        ) { run in
            let answer = try run.probe().get("a", range: "bytes=900-")
            #expect(answer.status == 206)
            #expect(answer.isWhole)
            #expect(answer.body == Array(sample(1000)[900...]) + [0])
        }
    }

    @Test(
        "`raw` bytes stand alone on the wire",
        arguments: [
            (DisconnectManner.close, WireEnding.closed), (.reset, .reset),
        ])
    func raw(manner: DisconnectManner, ending: WireEnding) throws {
        let bytes = Array("this is no status line\r\n\r\n".utf8)
        try withServer(
            [try fault("download", at: .responseHead, .raw(bytes), .disconnect(manner))],
            settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            let (got, how) = probe.readToEnd()
            #expect(got == bytes)
            #expect(how == ending)
        }
    }

    @Test("Other bytes than the object's come whole, with a length that fits them")
    func otherBytes() throws {
        var forced = ForcedResponse(status: 200)
        forced.body = .content(Content(.synthetic(size: 777, seed: 9)))
        try withServer(
            [try fault("download", .exactly(1), at: .beforeCommit, .respond(forced))],
            settings: .made { $0.give("a", 1000) }
        ) { run in
            let probe = try run.probe()
            let answer = try probe.get("a")
            #expect(answer.isWhole)
            #expect(answer.body == sample(777, seed: 9))
            #expect(try probe.get("a").body == sample(1000))
        }
    }
}
