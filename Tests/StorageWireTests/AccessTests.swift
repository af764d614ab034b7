import ObjectStore
import StorageModel
import StorageWire
import Testing

@Suite("Access, error answers and other origins")
struct AccessTests {
    private func wire() throws -> Wire {
        let wire = Wire {
            $0.access = .signedIn
            $0.tokens = ["alice": .init(valid: .seconds(3600)), "eve": .init(valid: .zero)]
        }
        try wire.store.put(ByteArraySource([1, 2]), as: "a", in: "demo.appspot.com")
        return wire
    }

    @Test(
        "Judges credentials of both schemes",
        arguments: [
            (nil, 401), ("Firebase alice", 200), ("Bearer alice", 200), ("Firebase bob", 401),
            ("Bearer eve", 401), ("Basic alice", 401), ("Firebase owner", 200), ("Bearer ", 401),
        ] as [(String?, Int)])
    func credentials(header: String?, status: Int) throws {
        let wire = try wire()
        let headers: HTTPHeaders = header.map { ["Authorization": $0] } ?? [:]
        #expect(wire.get("a", headers).status == status)
        #expect(wire.send("GET", "/v0/b/demo.appspot.com/o", headers).status == status)
        #expect(wire.upload("b", [1], headers).status == status)
        let start = wire.send(
            "POST", "/v0/b/demo.appspot.com/o?name=b",
            HTTPHeaders(
                headers.fields + [.init(name: "X-Goog-Upload-Command", value: "start")]))
        let isAbsent = header == nil || header == "Basic alice" || header == "Bearer "
        #expect(start.status == (isAbsent ? 200 : status))
    }

    @Test("A token's life begins with its first use and ends as set, or when it is expired")
    func lifetime() throws {
        let wire = try wire()
        let headers: HTTPHeaders = ["Authorization": "Firebase alice"]
        wire.clock.time += 10_000_000
        #expect(wire.get("a", headers).status == 200)
        wire.clock.time += 3_599_999
        #expect(wire.get("a", headers).status == 200)
        wire.clock.time += 1
        #expect(wire.get("a", headers).status == 401)
        let other = try self.wire()
        #expect(other.tokens.expire("alice") && !other.tokens.expire("nobody"))
        #expect(other.get("a", headers).status == 401)
    }

    @Test("A download token opens its object without credentials, another one does not")
    func downloadTokens() throws {
        let wire = try wire()
        let owner: HTTPHeaders = ["Authorization": "Bearer owner"]
        let token = try #require(wire.get("a", owner, query: "").field("downloadTokens"))
        #expect(wire.get("a", query: "?alt=media&token=\(token)").bytes == [1, 2])
        #expect(wire.get("a", query: "?alt=media&token=other").status == 403)
        #expect(wire.get("a", query: "?token=\(token)").status == 401)
    }

    @Test("Where every token is known, any will do")
    func anyToken() {
        let wire = Wire {
            $0.access = .signedIn
            $0.tokens = nil
        }
        #expect(wire.upload("b", [1], ["Authorization": "Firebase x.y."]).status == 200)
        #expect(wire.upload("b", [1]).status == 401)
    }

    @Test("Errors are JSON with code and message", arguments: AnswerPreset.allCases)
    func presets(preset: AnswerPreset) {
        let answer = preset.response
        #expect(answer.status == preset.status)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        if preset == .gatewayPage {
            #expect(answer.headers["Content-Type"] == "text/html; charset=UTF-8")
            #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
        } else {
            #expect(answer.text.hasPrefix(#"{"error":{"code":\#(preset.status),"message":""#))
        }
    }

    @Test("A bucket that is not there is told, or made where any may come")
    func buckets() {
        let target = "/v0/b/nowhere/o?name=a"
        #expect(Wire().send("POST", target, body: [1]).status == 404)
        let start: HTTPHeaders = ["X-Goog-Upload-Command": "start"]
        #expect(Wire().send("POST", target, start).status == 404)
        #expect(Wire().send("GET", "/v0/b/nowhere/o").text.contains("bucket nowhere"))
        #expect(Wire { $0.bucket = nil }.send("POST", target, body: [1]).status == 200)
        #expect(
            Wire { $0.otherBuckets = ["nowhere"] }.send("POST", target, body: [1]).status == 200)
    }

    @Test("Every answer may be read by a page of another origin")
    func otherOrigins() {
        let wire = Wire()
        let url = wire.start()
        for answer in [
            wire.get("missing"), wire.upload("a", [1]), wire.command("query", url),
            wire.command("upload", url, offset: 5, body: [1]), wire.send("GET", "/x"),
            wire.send("DELETE", "/v0/b/demo.appspot.com/o/a"),
        ] {
            #expect(answer.headers.values(of: "Access-Control-Allow-Origin") == ["*"])
            let exposed = answer.headers["Access-Control-Expose-Headers"] ?? ""
            for name in [
                "X-Goog-Upload-Status", "X-Goog-Upload-URL", "X-Goog-Upload-Size-Received",
            ] {
                #expect(exposed.contains(name))
            }
        }
    }

    @Test("A preflight allows the methods, and names the headers it is asked for")
    func preflight() {
        let wire = Wire { $0.access = .signedIn }
        let answer = wire.send(
            "OPTIONS", wire.start(),
            ["Access-Control-Request-Headers": "authorization,x-goog-upload-command"])
        #expect(answer.status == 204 && wire.complaints.isEmpty)
        #expect(
            answer.headers["Access-Control-Allow-Headers"] == "authorization,x-goog-upload-command")
        for method in ["GET", "POST", "PATCH", "DELETE", "PUT"] {
            #expect(answer.headers["Access-Control-Allow-Methods"]?.contains(method) == true)
        }
        let bare = wire.send("OPTIONS", "/")
        #expect(bare.headers["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
    }

    @Test(
        "The plan Spark refuses uploads of executables, and nothing else (D28)",
        arguments: [
            ("tools/setup.exe", true), ("a.DLL", true), ("a.bat", true), ("a.apk", true),
            ("a.ipa", true), ("a.exe.txt", false), ("exe", false), ("a.exe/b", false),
        ])
    func spark(name: String, isRefused: Bool) throws {
        let escaped = name.split(separator: "/").joined(separator: "%2F")
        for plan in [BackendSettings.Plan.blaze, .spark] {
            let wire = Wire { $0.plan = plan }
            let status = plan == .spark && isRefused ? 403 : 200
            #expect(wire.upload(escaped, [1]).status == status)
            let url = wire.start(name: escaped)
            #expect(wire.command("upload, finalize", url, offset: 0, body: [1]).status == status)
            let multipart = wire.send(
                "POST", "/v0/b/demo.appspot.com/o?name=\(escaped)&uploadType=multipart",
                [
                    "X-Goog-Upload-Protocol": "multipart",
                    "Content-Type": "multipart/related; boundary=x",
                ],
                body: Array(
                    ("--x\r\nContent-Type: application/json\r\n\r\n{}\r\n--x\r\n"
                        + "Content-Type: a/b\r\n\r\nhello\r\n--x--\r\n").utf8))
            #expect(multipart.status == status)
            #expect((try? wire.store.object(name, in: "demo.appspot.com")) == nil || status == 200)
            #expect(wire.complaints.isEmpty)
        }
        // What is there already may be read and removed.
        let wire = Wire { $0.plan = .spark }
        try wire.store.put(ByteArraySource([1]), as: name, in: "demo.appspot.com")
        #expect(wire.get(escaped).status == 200)
        #expect(wire.send("DELETE", "/v0/b/demo.appspot.com/o/\(escaped)").status == 204)
    }
}
