import Checksums
import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Downloads")
struct DownloadTests {
    private let content = sample(1000)

    private func wire() -> Wire {
        let wire = Wire()
        wire.upload("a.png", content, ["Content-Type": "image/png"])
        return wire
    }

    @Test("Sends the bytes with the headers of production")
    func headers() throws {
        let wire = wire()
        let object = try wire.store.object("a.png", in: "demo.appspot.com").attributes
        let answer = wire.get("a.png")
        #expect(answer.status == 200 && !answer.isChunked)
        #expect(difference(answer.bytes, content) == nil)
        let md5 = MD5.digest(of: content)
        let wanted: [(String, String)] = [
            ("Content-Type", "image/png"), ("Accept-Ranges", "bytes"),
            ("ETag", "\"\(Hexadecimal.encode(md5))\""),
            ("Last-Modified", "Wed, 01 May 2024 12:00:00 GMT"),
            ("Cache-Control", "private, max-age=0"),
            ("Content-Disposition", "inline; filename*=utf-8''a.png"),
            ("x-goog-generation", String(object.generation)), ("x-goog-metageneration", "1"),
            ("x-goog-storage-class", "STANDARD"), ("x-goog-stored-content-encoding", "identity"),
            ("x-goog-stored-content-length", "1000"),
            ("x-goog-meta-firebaseStorageDownloadTokens", object.downloadTokens[0]),
        ]
        for (name, value) in wanted { #expect(answer.headers[name] == value) }
        #expect(
            answer.headers.values(of: "x-goog-hash") == [
                "crc32c=\(CRC32C.base64(of: CRC32C.value(of: content)))",
                "md5=\(Base64.encode(md5))",
            ])
    }

    @Test(
        "Answers ranges as RFC 9110 says",
        arguments: [
            ("bytes=0-9", 206, 0..<10, "bytes 0-9/1000"),
            ("bytes=990-", 206, 990..<1000, "bytes 990-999/1000"),
            ("bytes=-10", 206, 990..<1000, "bytes 990-999/1000"),
            ("bytes=0-1000", 206, 0..<1000, "bytes 0-999/1000"),
            ("bytes=5-1,", 200, 0..<1000, nil), ("bytes=1-2,4-5", 200, 0..<1000, nil),
            ("chunks=1-2", 200, 0..<1000, nil),
        ] as [(String, Int, Range<Int>, String?)])
    func ranges(header: String, status: Int, bytes: Range<Int>, contentRange: String?) {
        let answer = wire().get("a.png", ["Range": header])
        #expect(answer.status == status)
        #expect(difference(answer.bytes, Array(content[bytes])) == nil)
        #expect(answer.headers["Content-Range"] == contentRange)
    }

    @Test("Refuses a range behind the end, also of an empty object")
    func unsatisfiable() {
        let wire = wire()
        wire.upload("empty", [])
        for (name, range, size) in [
            ("a.png", "bytes=1000-", 1000), ("a.png", "bytes=-0", 1000), ("empty", "bytes=0-", 0),
        ] {
            let answer = wire.get(name, ["Range": range])
            #expect(answer.status == 416)
            #expect(answer.headers["Content-Range"] == "bytes */\(size)")
        }
    }

    @Test("A range tied to other content gets the whole content")
    func ifRange() throws {
        let wire = wire()
        let answer = wire.get("a.png")
        let etag = try #require(answer.headers["ETag"])
        let date = try #require(answer.headers["Last-Modified"])
        for (condition, status) in [(etag, 206), (date, 206), ("\"other\"", 200), ("x", 200)] {
            let answer = wire.get("a.png", ["Range": "bytes=1-2", "If-Range": condition])
            #expect(answer.status == status)
        }
    }

    @Test("Conditions on the ETag decide between 200, 304 and 412")
    func conditions() throws {
        let wire = wire()
        let etag = try #require(wire.get("a.png").headers["ETag"])
        #expect(wire.get("a.png", ["If-None-Match": etag]).status == 304)
        #expect(wire.get("a.png", ["If-None-Match": "\"x\", W/\(etag)"]).status == 304)
        #expect(wire.get("a.png", ["If-None-Match": "\"x\""]).status == 200)
        #expect(wire.get("a.png", ["If-Match": "\"x\""]).status == 412)
        #expect(wire.get("a.png", ["If-Match": "*"]).status == 200)
        #expect(wire.get("a.png", ["If-None-Match": etag]).bytes.isEmpty)
    }

    @Test("Preconditions on generations decide between 200, 304 and 412")
    func generations() throws {
        let wire = wire()
        let generation = try wire.store.object("a.png", in: "demo.appspot.com")
            .attributes.generation
        func status(_ condition: String) -> Int {
            wire.get("a.png", query: "?alt=media&\(condition)").status
        }
        #expect(status("ifGenerationMatch=\(generation)") == 200)
        #expect(status("ifGenerationMatch=1") == 412)
        #expect(status("ifGenerationNotMatch=\(generation)") == 304)
        #expect(status("ifMetagenerationMatch=1") == 200)
        #expect(status("ifMetagenerationMatch=2") == 412)
        #expect(status("ifMetagenerationNotMatch=1") == 304)
        #expect(status("ifGenerationMatch=x") == 400)
    }

    @Test("Compressed objects go out decompressed, without range and length, unless gzip is taken")
    func gzip() throws {
        let wire = Wire()
        let plain = Array(repeating: Array("squall ".utf8), count: 500).flatMap { $0 }
        let packed = try #require(Gzip.compress(plain))
        var fields = ObjectFields()
        fields.contentEncoding = "gzip"
        fields.contentType = "text/plain"
        try wire.store.put(
            ByteArraySource(packed), as: "t.txt", in: "demo.appspot.com", fields: fields)
        for headers: HTTPHeaders in [
            [:], ["Range": "bytes=0-9"], ["Accept-Encoding": "identity"],
            ["Accept-Encoding": "gzip;q=0"],
        ] {
            let answer = wire.get("t.txt", headers)
            #expect(answer.status == 200 && answer.isChunked)
            #expect(difference(answer.bytes, plain) == nil)
            #expect(answer.headers["Content-Encoding"] == nil)
            #expect(answer.headers["x-goog-stored-content-encoding"] == "gzip")
            #expect(answer.headers["x-goog-stored-content-length"] == String(packed.count))
        }
        let stored = wire.get("t.txt", ["Accept-Encoding": "deflate, gzip"])
        #expect(stored.bytes == packed && stored.headers["Content-Encoding"] == "gzip")
        let range = wire.get("t.txt", ["Accept-Encoding": "gzip", "Range": "bytes=0-9"])
        #expect(range.status == 206 && range.bytes == Array(packed[..<10]))
    }

    @Test("What says that it is compressed and is not goes out as it is")
    func falseGzip() throws {
        let wire = Wire()
        var fields = ObjectFields()
        fields.contentEncoding = "gzip"
        try wire.store.put(
            ByteArraySource([1, 2, 3]), as: "t", in: "demo.appspot.com", fields: fields)
        let answer = wire.get("t")
        #expect(answer.bytes == [1, 2, 3] && answer.headers["Content-Encoding"] == "gzip")
    }

    @Test("Serves a range of an object of 5 TiB, which has an ETag and no checksums")
    func huge() throws {
        let wire = Wire()
        let source = SyntheticContent(size: 5 << 40, seed: 3)
        try wire.store.put(source, as: "huge", in: "demo.appspot.com")
        let start: Int64 = 4 << 40
        let answer = wire.get("huge", ["Range": "bytes=\(start)-\(start + 9)"])
        #expect(answer.status == 206)
        #expect(difference(answer.bytes, source.bytes(in: start..<start + 10)) == nil)
        #expect(answer.headers["ETag"] != nil && answer.headers["x-goog-hash"] == nil)
        #expect(wire.get("huge", query: "").field("md5Hash") == nil)
    }

    @Test("Custom metadata cannot break out of its header")
    func customHeaders() {
        let wire = wire()
        _ = wire.patch("a.png", #"{"metadata":{"mood":"calm\r\nX-Evil: 1","Süß x":"ü"}}"#)
        let answer = wire.get("a.png")
        #expect(answer.headers["x-goog-meta-mood"] == "calm%0D%0AX-Evil: 1")
        #expect(answer.headers["x-goog-meta-S%C3%BC%C3%9F%20x"] == "%C3%BC")
        #expect(answer.headers.fields.allSatisfy { !$0.value.contains("\n") })
    }

    @Test("Bytes that are being downloaded outlive their object")
    func outlives() throws {
        let wire = wire()
        let answer = wire.get("a.png")
        wire.upload("a.png", sample(10, seed: 9))
        #expect(wire.send("DELETE", "/v0/b/demo.appspot.com/o/a.png").status == 204)
        #expect(difference(answer.bytes, content) == nil)
        #expect(wire.get("a.png").status == 404)
    }
}
