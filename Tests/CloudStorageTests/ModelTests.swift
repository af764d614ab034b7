import Foundation
import StorageModel
import Testing

@testable import CloudStorage

@Suite("Values of the wire")
struct ModelTests {
    @Test(
        "Reads times with any fraction and zone",
        arguments: [
            ("1970-01-01T00:00:00Z", Int64(0)), ("2000-02-29T12:34:56.789Z", 951_827_696_789),
            ("2026-11-30T11:47:03.5+01:30", 1_796_033_823_500),
            ("2016-12-31T23:59:59.123456789-0700", 1_483_253_999_123),
            ("1969-12-31T23:59:59.999Z", -1),
        ])
    func times(text: String, milliseconds: Int64) {
        #expect(InternetTime.milliseconds(rfc3339: text) == milliseconds)
    }

    @Test(
        "Refuses what is no time",
        arguments: [
            "", "2000-02-29", "2000-02-29T12:34:56", "2000-13-29T12:34:56Z",
            "2000-02-29T12:34:56.Z", "2000-02-29 12:34:56Z", "2000-02-29T12:34:56.789X",
            "20x0-02-29T12:34:56Z",
        ])
    func noTimes(text: String) {
        #expect(InternetTime.milliseconds(rfc3339: text) == nil)
    }

    @Test("Writes times with three digits, and reads them back")
    func roundTrip() {
        for time in [0, 951_827_696_789, -1, 1_796_033_823_500, 253_402_300_799_999] as [Int64] {
            let text = InternetTime.text(time)
            #expect(InternetTime.milliseconds(rfc3339: text) == time, "\(text)")
        }
        #expect(InternetTime.text(951_827_696_789) == "2000-02-29T12:34:56.789Z")
    }

    @Test("Reads Retry-After in seconds and as a date on the server's clock")
    func retryAfter() {
        func wait(_ value: String, date: String? = nil) -> Duration? {
            var headers: HTTPHeaders = ["retry-after": value]
            headers["Date"] = date
            return StorageReply(status: 503, headers: headers).retryAfter
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(wait("4") == .seconds(4))
        #expect(wait("-4") == .zero)
        #expect(wait(date) == nil)
        #expect(wait(date, date: "Sun, 06 Nov 1994 08:49:34 GMT") == .seconds(3))
        #expect(wait(date, date: "Sun, 06 Nov 1994 08:50:34 GMT") == .zero)
        #expect(wait("soon") == nil)
    }

    @Test("Reads dates of HTTP in all three forms, and nothing else")
    func httpDates() {
        let forms = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ]
        for form in forms {
            #expect(InternetTime.milliseconds(httpDate: form) == 784_111_777_000, "\(form)")
        }
        let recent = "Monday, 30-Nov-26 00:00:00 GMT"
        #expect(InternetTime.milliseconds(httpDate: recent) == 1_795_996_800_000)
        let wrong = [
            "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov  6 08:49:37 -1",
        ]
        for text in wrong {
            #expect(InternetTime.milliseconds(httpDate: text) == nil, "\(text)")
        }
    }

    @Test(
        "Reads content ranges",
        arguments: [
            ("bytes 0-99/1000", true), ("bytes 5-5/*", true), ("bytes 5-4/10", false),
            ("bytes 0-10/10", false), ("bytes */10", false), ("items 0-9/10", false), ("", false),
            ("bytes 0-9", false), ("bytes -1-9/10", false),
        ])
    func contentRange(text: String, isRange: Bool) {
        #expect((ContentRange(text) != nil) == isRange)
    }

    @Test(
        "Infers content types from the file's name",
        arguments: [
            ("a.txt", "text/plain"), ("a.PNG", "image/png"), ("x/y.tar/a.mp3", "audio/mpeg"),
            ("a.mov", "video/quicktime"), ("a.gif", "image/gif"), ("a.jpeg", "image/jpeg"),
            ("a", "application/octet-stream"), (".png", "application/octet-stream"),
            ("a.", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
            ("x.png/a", "application/octet-stream"), ("", "application/octet-stream"),
        ])
    func contentTypes(name: String, type: String) {
        #expect(ContentTypes.type(ofFile: name) == type)
    }

    @Test("Reads checksums from one line and from two, and no wrong ones")
    func hashes() {
        var headers = HTTPHeaders()
        headers.add("x-goog-hash", "crc32c=4waSgw==,md5=1B2M2Y8AsgTpgAmY7PhCfg==")
        let one = ObjectIdentity(headers)
        #expect(one.crc32c == 0xE306_9283)
        #expect(one.md5?.count == 16)
        headers = HTTPHeaders()
        headers.add("X-Goog-Hash", "md5=1B2M2Y8AsgTpgAmY7PhCfg==")
        headers.add("X-Goog-Hash", "crc32c=4waSgw==")
        #expect(ObjectIdentity(headers).crc32c == one.crc32c)
        headers = ["x-goog-hash": "crc32c=123,md5=AAAA"]
        #expect(ObjectIdentity(headers).crc32c == nil)
        #expect(ObjectIdentity(headers).md5 == nil)
    }

    @Test("Reads a resource with numbers as texts, ignoring what is of another kind")
    func resource() throws {
        let text = #"""
            {"name":"a/b","bucket":"c","size":"12","generation":5,"metageneration":"2","md5Hash":7,
            "timeCreated":"2000-02-29T12:34:56.789Z","metadata":{"a":"b","c":1},"downloadTokens":"x,y"}
            """#
        let fields = try #require(MetadataFields(resource: Array(text.utf8)))
        #expect(fields.isWhole)
        #expect(fields.size == 12)
        #expect(fields.generation == 5)
        #expect(fields.metageneration == 2)
        #expect(fields.md5Hash == nil)
        #expect(fields.custom == ["a": "b"])
        #expect(fields.downloadTokens == ["x", "y"])
        #expect(fields.timeCreated == 951_827_696_789)
        #expect(MetadataFields(resource: Array("[]".utf8)) == nil)
        #expect(MetadataFields(resource: Array(#"{"name":"a"}"#.utf8))?.isWhole == false)
    }

    @Test("Says nothing of what did not change, and null of what was removed")
    func difference() {
        let dictionary: [String: Any] = [
            "contentType": "a/b", "cacheControl": "x", "metadata": ["k": "v", "l": "w"],
        ]
        let metadata = StorageMetadata(dictionary: dictionary)
        #expect(String(decoding: metadata.updateBody, as: UTF8.self) == "{}")
        metadata.cacheControl = nil
        metadata.customMetadata = ["k": "v2", "m": "n"]
        #expect(
            String(decoding: metadata.updateBody, as: UTF8.self)
                == #"{"cacheControl":null,"metadata":{"k":"v2","l":null,"m":"n"}}"#)
    }

    @Test("Is an NSError that keeps what the server said, and can be read back")
    func errors() throws {
        let reply = StorageReply(status: 403, body: Array("no".utf8))
        let failure = StorageFailure(reply, at: StoragePath(bucket: "b", object: "o/p"))
        let error: any Error = failure.nsError
        let code = (error as NSError).code
        #expect((error as NSError).domain == "FIRStorageErrorDomain")
        #expect(StorageErrorCode(rawValue: code) == .unauthorized)
        #expect((error as NSError).userInfo["ResponseErrorCode"] as? Int == 403)
        #expect((error as NSError).userInfo["ResponseBody"] as? String == "no")
        #expect((error as NSError).userInfo["object"] as? String == "o/p")
        #expect(StorageFailure(error) == failure)
        #expect(failure.clientError.code == .unauthorized)
        #expect(failure.clientError.status == 403)
        #expect(failure.clientError.name == "unauthorized")
        #expect(StorageFailure(NSError(domain: "other", code: -13021)) == nil)
    }

    @Test("Keeps of the head what explains a refusal, and nothing that opens a door")
    func headers() throws {
        let headers: HTTPHeaders = [
            "Content-Type": "text/html", "Retry-After": "9", "Location": "/secret",
            "X-Goog-Upload-URL": "/secret", "X-GUploader-UploadID": "secret",
            "Set-Cookie": "secret",
            "x-goog-upload-status": "final", "WWW-Authenticate": String(repeating: "é", count: 900),
        ]
        let reply = StorageReply(status: 403, headers: headers, body: Array("no".utf8))
        let error = StorageFailure(reply, at: StoragePath(bucket: "b", object: "o")).nsError
        let kept = try #require(
            error.userInfo[StorageErrorKey.responseHeaders] as? [String: String])
        #expect(
            kept.keys.sorted() == [
                "Content-Type", "Retry-After", "WWW-Authenticate", "X-Goog-Upload-Status",
            ])
        #expect(kept["WWW-Authenticate"]?.utf8.count == 1024)
        #expect(
            error.userInfo[StorageErrorKey.responseDomain] as? String == "com.google.HTTPStatus")
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.domain == "com.google.HTTPStatus")
        #expect(cause.code == 403)
        #expect(cause.userInfo[StorageErrorKey.responseBody] as? String == "no")
        #expect(cause.userInfo[StorageErrorKey.responseHeaders] as? [String: String] == kept)
    }

    @Test("Keeps at most 64 KiB of an answer")
    func longBody() {
        let reply = StorageReply(status: 500, body: [UInt8](repeating: 0x61, count: 100_000))
        let failure = StorageFailure(reply, at: StoragePath(bucket: "b"))
        #expect(failure.body?.utf8.count == 65_536)
    }

    @Test("Has a canonical name for every error code")
    func names() {
        for code in StorageErrorCode.allCases {
            #expect(ErrorCode(rawValue: "\(code)") != nil)
        }
    }

    @Test("Cleans a header's text of line ends")
    func headerText() {
        #expect(HeaderText.clean("a/b\r\nX-Evil: 1\0") == "a/bX-Evil: 1")
    }
}
