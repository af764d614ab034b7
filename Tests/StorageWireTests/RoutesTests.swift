import StorageModel
import StorageWire
import Testing

@Suite("Routes")
struct RoutesTests {
    private let dialect = FirebaseDialect(settings: BackendSettings())

    private func classify(
        _ method: String, _ target: String, _ headers: HTTPHeaders = [:]
    ) -> WireCall {
        dialect.classify(HTTPRequestHead(method: method, target: target, headers: headers))
    }

    static let objectURL = "/v0/b/demo.appspot.com/o/images%2Frivers.jpg"
    static let bucketURL = "/v0/b/demo.appspot.com/o"

    @Test(
        "Tells the operation from verb, path and query",
        arguments: [
            ("GET", objectURL, .metadataGet), ("GET", objectURL + "?alt=json", .metadataGet),
            ("GET", objectURL + "?alt=media", .download), ("HEAD", objectURL, .metadataGet),
            ("GET", objectURL + "?alt=media&token=", .download),
            ("GET", objectURL + "?alt=media&token=t", .downloadByURL),
            ("PATCH", objectURL, .metadataUpdate), ("DELETE", objectURL, .delete),
            ("GET", bucketURL, .list), ("GET", bucketURL + "/", .list),
            ("POST", bucketURL + "?name=a", .uploadMedia), ("POST", objectURL, .uploadMedia),
            ("POST", objectURL + "?create_token=true", .tokenCreate),
            ("POST", objectURL + "?delete_token=t", .tokenDelete),
            ("POST", bucketURL + "?name=a&uploadType=multipart", .uploadMultipart),
            ("OPTIONS", "/anything", .preflight), ("OPTIONS", objectURL, .preflight),
            ("PUT", objectURL, .unknown), ("GET", "/", .unknown), ("GET", "/v0/b/x", .unknown),
            ("GET", "/v1/b/x/o/a", .unknown), ("GET", "/v0/b/x/o/a/b", .unknown),
            ("BREW", objectURL, .unknown), ("DELETE", bucketURL, .unknown),
            ("DELETE", bucketURL + "?name=a/b.txt", .delete),
            ("GET", "/v0/b//o/a", .unknown), ("", "", .unknown),
            ("GET", "http://h:1/v0/b/demo.appspot.com/o/a", .metadataGet),
        ] as [(String, String, Operation)])
    func operations(method: String, target: String, wanted: Operation) {
        let call = classify(method, target)
        #expect(call.operation == wanted)
        #expect((call.problem != nil) == (wanted == .unknown))
    }

    @Test(
        "Tells chunk, finish, query and cancel from the command header",
        arguments: [
            ("upload", .uploadChunk), ("upload, finalize", .uploadFinalize),
            ("upload,finalize", .uploadFinalize), ("finalize", .uploadFinalize),
            ("query", .uploadQuery), ("cancel", .uploadCancel), ("Cancel", .uploadCancel),
            ("start", .unknown), ("", .unknown), ("fly", .unknown),
        ] as [(String, Operation)])
    func commands(command: String, wanted: Operation) {
        for method in ["POST", "PUT"] {
            let call = classify(
                method, Self.bucketURL + "?name=a&upload_id=u",
                ["X-Goog-Upload-Command": command, "X-Goog-Upload-Offset": "262144"])
            #expect(call.operation == wanted)
            #expect(call.uploadID == "u" && call.offset == 262_144)
        }
    }

    @Test("A start request may have the object in the path and in the query, and size by two names")
    func starts() {
        for header in ["X-Goog-Upload-Content-Length", "X-Goog-Upload-Header-Content-Length"] {
            let call = classify(
                "POST", Self.objectURL + "?uploadType=resumable&name=images%2Frivers.jpg",
                HTTPHeaders([
                    .init(name: "X-Goog-Upload-Protocol", value: "resumable"),
                    .init(name: "X-Goog-Upload-Command", value: "start"),
                    .init(name: header, value: "1048576"),
                ]))
            #expect(call.operation == .uploadStart && call.announcedSize == 1_048_576)
            #expect(call.path == "images/rivers.jpg" && call.bucket == "demo.appspot.com")
        }
    }

    @Test(
        "Takes a name from the path escaped, from the query escaped or with raw slashes",
        arguments: [
            ("GET", "/o/a%20b%2Bc%2Fd+e", "a b+c/d+e"), ("GET", "/o/%C3%BCber%2Fx", "über/x"),
            ("POST", "/o?name=a/b.txt", "a/b.txt"), ("POST", "/o?name=a%2Fb.txt", "a/b.txt"),
            ("POST", "/o?name=a+b", "a b"), ("POST", "/o?name=a%2Bb", "a+b"),
            ("POST", "/o?name=a%26b%3Fc", "a&b?c"), ("POST", "/o/p%2Fq?name=other", "p/q"),
            ("POST", "/o?name=%F0%9F%8C%8A", "🌊"),
        ])
    func names(method: String, rest: String, wanted: String) {
        #expect(classify(method, "/v0/b/demo.appspot.com" + rest).path == wanted)
    }

    @Test("PATCH may come as POST or PUT with X-HTTP-Method-Override", arguments: ["POST", "PUT"])
    func methodOverride(method: String) {
        let call = classify(method, Self.objectURL, ["x-http-method-override": "PATCH"])
        #expect(call.operation == .metadataUpdate)
    }

    @Test("Reads credentials of both schemes and no others")
    func credentials() {
        func read(_ text: String) -> String? {
            classify("GET", Self.objectURL, ["Authorization": text]).credential?.token
        }
        #expect(read("Firebase abc.def") == "abc.def")
        #expect(read("bearer  t") == "t")
        #expect(read("Basic dXNlcg==") == nil)
        #expect(read("Bearer ") == nil)
        #expect(read("Bearer") == nil)
    }

    @Test("A range belongs to a download alone, its first byte is the call's offset")
    func ranges() {
        let headers: HTTPHeaders = ["Range": "bytes=100-"]
        #expect(classify("GET", Self.objectURL + "?alt=media", headers).offset == 100)
        #expect(classify("GET", Self.objectURL, headers).range == nil)
    }

    @Test("A list's path is its prefix")
    func listPath() {
        #expect(classify("GET", Self.bucketURL + "?prefix=a%2F&delimiter=/").path == "a/")
        #expect(classify("GET", Self.bucketURL).path == "")
    }

    @Test("Says how a path should look where it is none of the API's")
    func unknownRoute() {
        let wire = Wire()
        let answer = wire.send("GET", "/v0/b/demo.appspot.com/o/a/b")
        #expect(answer.status == 404)
        #expect(answer.text.contains("%2F"))
        #expect(wire.complaints == ["unknown-route"])
    }
}
