import FaultEngine
import StorageModel
import Testing

@Suite("Filters of a fault")
struct ExchangeFilterTests {
    @Test("A path glob lets other objects pass")
    func path() {
        var bench = FaultBench([rule("download") { $0.path = Glob("images/*") }])
        #expect(bench.exchange(.download, path: "images/a") == [1])
        #expect(bench.exchange(.download, path: "films/a") == [])
        #expect(bench.exchange(.download, path: "images/old/a") == [])
    }

    @Test("Exchanges that a filter leaves out do not count")
    func countsFitting() {
        var bench = FaultBench([
            rule("*", .exactly(2), per: .run) { $0.path = Glob("a") }
        ])
        #expect(bench.exchange(.download, path: "a") == [])
        #expect(bench.exchange(.download, path: "b") == [])
        #expect(bench.exchange(.download, path: "a") == [1])
    }

    @Test(
        "`from` is included, `until` is not",
        arguments: [
            (Duration.seconds(1), false), (.seconds(2), true), (.seconds(3), true),
            (.seconds(4), false),
        ])
    func window(time: Duration, fires: Bool) {
        var bench = FaultBench([
            rule("download") {
                $0.from = .seconds(2)
                $0.until = .seconds(4)
            }
        ])
        var plan = bench.head(.download, at: time)
        #expect(bench.fire(.beforeCommit, &plan).isEmpty == !fires)
    }

    @Test("`since` a fault leaves out what came before it")
    func sinceFault() {
        var cut = rule("upload.chunk", .exactly(1))
        cut.name = "cut"
        var bench = FaultBench([
            cut, rule(2, "*") { $0.since = .fault(name: "cut", ordinal: 1) },
        ])
        #expect(bench.exchange(.uploadStart) == [])
        #expect(bench.exchange(.uploadChunk) == [1])
        #expect(bench.exchange(.uploadQuery) == [2])
    }

    @Test("Header, query, session, connection and reuse must all hold")
    func texts() {
        let strict = rule("download") {
            $0.headers = ["Range": .present]
            $0.query = ["alt": .equals("media")]
            $0.session = 2
            $0.connection = 3
            $0.isReused = true
            $0.token = "alice"
        }
        func fires(_ change: (inout ExchangeFacts) -> Void) -> Bool {
            var bench = FaultBench([strict])
            var plan = bench.head(.download, connection: 3, session: 2) { facts in
                facts.headers = ["range": "bytes=0-"]
                facts.target = "/v0/b/x/o/y?alt=media"
                facts.isReused = true
                facts.token = "alice"
                change(&facts)
            }
            return !bench.fire(.beforeCommit, &plan).isEmpty
        }
        #expect(fires { _ in })
        #expect(!fires { $0.headers = [:] })
        #expect(!fires { $0.target = "/v0/b/x/o/y" })
        #expect(!fires { $0.session = 1 })
        #expect(!fires { $0.connection = 1 })
        #expect(!fires { $0.isReused = false })
        #expect(!fires { $0.token = "bob" })
    }

    @Test("A JSON condition is decided when the body was read")
    func json() {
        let wanted = rule("metadata.update", .exactly(1)) {
            $0.json = ["metadata.mood": .equals("calm")]
        }
        var bench = FaultBench([wanted])
        func body(_ mood: String) -> JSONValue {
            .object([
                .init(
                    name: "metadata",
                    value: .object([.init(name: "mood", value: .string(mood))]))
            ])
        }
        var first = bench.head(.metadataUpdate)
        bench.injector.bodyWasRead(body("wild"), &first)
        #expect(bench.fire(.beforeCommit, &first) == [])
        var second = bench.head(.metadataUpdate)
        bench.injector.bodyWasRead(body("calm"), &second)
        #expect(bench.fire(.beforeCommit, &second) == [1])
    }
}
