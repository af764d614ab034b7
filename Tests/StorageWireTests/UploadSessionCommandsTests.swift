import Checksums
import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Commands of an upload session")
struct UploadSessionCommandsTests {
    enum State: CaseIterable {
        case active
        case finished
        case refused
        case cancelled
        case unknown
        case expired
    }

    /// A session of 100 bytes in the wanted state.
    private func session(_ state: State) -> (Wire, String) {
        let wire = Wire { if state == .refused { $0.access = .signedIn } }
        let url = wire.start(size: 100)
        switch state {
        case .active: break
        case .finished, .refused:
            _ = wire.command("upload, finalize", url, offset: 0, body: sample(100))
        case .cancelled: _ = wire.command("cancel", url)
        case .unknown:
            return (wire, "/v0/b/demo.appspot.com/o?name=a.bin&upload_id=nobody")
        case .expired: wire.clock.time += 7 * 86_400_000
        }
        return (wire, url)
    }

    @Test(
        "Answers each command in each state as the protocol's table says",
        arguments: [
            (.active, "upload, finalize", 200, "final"), (.active, "query", 200, "active"),
            (.active, "cancel", 200, "cancelled"), (.active, "finalize", 400, "active"),
            (.active, "upload", 400, "active"), (.finished, "upload", 400, "final"),
            (.finished, "upload, finalize", 200, "final"), (.finished, "finalize", 200, "final"),
            (.finished, "query", 200, "final"), (.finished, "cancel", 400, "final"),
            (.refused, "upload", 400, "final"), (.refused, "finalize", 401, "final"),
            (.refused, "upload, finalize", 401, "final"), (.refused, "query", 200, "final"),
            (.refused, "cancel", 400, "final"), (.cancelled, "upload", 400, "cancelled"),
            (.cancelled, "finalize", 400, "cancelled"),
            (.cancelled, "upload, finalize", 400, "cancelled"),
            (.cancelled, "query", 200, "cancelled"), (.cancelled, "cancel", 200, "cancelled"),
            (.unknown, "upload", 404, nil), (.unknown, "upload, finalize", 404, nil),
            (.unknown, "finalize", 404, nil), (.unknown, "query", 404, nil),
            (.unknown, "cancel", 404, nil), (.expired, "upload", 404, nil),
            (.expired, "upload, finalize", 404, nil), (.expired, "finalize", 404, nil),
            (.expired, "query", 404, nil), (.expired, "cancel", 404, nil),
        ] as [(State, String, Int, String?)])
    func answers(state: State, command: String, status: Int, uploadStatus: String?) {
        let (wire, url) = session(state)
        let carriesBytes = command.hasPrefix("upload")
        let answer = wire.command(
            command, url, offset: carriesBytes ? 0 : nil,
            body: carriesBytes ? sample(100) : [])
        #expect(answer.status == status)
        #expect(answer.uploadStatus == uploadStatus)
    }

    @Test("Gives the start request's answer the headers of production and no body")
    func startAnswer() throws {
        let wire = Wire()
        let answer = wire.send(
            "POST", "/v0/b/demo.appspot.com/o?name=a/b.bin",
            ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"],
            body: Array("{}".utf8))
        let url = try #require(answer.headers["X-Goog-Upload-URL"])
        let id = try #require(answer.headers["X-GUploader-UploadID"])
        #expect(answer.status == 200 && answer.bytes.isEmpty)
        #expect(answer.uploadStatus == "active")
        #expect(answer.headers["X-Goog-Upload-Chunk-Granularity"] == "262144")
        #expect(answer.headers["X-Goog-Upload-Control-URL"] == url)
        #expect(
            url == "http://127.0.0.1:4711/v0/b/demo.appspot.com/o?name=a/b.bin&upload_id=\(id)"
                + "&upload_protocol=resumable")
    }

    @Test("Puts an object together from chunks, whatever the verb and the pieces")
    func chunks() throws {
        let wire = Wire()
        let content = sample(2 * unit + 77)
        let url = wire.start(size: content.count)
        let first = wire.send(
            "PUT", url, Wire.headers("upload", offset: 0), body: Array(content[..<unit]),
            piece: 1000)
        #expect(first.status == 200 && first.uploadStatus == "active" && first.bytes.isEmpty)
        #expect(first.sizeReceived == String(unit))
        _ = wire.command(
            "upload", url, offset: unit, body: Array(content[unit..<2 * unit]))
        let last = wire.command(
            "upload, finalize", url, offset: 2 * unit, body: Array(content[(2 * unit)...]))
        #expect(last.uploadStatus == "final")
        #expect(last.field("size") == String(content.count))
        #expect(last.field("md5Hash") == Base64.encode(MD5.digest(of: content)))
        #expect(last.field("crc32c") == CRC32C.base64(of: CRC32C.value(of: content)))
        #expect(
            try difference(
                wire.store.object("a.bin", in: "demo.appspot.com").body?.allBytes, content) == nil)
        #expect(wire.complaints.isEmpty)
    }

    @Test("Makes an empty object of a session that got nothing")
    func emptyObject() {
        let wire = Wire()
        let answer = wire.command("finalize", wire.start(size: 0), offset: 0)
        #expect(answer.status == 200 && answer.field("size") == "0")
        #expect(answer.field("md5Hash") == "1B2M2Y8AsgTpgAmY7PhCfg==")
        #expect(answer.field("crc32c") == "AAAAAA==")
    }

    @Test("Says what it holds when asked, and the object once it is there")
    func query() {
        let wire = Wire()
        let url = wire.start()
        #expect(wire.command("query", url).sizeReceived == "0")
        _ = wire.command("upload", url, offset: 0, body: sample(unit))
        let active = wire.command("query", url)
        #expect(active.sizeReceived == String(unit) && active.bytes.isEmpty)
        #expect(active.headers["X-Goog-Upload-Chunk-Granularity"] == String(unit))
        _ = wire.command("finalize", url, offset: unit)
        let final = wire.command("query", url)
        #expect(final.sizeReceived == String(unit) && final.field("name") == "a.bin")
    }

    @Test("A cancelled session leaves no object and no memory")
    func cancelled() {
        let wire = Wire()
        let url = wire.start()
        _ = wire.command("upload", url, offset: 0, body: sample(unit))
        #expect(wire.store.memoryUsed >= Int64(unit))
        _ = wire.command("cancel", url)
        #expect(wire.store.memoryUsed == 0)
        #expect(wire.get("a.bin").status == 404)
    }

    @Test("Takes follow-up requests without credentials and without the protocol header")
    func followUpsWithoutCredentials() {
        let wire = Wire {
            $0.access = .signedIn
            $0.tokens = ["alice": .init()]
        }
        let url = wire.start(["Authorization": "Firebase alice"])
        let answer = wire.command("upload, finalize", url, offset: 0, body: sample(10))
        #expect(answer.status == 200 && answer.uploadStatus == "final")
    }

    @Test("A start request without credentials is taken, its finishing request is refused")
    func refusedAtTheEnd() {
        let wire = Wire { $0.access = .signedIn }
        let url = wire.start()
        #expect(!url.isEmpty)
        let answer = wire.command("upload, finalize", url, offset: 0, body: sample(10))
        #expect(answer.status == 401 && answer.uploadStatus == "final")
        #expect(wire.store.versions(of: "a.bin", in: "demo.appspot.com").isEmpty)
    }

    @Test(
        "Stops at the length announced at the start",
        arguments: [
            "X-Goog-Upload-Content-Length", "X-Goog-Upload-Header-Content-Length",
        ])
    func announcedTotal(header: String) {
        let wire = Wire()
        let url = wire.start(HTTPHeaders([.init(name: header, value: "100")]))
        let short = wire.command("upload, finalize", url, offset: 0, body: sample(99))
        #expect(short.status == 400 && short.uploadStatus == "active")
        #expect(wire.complaints == ["total-mismatch"])
        let long = wire.command("upload, finalize", url, offset: 0, body: sample(101))
        #expect(long.status == 400)
        #expect(wire.complaints == ["beyond-announced-size"])
        #expect(wire.command("query", url).sizeReceived == "0")
        #expect(wire.command("upload, finalize", url, offset: 0, body: sample(100)).status == 200)
        #expect(wire.complaints.isEmpty)
    }

    @Test("An announced total of 0 wants a finishing request without a body")
    func announcedZero() {
        let wire = Wire()
        let url = wire.start(size: 0)
        #expect(wire.command("upload, finalize", url, offset: 0, body: [1]).status == 400)
        #expect(wire.complaints == ["beyond-announced-size"])
        #expect(wire.command("finalize", url, offset: 0).status == 200)
    }

    @Test("Any total is taken where none was announced")
    func unannouncedTotal() {
        let wire = Wire()
        let answer = wire.command("upload, finalize", wire.start(), offset: 0, body: sample(12_345))
        #expect(answer.status == 200 && wire.complaints.isEmpty)
    }

    @Test("Refuses a start request that announces no number")
    func malformedTotal() {
        let wire = Wire()
        #expect(wire.start(["X-Goog-Upload-Content-Length": "many"]).isEmpty)
        #expect(wire.complaints == ["malformed-total"])
    }

    @Test("Refuses a chunk that is no whole number of units, keeps nothing and complains")
    func oddGranularity() {
        let wire = Wire()
        let url = wire.start(size: 3 * unit)
        let answer = wire.command("upload", url, offset: 0, body: sample(unit + 1))
        #expect(answer.status == 400 && answer.uploadStatus == "active")
        #expect(wire.complaints == ["odd-granularity"])
        #expect(wire.command("query", url).sizeReceived == "0")
    }

    @Test("A command is needed, and one that exists")
    func commands() {
        let wire = Wire()
        let url = wire.start()
        #expect(wire.send("POST", url, body: [1]).status == 400)
        #expect(wire.complaints == ["missing-command"])
        #expect(wire.command("upolad", url, offset: 0, body: [1]).status == 400)
        #expect(wire.complaints == ["unknown-command"])
        #expect(wire.command("upload", url, body: sample(unit)).status == 400)
        #expect(wire.complaints == ["missing-offset"])
        #expect(wire.command("finalize", url, offset: 0, body: [1]).status == 400)
        #expect(wire.complaints == ["unexpected-body"])
        let target = "/v0/b/demo.appspot.com/o?name=a"
        #expect(wire.command("upload", target, offset: 0, body: [1]).status == 400)
        #expect(wire.complaints == ["missing-session"])
        #expect(
            wire.send("POST", target, ["X-Goog-Upload-Protocol": "resumable"]).status == 400)
        #expect(wire.complaints == ["missing-command"])
    }

    @Test("The preconditions of the start request hold at the end")
    func preconditions() {
        let wire = Wire()
        let answer = wire.send(
            "POST", "/v0/b/demo.appspot.com/o?name=a.bin&ifGenerationMatch=0",
            ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"])
        let url = String((answer.headers["X-Goog-Upload-URL"] ?? "").dropFirst(21))
        wire.upload("a.bin", [1, 2, 3])
        let last = wire.command("upload, finalize", url, offset: 0, body: sample(10))
        #expect(last.status == 412 && last.uploadStatus == "final")
        #expect(wire.store.versions(of: "a.bin", in: "demo.appspot.com").count == 1)
    }

    @Test("A wrong announced checksum is refused, a right one and an unwatched one are not")
    func checksums() {
        let right = "crc32c=\(CRC32C.base64(of: CRC32C.value(of: sample(10))))"
        let wrong = "crc32c=AAAAAA=="
        func finish(_ hash: String, _ status: Int?) -> HTTPResponse {
            let wire = Wire { $0.checksumMismatchStatus = status }
            var headers = Wire.headers("upload, finalize", offset: 0)
            headers.add("X-Goog-Hash", hash)
            return wire.send("POST", wire.start(), headers, body: sample(10))
        }
        #expect(finish(right, 400).status == 200)
        #expect(finish(wrong, 400).status == 400)
        #expect(finish(wrong, 400).uploadStatus == "final")
        #expect(finish(wrong, 412).status == 412)
        #expect(finish(wrong, nil).status == 200)
    }

    @Test("A locked session answers with the set status and its state, then goes on")
    func locked() throws {
        let wire = Wire { $0.sessionInUseStatus = 409 }
        let url = wire.start()
        try #require(wire.store.allSessions.first).lock(until: wire.clock.time + 3000)
        let answer = wire.command("query", url)
        #expect(answer.status == 409 && answer.uploadStatus == "active")
        wire.clock.time += 3000
        #expect(wire.command("query", url).status == 200)
    }
}
