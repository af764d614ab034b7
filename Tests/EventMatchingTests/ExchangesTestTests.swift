import FaultEngine
import StorageModel
import Testing

@testable import EventMatching

@Suite("Exchanges test")
struct ExchangesTestTests {
    static func number(_ text: String, _ unit: NumberTest.Unit = .count) throws -> NumberTest {
        try #require(NumberTest(text, unit: unit))
    }

    static func test(_ operation: String, _ ordinal: OrdinalPattern = .all) throws -> ExchangesTest
    {
        ExchangesTest(
            ExchangeSelector(operation: try #require(OperationPattern(operation)), ordinal: ordinal)
        )
    }

    static func problems(_ test: ExchangesTest, _ log: [ExchangeRecord]) -> [String] {
        test.problems(in: log, lookup: Samples.never)
    }

    static let upload = Samples.log(
        "upload.start Authorization=present", "upload.chunk offset=0 received=10 status=503",
        "upload.chunk offset=0 received=20", "upload.finalize offset=20 received=5 connection=2")

    @Test(
        "Counts what fits, and says what came",
        arguments: [
            ("upload.chunk", "2", nil), ("upload.body", "3", nil), ("upload.*", ">= 4", nil),
            ("download", "0", nil),
            ("upload.chunk", "1", "2 of upload.chunk came, 1 expected (requests 2 and 3)"),
            ("download", "1..", "none of download came, 1.. expected"),
        ] as [(String, String, String?)])
    func counts(operation: String, count: String, problem: String?) throws {
        var test = try Self.test(operation)
        test.count = try Self.number(count)
        #expect(Self.problems(test, Self.upload) == (problem.map { [$0] } ?? []))
    }

    @Test("Tests on no exchange at all hold, except count and any")
    func holdsForNone() throws {
        var test = try Self.test("download")
        test.status = StatusTest("200")
        test.uploaded = try Self.number("5", .size)
        test.connections = try Self.number("3")
        test.overlap = true
        #expect(Self.problems(test, Self.upload).isEmpty)
        test.quantifier = .any
        #expect(Self.problems(test, Self.upload) == ["no download came at all"])
    }

    @Test("Tests headers, query, JSON, status, offset and length of each exchange")
    func testsEach() throws {
        var test = try Self.test("upload.chunk")
        test.headers = ["authorization": .present]
        test.query = ["name": .equals("x")]
        test.json = ["metadata.mood": .absent]
        test.status = StatusTest("200")
        test.offset = try Self.number("0", .size)
        test.length = try Self.number("20", .size)
        #expect(
            Self.problems(test, Self.upload) == [
                "upload.chunk (request 2): header authorization was absent, not present, "
                    + "query name was absent, not 'x', status was 503, not 200, length was "
                    + "10 bytes, not 20",
                "upload.chunk (request 3): header authorization was absent, not present, "
                    + "query name was absent, not 'x'",
            ])
    }

    @Test("With any, one right exchange is enough")
    func testsAny() throws {
        var test = try Self.test("upload.chunk")
        test.status = StatusTest("200")
        test.quantifier = .any
        #expect(Self.problems(test, Self.upload).isEmpty)
        test.status = StatusTest("404")
        #expect(
            Self.problems(test, Self.upload) == [
                "none of 2 upload.chunk was right; of the first (request 2) status was 503, not 404"
            ])
    }

    @Test("Adds up the bytes and counts the connections")
    func addsUp() throws {
        var test = try Self.test("upload.body")
        test.uploaded = try Self.number("..34", .size)
        test.downloaded = try Self.number("0", .size)
        test.connections = try Self.number("1")
        #expect(
            Self.problems(test, Self.upload) == [
                "upload.body uploaded 35 bytes, ..34 expected",
                "upload.body came on 2 connections, 1 expected",
            ])
    }

    @Test("Gaps are from the end of one to the beginning of the next, and may have to grow")
    func testsGaps() throws {
        let log = Samples.log(
            "upload.chunk start=0 end=100", "upload.chunk start=1100 end=1200",
            "upload.chunk start=3200 end=3300", "upload.chunk start=5300 end=5400")
        var test = try Self.test("upload.chunk")
        test.gap = try Self.number(">= 1s", .duration)
        #expect(Self.problems(test, log).isEmpty)
        test.gap = try Self.number(">= 1500ms", .duration)
        #expect(
            Self.problems(test, log) == ["the gap before request 2 was 1s, >= 1500ms expected"])
        let scale = TimeScale(factor: 0.1, grace: .milliseconds(50))
        #expect(test.problems(in: log, scale: scale, lookup: Samples.never).isEmpty)
        test.gap = nil
        test.growth = try Self.number(">= 1.5", .plain)
        #expect(
            Self.problems(test, log) == [
                "the gap before request 4 was 2s after one of 2s: growth >= 1.5 expected"
            ])
    }

    @Test("Tells whether two were under way at once")
    func testsOverlap() throws {
        var test = try Self.test("upload.*")
        test.overlap = false
        let apart = Samples.log("upload.start start=0 end=10", "upload.chunk start=10 end=20")
        let together = Samples.log(
            "upload.start start=0 end=50", "upload.chunk start=10 end=20",
            "upload.query start=30 end=40")
        #expect(Self.problems(test, apart).isEmpty)
        #expect(
            Self.problems(test, together) == [
                "upload.chunk (request 2) began while upload.start (request 1) was under way"
            ])
        test.overlap = true
        #expect(Self.problems(test, together).isEmpty)
        #expect(!Self.problems(test, apart).isEmpty)
    }

    @Test("Ordinals count what fits for each transfer, and where is part of it")
    func countsOrdinals() throws {
        let log = Samples.log(
            "download", "download transfer=2", "download status=404", "download transfer=2")
        let second = try Self.test("download", .exactly(2))
        #expect(second.fitting(log, lookup: Samples.never).map(\.ordinal) == [3, 4])
        let rest = try Self.test("download", .range(from: 2, through: nil))
        #expect(rest.fitting(log, lookup: Samples.never).map(\.ordinal) == [3, 4])
        let last = try Self.test("download", .last)
        #expect(last.fitting(log, lookup: Samples.never).map(\.ordinal) == [3, 4])
        var good = try Self.test("download", .exactly(1))
        good.whereStatus = StatusTest("404")
        #expect(good.fitting(log, lookup: Samples.never).map(\.ordinal) == [3])
        var run = second
        run.selector.per = .run
        #expect(run.fitting(log, lookup: Samples.never).map(\.ordinal) == [2])
    }

    @Test("Looks behind and before moments; one that never came is a problem")
    func looksAtWindows() throws {
        let lookup = MomentLookup { trigger in
            trigger == .step(name: "gone") ? ExchangeMoment(ordinal: 2, time: .zero) : nil
        }
        var test = try Self.test("upload.*")
        test.after = .step(name: "gone")
        #expect(test.fitting(Self.upload, lookup: lookup).map(\.ordinal) == [3, 4])
        test.after = nil
        test.before = .step(name: "gone")
        #expect(test.fitting(Self.upload, lookup: lookup).map(\.ordinal) == [1, 2])
        test.before = nil
        test.selector.filters.since = .step(name: "gone")
        #expect(test.fitting(Self.upload, lookup: lookup).map(\.ordinal) == [3, 4])
        test.after = .step(name: "other")
        #expect(
            test.problems(in: Self.upload, lookup: lookup) == [
                "the moment after which upload.* was looked at never came"
            ])
    }

    static let filterCases: [(@Sendable (inout ExchangeFilters) -> Void, [Int])] = [
        ({ $0.path = Glob("b/*") }, [2]), ({ $0.bucket = "other" }, [3]),
        ({ $0.method = "PUT" }, [4]), ({ $0.target = Glob("/v0/**") }, [4]),
        ({ $0.query = ["name": .equals("ü x")] }, [4]),
        ({ $0.headers = ["x-a": .equals("1")] }, [5]),
        ({ $0.json = ["a.b": .contains("z")] }, [1]), ({ $0.token = "bob" }, [1]),
        ({ $0.session = 2 }, [2]), ({ $0.connection = 9 }, [3]), ({ $0.isReused = true }, [5]),
        ({ $0.from = .seconds(3) }, [4, 5]), ({ $0.until = .seconds(1) }, [1]),
    ]

    @Test("Every filter of where leaves what it says", arguments: filterCases.indices)
    func filters(index: Int) throws {
        var log = Samples.log(
            "download", "download path=b/x", "download connection=9", "download", "download x-a=1")
        log[0].json = ["a.b": "xyz"]
        log[0].token = "bob"
        log[1].session = 2
        log[2].bucket = "other"
        log[3].method = "PUT"
        log[3].target = "/v0/b/o?name=%C3%BC+x"
        log[4].isReused = true
        var test = try Self.test("download")
        Self.filterCases[index].0(&test.selector.filters)
        #expect(
            test.fitting(log, lookup: Samples.never).map(\.ordinal) == Self.filterCases[index].1)
    }
}
