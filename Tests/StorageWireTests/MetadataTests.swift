import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Metadata, delete and download tokens")
struct MetadataTests {
    private func wire() -> Wire {
        let wire = Wire()
        wire.upload("a.bin", [1, 2, 3])
        return wire
    }

    private let admin: HTTPHeaders = ["Authorization": "Bearer owner"]

    @Test("The resource has every field in its form")
    func resource() throws {
        let wire = Wire()
        let answer = wire.upload("dir/a%20b.txt", Array("hello".utf8), ["Content-Type": "text/x"])
        let object = try wire.store.object("dir/a b.txt", in: "demo.appspot.com").attributes
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json; charset=UTF-8")
        let wanted: [(String, String?)] = [
            ("name", "dir/a b.txt"), ("bucket", "demo.appspot.com"),
            ("generation", "1714564800000000"), ("metageneration", "1"), ("size", "5"),
            ("contentType", "text/x"), ("timeCreated", "2024-05-01T12:00:00.000Z"),
            ("updated", "2024-05-01T12:00:00.000Z"), ("storageClass", "STANDARD"),
            ("contentEncoding", "identity"), ("md5Hash", "XUFAKrxLKna5cZ2REBfFkg=="),
            ("crc32c", "mnG7TA=="), ("contentDisposition", "inline; filename*=utf-8''a%20b.txt"),
            ("etag", "CIDg5M6z7IUDEAE="), ("downloadTokens", object.downloadTokens.first),
            ("cacheControl", nil), ("contentLanguage", nil), ("metadata", nil),
        ]
        for (name, value) in wanted { #expect(answer.field(name) == value, "\(name)") }
        #expect(wire.get("dir%2Fa%20b.txt", query: "").bytes == answer.bytes)
    }

    @Test("Without a type an upload is application/octet-stream")
    func defaultType() {
        #expect(wire().get("a.bin", query: "").field("contentType") == "application/octet-stream")
    }

    @Test("Generations have 16 digits and rise, although the clock stands still")
    func generations() throws {
        let wire = Wire()
        let numbers = try (0..<5).map { _ in
            try #require(Int64(wire.upload("a.bin", [1]).field("generation") ?? ""))
        }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 5)
        #expect(numbers.allSatisfy { String($0).count == 16 })
    }

    @Test(
        "A change sets, clears, merges and ignores",
        arguments: [
            (#"{"contentType":"a/b"}"#, "contentType", "a/b"),
            (#"{"contentType":null}"#, "contentType", nil),
            (#"{"contentEncoding":null}"#, "contentEncoding", "identity"),
            (#"{"contentEncoding":"br"}"#, "contentEncoding", "br"),
            (#"{"cacheControl":"no-store"}"#, "cacheControl", "no-store"),
            (#"{"contentLanguage":"de"}"#, "contentLanguage", "de"),
            (#"{"contentDisposition":null}"#, "contentDisposition", nil),
            (#"{"size":"99","generation":null,"md5Hash":null,"bucket":""}"#, "size", "3"),
            (#"{"storageClass":null,"selfLink":null,"kind":7}"#, "storageClass", "STANDARD"),
            (#"{"name":"other"}"#, "name", "a.bin"), (#"{}"#, "metageneration", "2"),
        ] as [(String, String, String?)])
    func patches(json: String, field: String, wanted: String?) {
        let wire = wire()
        wire.clock.time += 1500
        let answer = wire.patch("a.bin", json)
        #expect(answer.status == 200)
        #expect(answer.field(field) == wanted)
        #expect(answer.field("metageneration") == "2")
        #expect(answer.field("updated") == "2024-05-01T12:00:01.500Z")
        #expect(answer.field("timeCreated") == "2024-05-01T12:00:00.000Z")
        #expect(answer.field("downloadTokens") != nil)
        #expect(wire.get("a.bin", query: "").bytes == answer.bytes)
    }

    @Test("Custom keys merge, null takes one away, and null for all takes all away")
    func customKeys() {
        let wire = wire()
        #expect(
            wire.patch("a.bin", #"{"metadata":{"a":"1","b":"2"}}"#).custom == ["a": "1", "b": "2"])
        #expect(
            wire.patch("a.bin", #"{"metadata":{"b":null,"c":"ü"}}"#).custom == ["a": "1", "c": "ü"])
        #expect(wire.patch("a.bin", #"{"metadata":{}}"#).custom == ["a": "1", "c": "ü"])
        let last = wire.patch("a.bin", #"{"metadata":{"a":null,"c":null}}"#)
        #expect(last.custom.isEmpty && !last.text.contains("\"metadata\""))
        _ = wire.patch("a.bin", #"{"metadata":{"a":"1"}}"#)
        #expect(wire.patch("a.bin", #"{"metadata":null}"#).custom.isEmpty)
    }

    @Test(
        "Refuses what is no metadata",
        arguments: [
            "{", "[]", "7", #"{"contentType":7}"#, #"{"metadata":[]}"#, #"{"metadata":{"a":1}}"#,
            #"{"contentType":{}}"#, "\u{0}",
        ])
    func malformed(json: String) {
        let wire = wire()
        #expect(wire.patch("a.bin", json).status == 400)
        #expect(wire.complaints == ["malformed-body"])
        #expect(wire.get("a.bin", query: "").field("metageneration") == "1")
    }

    @Test("An object without tokens gets one when its metadata is first read")
    func firstRead() throws {
        let wire = Wire()
        try wire.store.put(ByteArraySource([1]), as: "g", in: "demo.appspot.com")
        let first = wire.get("g", query: "")
        #expect(first.field("metageneration") == "2")
        let token = try #require(first.field("downloadTokens"))
        #expect(token.count == 36 && token.split(separator: "-").count == 5)
        #expect(wire.get("g", query: "").bytes == first.bytes)
    }

    @Test("Deleting answers 204, and again 404")
    func deletes() {
        let wire = wire()
        let answer = wire.send("DELETE", "/v0/b/demo.appspot.com/o/a.bin")
        #expect(answer.status == 204 && answer.bytes.isEmpty)
        #expect(wire.send("DELETE", "/v0/b/demo.appspot.com/o/a.bin").status == 404)
        #expect(wire.patch("a.bin", "{}").status == 404)
        #expect(wire.get("a.bin", query: "").status == 404)
    }

    @Test("Tokens are made and taken away by the admin alone; the last one is replaced")
    func tokens() throws {
        let wire = wire()
        let target = "/v0/b/demo.appspot.com/o/a.bin"
        let first = try #require(wire.get("a.bin", query: "").field("downloadTokens"))
        #expect(wire.send("POST", target + "?create_token=true").status == 403)
        #expect(wire.send("POST", target + "?delete_token=x").status == 403)
        #expect(wire.send("POST", target + "?create_token=yes", admin).status == 400)
        let two = wire.send("POST", target + "?create_token=true", admin)
        let tokens = try #require(two.field("downloadTokens")).split(separator: ",")
        #expect(tokens.count == 2 && tokens[0] == first && two.field("metageneration") == "2")
        let one = wire.send("POST", target + "?delete_token=\(tokens[0])", admin)
        #expect(one.field("downloadTokens") == String(tokens[1]))
        let fresh = wire.send("POST", target + "?delete_token=\(tokens[1])", admin)
        let replaced = try #require(fresh.field("downloadTokens"))
        #expect(!replaced.isEmpty && !tokens.contains(Substring(replaced)))
    }

    @Test("The same requests give the same ids and tokens")
    func sameBytes() {
        func run() -> [UInt8] {
            let wire = Wire()
            let url = wire.start()
            let last = wire.command("upload, finalize", url, offset: 0, body: [1, 2])
            return Array(url.utf8) + last.bytes + wire.upload("b", [1]).bytes
        }
        #expect(run() == run())
    }
}
