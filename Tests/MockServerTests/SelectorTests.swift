import EventLoop
import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

/// A condition of `where`, and requests of which some fit it.
struct FilterCase: Sendable, CustomTestStringConvertible {
    struct Request: Sendable {
        var method = "GET"
        var target = WireProbe.object("images/a") + "?alt=media"
        var fields: [String] = []
        var body: [UInt8]?
        /// 1 or 2.
        var connection = 1
        let fits: Bool
    }

    let testDescription: String
    let set: @Sendable (inout ExchangeFilters) -> Void
    let requests: [Request]

    init(
        _ name: String, _ set: @escaping @Sendable (inout ExchangeFilters) -> Void,
        _ requests: Request...
    ) {
        testDescription = name
        self.set = set
        self.requests = requests
    }

    static let all = [
        FilterCase(
            "path", { $0.path = Glob("images/*") }, Request(fits: true),
            Request(target: WireProbe.object("films/a") + "?alt=media", fits: false),
            Request(target: WireProbe.objects, fits: false)),
        FilterCase(
            "bucket", { $0.bucket = "other" }, Request(target: "/v0/b/other/o/a", fits: true),
            Request(fits: false)),
        FilterCase(
            "method", { $0.method = "DELETE" },
            Request(method: "DELETE", target: WireProbe.object("images/a"), fits: true),
            Request(fits: false)),
        FilterCase(
            "target", { $0.target = Glob("/v0/**alt=media") }, Request(fits: true),
            Request(target: WireProbe.object("images/a"), fits: false)),
        FilterCase(
            "query equals", { $0.query = ["alt": .equals("media")] }, Request(fits: true),
            Request(target: WireProbe.object("images/a") + "?alt=json", fits: false),
            Request(target: WireProbe.object("images/a"), fits: false)),
        FilterCase(
            "query absent", { $0.query = ["alt": .absent] }, Request(fits: false),
            Request(target: WireProbe.object("images/a"), fits: true)),
        FilterCase(
            "header", { $0.headers = ["range": .contains("100-")] },
            Request(fields: ["Range: bytes=100-199"], fits: true),
            Request(fields: ["Range: bytes=0-9"], fits: false), Request(fits: false)),
        FilterCase(
            "json", { $0.json = ["metadata.mood": .equals("calm")] },
            Request(
                method: "PATCH", target: WireProbe.object("images/a"),
                body: Array(#"{"metadata":{"mood":"calm"}}"#.utf8), fits: true),
            Request(
                method: "PATCH", target: WireProbe.object("images/a"),
                body: Array(#"{"metadata":{"mood":"wild"}}"#.utf8), fits: false)),
        FilterCase(
            "token", { $0.token = "alice" },
            Request(fields: ["Authorization: Firebase alice"], fits: true),
            Request(fields: ["Authorization: Firebase bob"], fits: false), Request(fits: false)),
        FilterCase(
            "connection", { $0.connection = 2 }, Request(fits: false),
            Request(connection: 2, fits: true), Request(fits: false),
            Request(connection: 2, fits: true)),
        FilterCase(
            "reused", { $0.isReused = true }, Request(fits: false), Request(fits: true),
            Request(connection: 2, fits: false), Request(connection: 2, fits: true)),
        FilterCase(
            "not reused", { $0.isReused = false }, Request(fits: true), Request(fits: false)),
        FilterCase(
            "two conditions, both must hold",
            {
                $0.path = Glob("images/*")
                $0.method = "GET"
            }, Request(fits: true),
            Request(method: "DELETE", target: WireProbe.object("images/b"), fits: false),
            Request(target: WireProbe.object("films/a") + "?alt=media", fits: false)),
    ]
}

@Suite("Which exchanges a fault means, end to end", .serialized)
struct SelectorTests {
    private static let settings = BackendSettings.made {
        $0.otherBuckets = ["other"]
        $0.tokens = ["alice": .init(), "bob": .init()]
        for path in ["images/a", "images/b", "films/a", "a", "b"] { $0.give(path, 1000) }
    }

    /// Answers 503; the backend never does.
    private func rule(
        _ operation: String = "*", _ ordinal: OrdinalPattern = .all,
        per: CountingScope = .run, times: Int?? = .none, chance: Double? = nil,
        set: (inout ExchangeFilters) -> Void = { _ in }
    ) throws -> FaultRule {
        var rule = try fault(
            operation, ordinal, at: .beforeCommit, per: per, times: times, .status(503))
        set(&rule.selector.filters)
        rule.chance = chance
        return rule
    }

    @Test("A condition takes those that fit, and lets all others pass", arguments: FilterCase.all)
    func filters(filter: FilterCase) throws {
        try withServer([try rule("*", set: filter.set)], settings: Self.settings) { run in
            let probes = [try run.probe(), try run.probe()]
            for request in filter.requests {
                let probe = probes[request.connection - 1]
                let length = request.body.map { ["Content-Length: \($0.count)"] } ?? []
                try probe.ask(
                    request.target, method: request.method, fields: length + request.fields)
                try probe.send(request.body ?? [])
                let status = try probe.readAnswer(to: request.method).status
                #expect((status == 503) == request.fits, "\(request)")
            }
            let fitting = filter.requests.filter(\.fits).count
            #expect(try run.on { $0.firedCounts } == [fitting])
        }
    }

    @Test("`session` means the n-th upload session, whatever its object")
    func session() throws {
        try withServer([try rule("upload.query") { $0.session = 2 }]) { run in
            let probe = try run.probe()
            let targets = try ["a", "b", "c"].map { try probe.startUpload($0) }
            #expect(try targets.map { try probe.query($0).status } == [200, 503, 200])
        }
    }

    @Test("`from` is included, `until` is not, on the server's clock")
    func window() async throws {
        let rule = try rule {
            $0.from = .seconds(2)
            $0.until = .seconds(4)
        }
        try await withVirtualServer([rule], settings: Self.settings) { loop, server, port in
            let client = LoopClient(loop, port: port)
            var statuses: [Int?] = []
            for wait in [1999, 1, 1999, 1] {
                _ = await loop.sleep(for: .milliseconds(wait))
                statuses.append(await client.get("a")?.status)
            }
            #expect(statuses == [200, 503, 503, 200])
            client.close()
        }
    }

    @Test("`since` begins when its trigger has happened")
    func since() throws {
        try withServer([try rule { $0.since = .gate(name: "go") }], settings: Self.settings) {
            run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 200)
            try run.on { $0.openGate("go") }
            #expect(try probe.get("a").status == 503)
        }
    }

    @Test(
        "An ordinal takes its exchanges alone",
        arguments: [
            (OrdinalPattern.all, [1, 2, 3, 4, 5, 6]), (.exactly(2), [2]),
            (.range(from: 1, through: 4), [1, 2, 3, 4]),
            (.range(from: 2, through: nil), [2, 3, 4, 5, 6]),
            (.every(3), [3, 6]),
        ])
    func ordinals(ordinal: OrdinalPattern, taken: [Int]) throws {
        try withServer([try rule("download", ordinal)], settings: Self.settings) { run in
            let probe = try run.probe()
            var hits: [Int] = []
            for number in 1...6 {
                // Others do not count.
                #expect(try probe.exchange("GET", WireProbe.object("a")).status == 200)
                if try probe.get("a").status == 503 { hits.append(number) }
            }
            #expect(hits == taken)
        }
    }

    @Test("`#last` takes the request that finishes an upload or a download")
    func last() throws {
        let faults = [try rule("upload.body", .last), try rule("download", .last)]
        try withServer(faults, settings: Self.settings) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("new", size: 300_000)
            let bytes = sample(300_000)
            #expect(try probe.chunk(target, offset: 0, Array(bytes[..<262_144])).status == 200)
            let end = try probe.chunk(target, offset: 262_144, Array(bytes[262_144...]), last: true)
            #expect(end.status == 503)
            #expect(try probe.get("a", range: "bytes=0-499").status == 206)
            #expect(try probe.get("a", range: "bytes=500-").status == 503)
        }
    }

    @Test(
        "Ordinals are counted for each transfer, object, connection, or for the run",
        arguments: [
            // Object and connection of each download; one that is sent whole ends its transfer.
            (CountingScope.transfer, [503, 200, 503, 503, 200]),
            (.object, [503, 200, 200, 503, 200]), (.connection, [503, 200, 200, 503, 200]),
            (.run, [503, 200, 200, 200, 200]),
        ])
    func scopes(per: CountingScope, statuses: [Int]) throws {
        try withServer([try rule("download", .exactly(1), per: per)], settings: Self.settings) {
            run in
            let probes = [try run.probe(), try run.probe()]
            let asked = [("a", 0), ("a", 0), ("a", 0), ("b", 1), ("b", 1)]
            #expect(try asked.map { try probes[$0.1].get($0.0).status } == statuses)
        }
    }

    @Test(
        "`times` is a budget for each of the same",
        arguments: [
            (CountingScope.object, [503, 503, 200, 503, 503, 200]),
            (.run, [503, 503, 200, 200, 200, 200]),
        ])
    func times(per: CountingScope, statuses: [Int]) throws {
        let rule = try rule("download", per: per, times: .some(2))
        try withServer([rule], settings: Self.settings) { run in
            let probe = try run.probe()
            let asked = ["a", "a", "a", "b", "b", "b"]
            #expect(try asked.map { try probe.get($0).status } == statuses)
            #expect(try run.on { $0.firedCounts } == [statuses.filter { $0 == 503 }.count])
        }
    }

    @Test(
        "`chance` draws for each exchange: the same for the same seed alone, and as often as told")
    func chance() throws {
        func hits(_ seed: UInt64) throws -> [Bool] {
            var options = MockServer.Options()
            options.seed = seed
            var hits: [Bool] = []
            try withServer(
                [try rule("download", chance: 0.3)], settings: Self.settings, options: options
            ) { run in
                let probe = try run.probe()
                hits = try (1...200).map { _ in try probe.get("a").status == 503 }
                let draws = try run.on { $0.records.flatMap { $0.faults.compactMap(\.draw) } }
                #expect(draws.count == hits.filter { $0 }.count)
                #expect(draws.allSatisfy { $0 < 0.3 })
            }
            return hits
        }
        let first = try hits(1)
        #expect(try hits(1) == first)
        #expect(try hits(2) != first)
        #expect((35...90).contains(first.filter { $0 }.count))
    }

    @Test("`skew` moves every time that the server tells")
    func skew() throws {
        var options = MockServer.Options()
        options.epoch = 1_000_000_000_000
        let ahead = try fault(
            "download", .exactly(1), at: .responseEnd,
            .backend(.server(.skew(.seconds(86_400)))))
        try withServer([ahead], settings: Self.settings, options: options) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").head["Date"]?.hasPrefix("Sun, 09 Sep 2001") == true)
            #expect(try probe.get("a").head["Date"]?.hasPrefix("Mon, 10 Sep 2001") == true)
        }
    }
}
