import StorageModel
import Testing

@testable import EventMatching

@Suite("Request pattern")
struct RequestPatternTests {
    @Test(
        "Reads every text form and writes it again the same",
        arguments: [
            "upload.start", "upload.chunk+", "upload.*", "upload.**", "upload.body x2", "*", "**",
            "*+",
            "upload.chunk x3 length=256KiB", "upload.chunk? length=256KiB",
            "upload.chunk x1..3 offset=512KiB status=503", "download? status=401",
            "upload.finalize offset=0 status=none", "download.by-url path=images/*",
            "upload.chunk offset=>=1MiB status=400..499",
        ])
    func readsTextForms(text: String) throws {
        #expect(try RequestPattern(parsing: text).description == text)
    }

    @Test(
        "Refuses what is no pattern, says where and what was meant",
        arguments: [
            .init("", .empty, 0), .init("upload.chunck", .unknownName, 0, "upload.chunk"),
            .init("uplaod.start+", .unknownName, 0, "upload.start"),
            .init("upload.chunk ofset=0", .unknownName, 13, "offset"),
            .init("upload.chunk offset=x", .badNumber, 20),
            .init("upload.chunk length=50%", .badNumber, 20),
            .init("upload.chunk status=ok", .badValue, 20),
            .init("upload.chunk path=", .badValue, 18),
            .init("upload.chunk offset=0 offset=1", .repeated, 22),
            .init("upload.chunk twice", .unexpectedText, 13),
            .init("upload.chunk xx", .badQuantifier, 13),
            .init("upload.chunk+ x3", .badQuantifier, 14),
            .init("upload.chunk offset=0 x3", .unexpectedText, 22),
            .init("upload.chunk x20000", .tooLarge, 0),
        ] as [EventPatternTests.Refusal])
    func refuses(refusal: EventPatternTests.Refusal) {
        let error = #expect(throws: PatternError.self) { try RequestPattern(parsing: refusal.text) }
        #expect(error?.code == refusal.code)
        #expect(error?.offset == refusal.offset)
        #expect(error?.suggestion == refusal.suggestion)
    }

    @Test(
        "Accepts the requests that are meant and no others",
        arguments: [
            ("upload.chunk", "upload.chunk offset=0", true),
            ("upload.chunk", "upload.finalize offset=0", false),
            ("upload.body", "upload.finalize", true), ("upload.body", "upload.query", false),
            ("upload.*", "upload.query", true), ("*", "delete", true), ("*", "connect", false),
            ("upload.chunk offset=0", "upload.chunk offset=1", false),
            ("upload.chunk offset=0", "upload.chunk", false),
            ("download offset=0", "download", true), ("download offset=5", "download", false),
            ("upload.chunk length=7", "upload.chunk received=7", true),
            ("upload.chunk length=7", "upload.chunk length=7 received=3", true),
            ("upload.chunk status=none", "upload.chunk status=none", true),
            ("upload.chunk status=none", "upload.chunk status=200", false),
            ("upload.chunk status=400..499", "upload.chunk status=404", true),
            ("upload.chunk status=200", "upload.chunk status=none", false),
            ("download path=a.*", "download path=a.bin", true),
            ("download path=b/*", "download path=a.bin", false),
        ])
    func accepts(pattern: String, request: String, wanted: Bool) throws {
        let log = Samples.log(request)
        let isMatch =
            RequestMatcher([try RequestPattern(parsing: pattern)])
            .difference(from: log) == nil
        #expect(isMatch == wanted)
    }
}
