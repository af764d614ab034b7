import FaultEngine
import StorageModel
import Testing

@testable import EventMatching

@Suite("Request matcher")
struct RequestMatcherTests {
    static func pattern(_ texts: [String]) throws -> [RequestPattern] {
        try texts.map { try RequestPattern(parsing: $0) }
    }

    @Test("Takes the log of an upload that was broken and went on")
    func matchesUpload() throws {
        let pattern = try Self.pattern([
            "upload.start", "upload.chunk offset=0", "upload.chunk offset=256KiB status=none",
            "upload.query", "upload.chunk+", "upload.finalize",
        ])
        let log = Samples.log(
            "upload.start", "upload.chunk offset=0", "upload.chunk offset=262144 status=none",
            "upload.query", "upload.chunk offset=262144", "upload.chunk offset=524288",
            "upload.finalize offset=786432")
        #expect(RequestMatcher(pattern).difference(from: log) == nil)
    }

    @Test("Takes groups of alternatives and of repeated sequences")
    func matchesGroups() throws {
        let pattern: [RequestPattern] = [
            .sequence(
                try Self.pattern(["upload.chunk x1..3 status=503", "upload.query+"]), .some),
            .any([try Self.pattern(["upload.finalize"]), try Self.pattern(["upload.cancel?"])]),
        ]
        let matcher = RequestMatcher(pattern)
        let busy = "upload.chunk status=503"
        #expect(
            matcher.difference(
                from: Samples.log(
                    busy, busy, "upload.query", busy, "upload.query", "upload.query",
                    "upload.finalize")) == nil)
        #expect(matcher.difference(from: Samples.log(busy, "upload.query")) == nil)
        #expect(
            matcher.difference(from: Samples.log(busy, busy, busy, busy, "upload.query")) != nil)
    }

    @Test(
        "Names the mistake",
        arguments: [
            (
                ["upload.start", "upload.finalize"],
                ["upload.start", "upload.query", "upload.finalize"],
                "upload.query (request 2) came where upload.finalize was expected"
            ),
            (
                ["upload.start", "upload.finalize"],
                ["upload.start", "upload.finalize", "metadata.get"],
                "metadata.get (request 3) came where nothing more was expected"
            ),
            (
                ["upload.start", "upload.chunk offset=256KiB", "upload.finalize"],
                ["upload.start", "upload.chunk offset=0", "upload.finalize"],
                "upload.chunk (request 2) had offset 0 instead of 256KiB"
            ),
            (
                ["upload.start", "upload.query", "upload.finalize"],
                ["upload.start", "upload.finalize"],
                "upload.query never came: upload.finalize (request 2) came where upload.query was "
                    + "expected"
            ),
            (
                ["upload.start", "upload.finalize status=200"], ["upload.start"],
                "upload.finalize status=200 was expected after upload.start (request 1), and "
                    + "nothing more came"
            ),
            (
                ["upload.finalize length=0 status=200"], ["upload.finalize length=7 status=503"],
                "upload.finalize (request 1) had length 7 instead of 0 and status 503 instead of 200"
            ),
            (["download"], [], "no request came at all: download was expected"),
            ([], ["download"], "download (request 1) came where nothing more was expected"),
        ] as [([String], [String], String)])
    func namesMistakes(texts: [String], log: [String], sentence: String) throws {
        let difference = RequestMatcher(try Self.pattern(texts)).difference(from: Samples.log(log))
        #expect(difference?.sentence == sentence)
    }

    @Test("The rows tell offsets, lengths, statuses and the fault that did it")
    func tellsRows() throws {
        var log = Samples.log("upload.start", "upload.chunk offset=0 length=262144 status=none")
        log[1].faults = [FiredFault(rule: 1, name: "cut", time: .zero)]
        let difference = RequestMatcher(try Self.pattern(["upload.start"])).difference(from: log)
        let row = try #require(difference?.rows.last)
        #expect(row.mark == .unexpected)
        #expect(row.seen == "upload.chunk offset=0 length=256KiB status=none")
        #expect(row.cause == "fault 'cut'")
    }

    @Test("The log leaves out preflights and connections, and resends where they do not count")
    func makesLogs() {
        var all = Samples.log("connect", "preflight", "download", "download", "delete")
        all[3].resendOf = 3
        #expect(RequestsExpectation.log(of: all).map(\.ordinal) == [3, 4, 5])
        #expect(
            RequestsExpectation.log(of: all.reversed(), countsResends: false).map(\.ordinal)
                == [3, 5])
    }

    @Test("A part looks at one object, behind and before its moments")
    func looksAtParts() throws {
        let log = Samples.log(
            "upload.start", "upload.query path=b.bin", "upload.query", "upload.finalize", "delete")
        let lookup = MomentLookup { trigger in
            switch trigger {
            case .step(let name) where name == "stop": ExchangeMoment(ordinal: 1, time: .zero)
            case .step(let name) where name == "end": ExchangeMoment(ordinal: 4, time: .zero)
            default: nil
            }
        }
        var part = RequestsExpectation.Part(
            path: "a.bin", after: .step(name: "stop"), before: .step(name: "end"),
            pattern: try Self.pattern(["upload.query", "upload.finalize"]))
        #expect(RequestsExpectation(parts: [part]).differences(from: log, lookup: lookup).isEmpty)
        part.path = "b.bin"
        let wrong = RequestsExpectation(parts: [part]).differences(from: log, lookup: lookup)
        #expect(wrong.count == 1)
        part.after = .step(name: "missed")
        #expect(
            RequestsExpectation(parts: [part]).differences(from: log, lookup: lookup).first?
                .sentence == "the moment after which requests were expected never came")
    }
}
