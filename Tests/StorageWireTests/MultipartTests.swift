import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Multipart uploads")
struct MultipartTests {
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var type: String
        var before = ""
        var metadata: String
        var betweenHead: String
        var after: String
    }

    static let json = #"{"name":"m.bin","contentType":"image/png","metadata":{"k":"v"}}"#

    static let forms: [Form] = [
        Form(
            testDescription: "JavaScript SDK", type: "multipart/related; boundary=0123456789",
            metadata: "--0123456789\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
                + json + "\r\n",
            betweenHead: "--0123456789\r\nContent-Type: image/gif\r\n\r\n",
            after: "\r\n--0123456789--"),
        Form(
            testDescription: "LF line ends, quoted boundary",
            type: "multipart/related; boundary=\"==0==\"",
            metadata: "--==0==\nContent-Type: application/json\n\n" + json + "\n",
            betweenHead: "--==0==\nContent-Type: image/gif\n\n", after: "\n--==0==--\n"),
        Form(
            testDescription: "single quotes, MIME-Version",
            type: "multipart/related; boundary='===12=='",
            metadata: "--===12==\nContent-Type: application/json\nMIME-Version: 1.0\n\n" + json
                + "\n",
            betweenHead: "--===12==\nMIME-Version: 1.0\n\n", after: "\n--===12==--"),
        Form(
            testDescription: "parts without headers", type: "Multipart/Related;boundary=bb",
            metadata: "--bb\r\n\r\n" + json + "\r\n", betweenHead: "--bb\r\n\r\n",
            after: "\r\n--bb--\r\n"),
        Form(
            testDescription: "preamble, epilogue, spaces behind the boundary",
            type: "multipart/related; type=x; boundary=bb", before: "This is MIME.\r\n",
            metadata: "--bb  \r\nContent-Type: application/json\r\n\r\n" + json + "\r\n",
            betweenHead: "--bb\t\r\nContent-Type: image/gif\r\nX-Long: a\r\n  b\r\n\r\n",
            after: "\r\n--bb--\r\nbye\r\n--bb\r\n"),
    ]

    private static let target = "/v0/b/demo.appspot.com/o?name=m.bin"

    private func send(
        _ wire: Wire, _ type: String?, _ body: [UInt8], piece: Int = 65_536,
        target: String = Self.target
    ) -> HTTPResponse {
        var headers: HTTPHeaders = ["X-Goog-Upload-Protocol": "multipart"]
        headers["Content-Type"] = type
        return wire.send("POST", target, headers, body: body, piece: piece)
    }

    /// Contents that look like delimiters, or end in what could belong to one.
    static let contents: [[UInt8]] = [
        [], [0x0D], [0x0A], [0x0D, 0x0A], Array("--b".utf8), Array("\r\n--".utf8),
        Array("\r\n--bc\r\n--012345678\n--==0=".utf8), Array("a\r\n\r\n".utf8), sample(3000),
        Array("\n\n--0123456789x".utf8), Array("x\r".utf8),
    ]

    @Test("Takes every client's form apart, in pieces of every size", arguments: forms)
    func takesApart(form: Form) throws {
        for content in Self.contents {
            let body =
                Array((form.before + form.metadata + form.betweenHead).utf8) + content
                + Array(form.after.utf8)
            for piece in [1, 2, 3, 7, 64, 100_000] {
                let wire = Wire()
                let answer = send(wire, form.type, body, piece: piece)
                #expect(answer.status == 200)
                let bytes = try wire.store.object("m.bin", in: "demo.appspot.com").body?.allBytes
                #expect(difference(bytes, content) == nil)
                #expect(answer.field("contentType") == "image/png")
                #expect(answer.custom == ["k": "v"])
                #expect(wire.complaints.isEmpty)
            }
        }
    }

    @Test("The second part's type counts where the metadata has none")
    func typeOfThePart() {
        let body = "--b\r\n\r\n{}\r\n--b\r\nCONTENT-TYPE:  text/css\r\n\r\nx\r\n--b--"
        let answer = send(Wire(), "multipart/related; boundary=b", Array(body.utf8))
        #expect(answer.field("contentType") == "text/css")
    }

    @Test("The name may stand in the metadata alone")
    func nameInMetadata() {
        let body = "--b\r\n\r\n{\"name\":\"x/y\"}\r\n--b\r\n\r\nabc\r\n--b--"
        let wire = Wire()
        let answer = send(
            wire, "multipart/related; boundary=b", Array(body.utf8),
            target: "/v0/b/demo.appspot.com/o")
        #expect(answer.field("name") == "x/y")
        let nameless = send(
            wire, "multipart/related; boundary=b",
            Array(body.replacing("name", with: "mane").utf8), target: "/v0/b/demo.appspot.com/o")
        #expect(nameless.status == 400 && wire.complaints == ["missing-name"])
    }

    @Test(
        "Another content type is refused in plain text",
        arguments: [
            nil, "multipart/related", "text/plain", "multipart/related; boundary=",
            "multipart/form-data; boundary=b", "multipart/related; boundary=\"\"",
        ] as [String?])
    func badType(type: String?) {
        let answer = send(Wire(), type, Array("--b--".utf8))
        #expect(answer.status == 400 && answer.text.hasPrefix("Bad content type."))
    }

    @Test(
        "A body that is no two parts is refused",
        arguments: [
            ("", "Failed to parse"), ("--b--", "Unexpected number of parts"),
            ("--b\r\n\r\n{}\r\n--b--", "Unexpected number of parts"),
            ("--b\r\n\r\n{}\r\n--b\r\n\r\nx", "Failed to parse"),
            ("--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b-", "Failed to parse"),
            ("--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--", "Unexpected number"),
            ("--b\r\nno header\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--", "Failed to parse"),
            ("nothing at all", "Failed to parse"),
        ])
    func badBody(body: String, message: String) {
        let wire = Wire()
        let answer = send(wire, "multipart/related; boundary=b", Array(body.utf8))
        #expect(answer.status == 400 && answer.text.hasPrefix(message))
        #expect(wire.complaints == ["malformed-body"])
        #expect(wire.store.liveNames(in: "demo.appspot.com").isEmpty)
    }

    @Test("Metadata that is no JSON, or a wrong checksum in it, is refused")
    func badMetadata() {
        for json in [
            "{", "[1]", #"{"md5Hash":"AAAA"}"#, #"{"md5Hash":"AAAAAAAAAAAAAAAAAAAAAA=="}"#,
        ] {
            let body = "--b\r\n\r\n\(json)\r\n--b\r\n\r\nx\r\n--b--"
            let wire = Wire()
            #expect(send(wire, "multipart/related; boundary=b", Array(body.utf8)).status == 400)
            #expect(wire.store.liveNames(in: "demo.appspot.com").isEmpty)
        }
    }

    @Test("No input makes the parser crash or loop: 3,000 seeded mutations")
    func mutations() throws {
        var random = SplitMix64(seed: 99)
        let form = Self.forms[0]
        let whole = Array((form.metadata + form.betweenHead + "content" + form.after).utf8)
        for _ in 0..<3000 {
            var body = whole
            for _ in 0..<(1 + random.next() % 4) {
                let place = Int(random.next() % UInt64(max(1, body.count)))
                switch random.next() % 4 {
                case 0 where !body.isEmpty: body.remove(at: place)
                case 1: body.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                case 2 where !body.isEmpty: body[place] = UInt8(truncatingIfNeeded: random.next())
                default: body.removeLast(Int(random.next() % UInt64(body.count + 1)))
                }
            }
            let answer = send(Wire(), form.type, body, piece: 1 + Int(random.next() % 40))
            #expect([200, 400].contains(answer.status))
        }
    }
}

@Suite("Uploads in one request, and strange input")
struct MediaUploadTests {
    @Test(
        "Keeps the body under the name, with the header's type",
        arguments: [
            ("a/b.txt", "a/b.txt"), ("a%20b%2Bc.txt", "a b+c.txt"), ("%C3%BC.txt", "ü.txt"),
        ])
    func keeps(query: String, name: String) throws {
        let wire = Wire()
        let answer = wire.upload(query, sample(5 * 1024), ["Content-Type": "text/plain"])
        #expect(answer.status == 200 && answer.field("name") == name)
        #expect(answer.field("contentType") == "text/plain")
        let object = try wire.store.object(name, in: "demo.appspot.com")
        #expect(difference(object.body?.allBytes, sample(5 * 1024)) == nil)
    }

    @Test(
        "Takes the sizes around a granularity unit",
        arguments: [
            0, 1, unit - 1, unit, unit + 1, 2 * unit, 3 * unit,
        ])
    func sizes(count: Int) {
        let wire = Wire()
        #expect(wire.upload("s", sample(count)).field("size") == String(count))
        #expect(difference(wire.get("s").bytes, sample(count)) == nil)
    }

    @Test(
        "Refuses names that no object may have",
        arguments: [
            "", "%0A", "%0D", ".", "..", "%00", String(repeating: "x", count: 1025),
        ])
    func badNames(name: String) {
        #expect(Wire().upload(name, [1]).status == 400)
        #expect(Wire().start(name: name).isEmpty)
    }

    @Test("Announced checksums are compared")
    func checksums() {
        #expect(Wire().upload("a", [1], ["Content-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="]).status == 400)
        #expect(Wire().upload("a", [1], ["X-Goog-Hash": "crc32c=AAAAAA=="]).status == 400)
        #expect(
            Wire().upload("a", [1], ["X-Goog-Hash": "md5=VaVACK0bpYmqIQ0mKcHfQQ=="]).status == 200)
        #expect(Wire().upload("a", [1], ["X-Goog-Hash": "nonsense"]).status == 200)
    }

    @Test("Preconditions decide whether an object is made")
    func preconditions() {
        let wire = Wire()
        #expect(wire.upload("a&ifGenerationMatch=0", [1]).status == 200)
        #expect(wire.upload("a&ifGenerationMatch=0", [2]).status == 412)
        #expect(wire.get("a").bytes == [1])
    }

    @Test("Says that memory or size is used up")
    func limits() {
        var limits = StoreLimits()
        limits.objectSize = 1000
        #expect(Wire(limits: limits).upload("a", sample(1001)).status == 413)
        limits = StoreLimits()
        limits.memory = 100_000
        let wire = Wire(limits: limits)
        #expect(wire.upload("a", sample(60_000)).status == 200)
        #expect(wire.upload("b", sample(60_000)).status == 507)
        #expect(wire.upload("a", sample(30_000)).status == 200)
        #expect(wire.upload("b", sample(60_000)).status == 200)
        wire.store.isFull = true
        #expect(wire.upload("c", [1]).status == 507)
    }

    @Test("Too much metadata is refused")
    func hugeMetadata() {
        let wire = Wire()
        wire.upload("a", [1])
        let json = "{\"contentType\":\"\(String(repeating: "x", count: 1 << 20))\"}"
        #expect(wire.patch("a", json).status == 413)
        #expect(wire.start(json: json).isEmpty)
    }

    @Test("No head makes the dialect crash: 5,000 seeded requests")
    func strangeHeads() {
        var random = SplitMix64(seed: 5)
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "", "é"]
        let parts = [
            "/v0/b/", "demo.appspot.com", "/o", "/", "a", "%2F", "%", "?", "&", "=", "name=a",
            "alt=media", "token=", "upload_id=", "x", "uploadType=resumable", "\u{0}", "ü", "#",
            "http://", "maxResults=2", "pageToken=AA", "delimiter=/", "prefix=a/", "create_token",
        ]
        let names = [
            "X-Goog-Upload-Command", "X-Goog-Upload-Protocol", "X-Goog-Upload-Offset", "Range",
            "Authorization", "Content-Type", "X-HTTP-Method-Override", "If-Range",
            "X-Goog-Upload-Content-Length", "X-Goog-Hash", "Accept-Encoding", "Content-Length",
        ]
        let values = [
            "start", "upload", "upload, finalize", "query", "resumable", "multipart", "-1",
            "99999999999999999999", "bytes=0-", "bytes=-5", "Firebase t",
            "multipart/related; "
                + "boundary=b", "PATCH", "gzip", "", "md5=,crc32c=", "9223372036854775807",
        ]
        let wire = Wire()
        wire.upload("a", [1, 2, 3])
        func pick(_ list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }
        for _ in 0..<5000 {
            let target = (0..<(random.next() % 9)).map { _ in pick(parts) }.joined()
            let rest = random.next() % 2 == 0 ? target : "/v0/b/demo.appspot.com/o/a?" + target
            let headers = (0..<(random.next() % 4)).map { _ in
                HTTPHeaders.Field(name: pick(names), value: pick(values))
            }
            let method = pick(methods)
            let answer = wire.send(
                method, rest, HTTPHeaders(headers), body: sample(Int(random.next() % 40)))
            #expect((200...599).contains(answer.status))
        }
    }
}
