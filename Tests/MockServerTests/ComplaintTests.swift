import FaultEngine
import Foundation
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

/// One way of breaking the protocol, by hand.
struct BrokenClient: Sendable, CustomTestStringConvertible {
    let kind: Complaint.Kind
    let title: String
    let status: Int
    /// Breaks it; the answer to the request that does.
    let act: @Sendable (ServerRun) throws -> WireAnswer

    init(
        _ kind: Complaint.Kind, _ title: String, _ status: Int = 400,
        _ act: @escaping @Sendable (ServerRun) throws -> WireAnswer
    ) {
        self.kind = kind
        self.title = title
        self.status = status
        self.act = act
    }

    var testDescription: String { "\(kind.rawValue): \(title)" }

    private static let unit = 262_144

    /// A request to a new session.
    private static func onSession(
        size: Int? = nil, header: String = "X-Goog-Upload-Header-Content-Length",
        _ body: @escaping @Sendable (WireProbe, String) throws -> WireAnswer
    ) -> @Sendable (ServerRun) throws -> WireAnswer {
        { run in
            let probe = try run.probe()
            let fields = size.map { ["\(header): \($0)"] } ?? []
            return try body(probe, try probe.startUpload("a", fields: fields))
        }
    }

    private static func raw(_ text: String) -> @Sendable (ServerRun) throws -> WireAnswer {
        { run in
            let probe = try run.probe()
            try probe.send(text)
            return try probe.readAnswer()
        }
    }

    private static let http: [BrokenClient] = [
        BrokenClient(
            .brokenHTTP, "two Content-Lengths",
            act: raw(
                "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 3\r\n\r\nabc")),
        BrokenClient(
            .brokenHTTP, "a length and chunks",
            act: raw(
                "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")),
        BrokenClient(.brokenHTTP, "no Host", act: raw("GET /v0/b/x/o HTTP/1.1\r\n\r\n")),
        BrokenClient(
            .brokenHTTP, "two Hosts", act: raw("GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")),
        BrokenClient(
            .brokenHTTP, "a length that is no number",
            act: raw("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n")),
        BrokenClient(
            .brokenHTTP, "a chunk without a size",
            act: raw(
                "POST \(WireProbe.objects)?name=a HTTP/1.1\r\nHost: a\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n")),
    ]

    private static let routes: [BrokenClient] = [
        BrokenClient(.unknownRoute, "no such path", 404) {
            try $0.probe().exchange("GET", "/nowhere")
        },
        BrokenClient(.unknownRoute, "no such method", 404) {
            try $0.probe().exchange("FROB", WireProbe.objects)
        },
        BrokenClient(.missingCommand, "a start without a command") {
            try $0.probe().exchange(
                "POST", WireProbe.objects + "?name=a",
                fields: ["X-Goog-Upload-Protocol: resumable"])
        },
        BrokenClient(
            .missingCommand, "a body without a command",
            act: onSession { try $0.exchange("POST", $1, body: [1]) }),
        BrokenClient(
            .unknownCommand, "a command that there is not",
            act: onSession { probe, target in
                try probe.exchange("POST", target, fields: WireProbe.command("begin"))
            }),
        BrokenClient(
            .unknownCommand, "start on the upload's URL",
            act: onSession { probe, target in
                try probe.exchange("POST", target, fields: WireProbe.command("start"))
            }),
        BrokenClient(.missingSession, "a query on the object's URL") {
            try $0.probe().query(WireProbe.objects + "?name=a")
        },
        BrokenClient(.missingName, "an upload without a name") {
            try $0.probe().exchange("POST", WireProbe.objects, body: [1])
        },
    ]

    private static let offsets: [BrokenClient] = [
        BrokenClient(
            .missingOffset, "no offset",
            act: onSession { probe, target in
                try probe.exchange(
                    "POST", target, fields: WireProbe.command("upload, finalize"), body: [1])
            }),
        BrokenClient(
            .missingOffset, "an offset that is no number",
            act: onSession { probe, target in
                try probe.exchange(
                    "POST", target,
                    fields: WireProbe.command("upload") + ["X-Goog-Upload-Offset: -1"],
                    body: sample(unit))
            }),
        BrokenClient(
            .offsetMismatch, "a hole",
            act: onSession { try $0.chunk($1, offset: unit, sample(unit)) }),
        BrokenClient(
            .offsetMismatch, "the same bytes again",
            act: onSession { probe, target in
                #expect(try probe.chunk(target, offset: 0, sample(unit)).status == 200)
                return try probe.chunk(target, offset: 0, sample(unit))
            }),
        BrokenClient(
            .oddGranularity, "a chunk that is not whole",
            act: onSession { try $0.chunk($1, offset: 0, sample(unit + 1)) }),
        BrokenClient(.overlappingRequests, "a second body meanwhile", 200) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: unit, sending: [1])
            try run.log.wait { $0.last?.record.operation == .uploadChunk }
            return try run.probe().chunk(target, offset: 0, sample(unit))
        },
    ]

    private static let ends: [BrokenClient] = [
        BrokenClient(
            .bytesAfterEnd, "bytes after a cancel",
            act: onSession { probe, target in
                #expect(try probe.cancel(target).status == 200)
                return try probe.chunk(target, offset: 0, sample(unit))
            }),
        BrokenClient(
            .bytesAfterEnd, "bytes after the end",
            act: onSession { probe, target in
                #expect(try probe.chunk(target, offset: 0, [1], last: true).status == 200)
                return try probe.chunk(target, offset: 1, [2], last: true)
            }),
        BrokenClient(
            .beyondAnnouncedSize, "more than was announced",
            act: onSession(size: 10) { try $0.chunk($1, offset: 0, sample(11), last: true) }),
        BrokenClient(
            .totalMismatch, "less than was announced",
            act: onSession(size: 10) { try $0.chunk($1, offset: 0, sample(9), last: true) }),
        BrokenClient(
            .totalMismatch, "less than was announced, in the other spelling",
            act: onSession(size: 10, header: "X-Goog-Upload-Content-Length") {
                try $0.chunk($1, offset: 0, sample(9), last: true)
            }),
        BrokenClient(.malformedTotal, "an announcement that is no number") {
            try $0.probe().exchange(
                "POST", WireProbe.objects + "?name=a",
                fields: WireProbe.command("start") + [
                    "X-Goog-Upload-Header-Content-Length: 1e3"
                ])
        },
        BrokenClient(
            .unexpectedBody, "finalize with bytes",
            act: onSession { probe, target in
                try probe.exchange(
                    "POST", target, fields: WireProbe.command("finalize", offset: 0), body: [1])
            }),
        BrokenClient(.malformedBody, "metadata that is no JSON") {
            try $0.probe().exchange(
                "POST", WireProbe.objects + "?name=a", fields: WireProbe.command("start"),
                body: Array(#"{"contentType":"#.utf8))
        },
        BrokenClient(.malformedBody, "metadata of the wrong kind") {
            try $0.probe().exchange(
                "PATCH", WireProbe.object("x"), body: Array(#"{"contentType":7}"#.utf8))
        },
        BrokenClient(.malformedBody, "a multipart body without an end") {
            try $0.probe().exchange(
                "POST", WireProbe.objects + "?name=a",
                fields: [
                    "X-Goog-Upload-Protocol: multipart",
                    "Content-Type: multipart/related; boundary=b",
                ], body: Array("--b\r\n\r\n{}\r\n--b\r\n\r\nabc".utf8))
        },
    ]

    static let all = http + routes + offsets + ends
}

extension BrokenClient {
    fileprivate init(
        _ kind: Complaint.Kind, _ title: String,
        act: @escaping @Sendable (ServerRun) throws -> WireAnswer
    ) {
        self.init(kind, title, 400, act)
    }
}

@Suite("Complaints", .serialized)
struct ComplaintTests {
    @Test(
        "What breaks the protocol is refused and told once, with its exchange",
        arguments: BrokenClient.all)
    func complaint(client: BrokenClient) throws {
        try withServer(settings: .made { $0.give("x", 1) }) { run in
            let answer = try client.act(run)
            #expect(answer.status == client.status)
            let events = try run.log.wait(for: "a complaint") { events in
                events.contains { $0.isEnd && !$0.record.complaints.isEmpty }
            }
            let record = try #require(
                events.last { $0.isEnd && !$0.record.complaints.isEmpty }?.record)
            #expect(record.complaints.map(\.kind) == [client.kind])
            #expect(record.status == client.status)
            #expect(try #require(record.complaints.first?.sentence).hasSuffix("."))
            #expect(try run.on { $0.complaints.map(\.kind) } == [client.kind])
            #expect(
                try run.on { $0.records.last { !$0.complaints.isEmpty }?.ordinal } == record.ordinal
            )
        }
    }

    @Test("Every complaint that there is has a client that provokes it")
    func isExhaustive() {
        #expect(Set(BrokenClient.all.map(\.kind)) == Set(Complaint.Kind.allCases))
    }

    @Test("The page lists every complaint with its rule")
    func page() throws {
        var root = URL(filePath: #filePath)
        for _ in 1...3 { root.deleteLastPathComponent() }
        let page = try String(
            contentsOf: root.appending(path: "Conformance/COMPLAINTS.md"), encoding: .utf8)
        #expect(page.contains("\n\n\(Complaint.Kind.table)\n\n"), "\(Complaint.Kind.table)")
    }

    @Test("A refused request leaves nothing behind, and its session goes on")
    func goesOn() throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a", size: 10)
            #expect(try probe.chunk(target, offset: 0, sample(11), last: true).status == 400)
            #expect(try probe.chunk(target, offset: 3, sample(7), last: true).status == 400)
            let query = try probe.query(target)
            #expect(query.uploadStatus == "active")
            #expect(query.head["X-Goog-Upload-Size-Received"] == "0")
            #expect(try probe.chunk(target, offset: 0, sample(10), last: true).status == 200)
            #expect(try run.stored("a") == sample(10))
        }
    }

    // MARK: What libmicrohttpd refuses by itself

    @Test(
        "What is no HTTP is told too, whoever refuses it",
        arguments: [
            "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET /a HTTP/9.9\r\nHost: a\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: a\r\nno colon here\r\n\r\n",
            "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\n",
            "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc",
            "GET /" + String(repeating: "a", count: 1 << 20) + " HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func parserRefusal(request: String) throws {
        try withServer { run in
            let probe = try run.probe()
            // It may be refused before it is whole.
            try? probe.send(request)
            let events = try run.log.wait(for: "a complaint about \(request.prefix(30))") {
                events in
                events.contains { $0.isEnd && !$0.record.complaints.isEmpty }
            }
            #expect(probe.readToEnd().ending != .silence)
            let records = events.filter(\.isEnd).map(\.record)
            #expect(records.map { $0.complaints.map(\.kind) } == [[.brokenHTTP]])
            #expect(records.map(\.connection) == [1])
            #expect(try run.on { $0.exchangeCount } == 1)
        }
    }

    @Test(
        "A client that leaves without a whole request is not blamed",
        arguments: [
            "", "GET", "GET /a HTTP/1.1\r\nHost: a\r\nX-",
        ])
    func leaving(request: String) throws {
        try withServer(settings: .made { $0.give("x", 1) }) { run in
            for way in 0...2 {
                let probe = try run.probe()
                try probe.send(request)
                switch way {
                case 0: probe.close()
                case 1: probe.reset()
                default: probe.finish()
                }
                _ = way == 2 ? probe.readToEnd().ending : nil
            }
            #expect(try run.probe().get("x").status == 200)
            try run.log.wait { $0.contains(where: \.isEnd) }
            #expect(try run.on { $0.complaints } == [])
            #expect(try run.on { $0.exchangeCount } == 1)
        }
    }

    @Test("Of a request whose line was whole the target is told, without what is secret in it")
    func target() throws {
        try withServer { run in
            let probe = try run.probe()
            try probe.send("PUT /a?token=b&c HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n")
            #expect(try probe.readAnswer().status == 400)
            try run.log.wait { $0.contains(where: \.isEnd) }
            #expect(try run.on { $0.records.map(\.target) } == ["/a?token=present&c"])
        }
    }

    @Test("A broken request beside good ones is blamed on its own connection")
    func amongOthers() throws {
        try withServer(settings: .made { $0.give("x", 1) }) { run in
            let good = try run.probe()
            let bad = try run.probe()
            #expect(try good.get("x").status == 200)
            try bad.send("GARBAGE\r\n\r\n")
            good.close()
            _ = bad.readToEnd()
            #expect(try run.probe().get("x").status == 200)
            let records = try run.on { $0.records.filter { !$0.complaints.isEmpty } }
            #expect(records.map(\.connection) == [2])
        }
    }
}

extension JournalEvent {
    var isEnd: Bool { if case .end = self { true } else { false } }
}
