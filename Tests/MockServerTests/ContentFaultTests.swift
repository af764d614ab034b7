import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Faults of content", .serialized)
struct ContentFaultTests {
    private func json(
        _ operation: String, _ ordinal: OrdinalPattern = .all, position: Int = 1,
        _ change: (inout JSONEdit) -> Void
    ) throws -> FaultRule {
        var edit = JSONEdit()
        change(&edit)
        return try fault(
            operation, ordinal, at: .responseHead, position: position, per: .run, .json(edit))
    }

    private func answer(
        _ rules: [FaultRule], _ target: String, count: Int = 1
    ) throws -> [WireAnswer] {
        var answers: [WireAnswer] = []
        let settings = BackendSettings.made { settings in
            for name in ["p/a", "p/b", "p/c"] { settings.give(name, 10) }
        }
        try withServer(rules, settings: settings) { run in
            let probe = try run.probe()
            for _ in 0..<count { answers.append(try probe.exchange("GET", target)) }
        }
        return answers
    }

    private static let list = WireProbe.objects + "?prefix=p/&maxResults=2"

    @Test("Fields get values of other types, vanish, or come that nobody knows")
    func fields() throws {
        let rule = try json("metadata.get") { edit in
            edit.set = [
                .init(path: "size", value: .array([.number("1"), .null])),
                .init(path: "metadata.deep.er", value: .bool(true)),
                .init(path: "unheardOf", value: .string("\u{1}\"")),
            ]
            edit.remove = ["md5Hash", "generation"]
        }
        let whole = try answer([rule], WireProbe.object("p/a"))[0]
        #expect(whole.status == 200)
        #expect(whole.isWhole)
        let value = try #require(JSONValue(parsing: whole.body))
        #expect(whole.text.contains(#""size":[1,null]"#))
        #expect(whole.text.contains(#""unheardOf":"\u0001\"""#))
        #expect(value.scalars["metadata.deep.er"] == "true")
        #expect(value.scalars["name"] == "p/a")
        #expect(value.scalars["md5Hash"] == nil && value.scalars["generation"] == nil)
    }

    @Test("A field is as large as it is asked to be", arguments: [0, 1, 65_536, 3 << 20])
    func huge(size: Int) throws {
        let rule = try json("metadata.get") {
            $0.fill = [.init(path: "contentType", size: Int64(size))]
        }
        let whole = try answer([rule], WireProbe.object("p/a"))[0]
        #expect(whole.isWhole)
        #expect(whole.head["Content-Length"] == "\(whole.body.count)")
        let value = try #require(JSONValue(parsing: whole.body))
        #expect(value.scalars["contentType"]?.utf8.count == size)
    }

    @Test("An answer is no JSON any more, at the byte that is asked for", arguments: [0, 1, 20])
    func truncated(size: Int) throws {
        let rule = try json("metadata.get") { $0.truncate = Int64(size) }
        let whole = try answer([rule], WireProbe.object("p/a"))[0]
        #expect(whole.isWhole)
        #expect(whole.body.count == size)
        #expect(JSONValue(parsing: whole.body) == nil)
    }

    @Test("A list names itself as its next page, or two pages name one another")
    func tokenLoop() throws {
        let same = try json("list") {
            $0.set = [.init(path: "nextPageToken", value: .string("again"))]
        }
        for page in try answer([same], Self.list, count: 3) {
            #expect(page.text.contains(#""nextPageToken":"again""#))
            #expect(page.text.contains("p/a"))
        }
        let two = [
            try json("list", .every(2)) {
                $0.set = [.init(path: "nextPageToken", value: .string("even"))]
            },
            try json("list", .exactly(3), position: 2) {
                $0.set = [.init(path: "nextPageToken", value: .string("odd"))]
            },
        ]
        let pages = try answer(two, Self.list, count: 3).map(\.text)
        #expect(pages[1].contains(#""nextPageToken":"even""#))
        #expect(pages[2].contains(#""nextPageToken":"odd""#))
    }

    @Test("A page is empty although another follows, and the last one loses its token")
    func emptyPages() throws {
        let rules = [
            try json("list", .exactly(1)) { edit in
                edit.set = ["items", "prefixes"].map { .init(path: $0, value: .array([])) }
            },
            try json("list", .exactly(2), position: 2) { $0.remove = ["nextPageToken"] },
        ]
        let pages = try answer(rules, Self.list, count: 3)
        #expect(pages[0].text.contains(#""items":[]"#) && pages[0].text.contains("nextPageToken"))
        #expect(pages[1].text.contains("p/a") && !pages[1].text.contains("nextPageToken"))
        #expect(pages[2].text.contains("p/a") && pages[2].text.contains("nextPageToken"))
    }

    // MARK: Another generation

    private func twoRanges(
        _ actions: FaultAction..., fields: (WireAnswer) -> [String] = { _ in [] }
    ) throws -> (first: WireAnswer, second: WireAnswer) {
        var rule = try fault("download", .exactly(2), at: .beforeCommit, per: .run)
        rule.actions = actions
        var answers: [WireAnswer] = []
        try withServer([rule], settings: .made { $0.give("a", 1000) }) { run in
            let probe = try run.probe()
            answers.append(try probe.get("a", range: "bytes=0-499"))
            try probe.ask(
                WireProbe.object("a") + "?alt=media",
                fields: ["Range: bytes=500-"] + fields(answers[0]))
            answers.append(try probe.readAnswer())
        }
        return (answers[0], answers[1])
    }

    private static let replacing = FaultAction.backend(
        .object(.replace(path: "a", with: Content(.synthetic(size: 1000, seed: 9)))))

    @Test("The second range is of another generation, and says so")
    func otherGeneration() throws {
        let (first, second) = try twoRanges(Self.replacing)
        #expect(first.body == Array(sample(1000)[..<500]))
        #expect(second.status == 206)
        #expect(second.body == Array(sample(1000, seed: 9)[500...]))
        for name in ["ETag", "x-goog-generation", "x-goog-hash"] {
            #expect(second.head[name] != nil)
            #expect(second.head[name] != first.head[name], "\(name)")
        }
    }

    @Test("A range that is tied to the first generation gets the whole second one")
    func ifRange() throws {
        let (_, second) = try twoRanges(Self.replacing) { first in
            ["If-Range: \(first.head["ETag"] ?? "")"]
        }
        #expect(second.status == 200)
        #expect(second.body == sample(1000, seed: 9))
    }

    @Test("Other bytes come under the name of the first generation, or the same under another name")
    func liesAboutGeneration() throws {
        var edit = HeaderEdit()
        edit.set = [
            HeaderValue("ETag", .text("\"first\"")), HeaderValue("x-goog-generation", .text("1")),
        ]
        let (first, other) = try twoRanges(Self.replacing, .headers(edit))
        #expect(other.body == Array(sample(1000, seed: 9)[500...]))
        #expect(other.head["ETag"] == "\"first\"" && other.head["x-goog-generation"] == "1")
        let (_, same) = try twoRanges(.headers(edit))
        #expect(same.body == Array(sample(1000)[500...]))
        #expect(same.head["ETag"] != first.head["ETag"])
    }

    @Test("A touched object is another metageneration of the same bytes")
    func touched() throws {
        let (first, second) = try twoRanges(.backend(.object(.touch(path: "a"))))
        #expect(second.body == Array(sample(1000)[500...]))
        #expect(second.head["x-goog-generation"] == first.head["x-goog-generation"])
        #expect(second.head["x-goog-metageneration"] == "2")
    }

    // MARK: The server's own state

    @Test("The server's clock goes ahead in everything that it tells, and back again")
    func skew() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            func year(_ answer: WireAnswer) throws -> Int {
                let date = try #require(answer.head["Date"]).split(separator: " ")
                return try #require(Int(date[3]))
            }
            let before = try year(try probe.get("a"))
            try run.on { try $0.apply(.server(.skew(.seconds(10 * 366 * 86_400)))) }
            let during = try probe.exchange("POST", WireProbe.objects + "?name=b", body: [1])
            #expect(try year(during) >= before + 10)
            #expect(during.text.contains("\"timeCreated\":\"\(try year(during))-"))
            try run.on { try $0.apply(.server(.skew(.zero))) }
            #expect(try year(try probe.get("a")) == before)
        }
    }

    @Test("Without room a resumable upload is refused where it finishes, and downloads go on")
    func outOfSpace() throws {
        let full = try fault(
            "upload.finalize", .exactly(1), at: .beforeCommit, .backend(.server(.full(true))))
        try withServer([full], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("b")
            let refused = try probe.chunk(target, offset: 0, sample(100), last: true)
            #expect(refused.status == 507)
            #expect(try run.stored("b") == nil)
            #expect(try probe.get("a").status == 200)
            try run.on { try $0.apply(.server(.full(false))) }
            #expect(try run.on { $0.complaints } == [])
        }
    }
}
