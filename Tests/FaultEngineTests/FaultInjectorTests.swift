import FaultEngine
import StorageModel
import Testing

@Suite("Fault injector")
struct FaultInjectorTests {
    @Test(
        "An ordinal pattern picks its exchanges alone",
        arguments: [
            (OrdinalPattern.exactly(2), [2]), (.range(from: 2, through: 3), [2, 3]),
            (.range(from: 4, through: nil), [4, 5]), (.every(2), [2, 4]), (.all, [1, 2, 3, 4, 5]),
        ])
    func ordinals(ordinal: OrdinalPattern, expected: [Int]) {
        var bench = FaultBench([rule("upload.chunk", ordinal)])
        let hits = (1...5).filter { _ in !bench.exchange(.uploadChunk).isEmpty }
        #expect(hits == expected)
    }

    @Test("Requests of other operations do not count")
    func otherOperations() {
        var bench = FaultBench([rule("upload.chunk", .exactly(2))])
        #expect(bench.exchange(.uploadStart) == [])
        #expect(bench.exchange(.uploadChunk) == [])
        #expect(bench.exchange(.uploadQuery) == [])
        #expect(bench.exchange(.uploadChunk) == [1])
    }

    @Test(
        "Each scope has a count of its own",
        arguments: [
            (CountingScope.transfer, [true, false, true, false]),
            (.object, [true, false, true, false]), (.connection, [true, true, false, false]),
            (.run, [true, false, false, false]),
        ])
    func scopes(per: CountingScope, expected: [Bool]) {
        var bench = FaultBench([rule("download", .exactly(1), per: per)])
        let hits = [("a", 1), ("a", 2), ("b", 1), ("b", 2)].map {
            !bench.exchange(.download, path: $0.0, connection: $0.1).isEmpty
        }
        #expect(hits == expected)
    }

    @Test("A finished transfer is followed by a new one with a new count")
    func newTransfer() {
        var bench = FaultBench([rule("upload.media", .exactly(1))])
        #expect(bench.exchange(.uploadMedia) == [1])
        #expect(bench.exchange(.uploadMedia) == [])
        bench.finishTransfer("a", .uploadMedia)
        #expect(bench.exchange(.uploadMedia) == [1])
    }

    @Test("A count for an object goes on from transfer to transfer")
    func objectScope() {
        var bench = FaultBench([rule("upload.media", .exactly(2), per: .object)])
        #expect(bench.exchange(.uploadMedia) == [])
        bench.finishTransfer("a", .uploadMedia)
        #expect(bench.exchange(.uploadMedia) == [1])
    }

    @Test("Only the last request of a transfer is `#last`")
    func last() {
        var bench = FaultBench([rule("upload.body", .last)])
        #expect(bench.exchange(.uploadChunk) == [])
        var plan = bench.head(.uploadFinalize) { $0.isLast = true }
        #expect(bench.fire(.beforeCommit, &plan) == [1])
    }

    @Test("A finalize without bytes is no `upload.body`")
    func bareFinalize() {
        var bench = FaultBench([rule("upload.body"), rule(2, "upload.finalize")])
        var plan = bench.head(.uploadFinalize) { $0.carriesBytes = false }
        #expect(bench.fire(.beforeCommit, &plan) == [2])
    }

    @Test("`times` bounds the firings of each scope")
    func times() {
        var bench = FaultBench([rule("download", .all, times: 2)])
        let first = (1...4).map { _ in bench.exchange(.download).count }
        #expect(first == [1, 1, 0, 0])
        #expect(bench.exchange(.download, path: "other") == [1])
        #expect(bench.injector.firedCounts == [3])
    }

    @Test("A budget is spent once however many exchanges wait for it at the same time")
    func atomicTake() {
        var bench = FaultBench([rule("upload.media", .all, per: .run, times: 1)])
        var plans = (1...32).map { bench.head(.uploadMedia, path: "\($0)", connection: $0) }
        let fired = plans.indices.map { bench.fire(.beforeCommit, &plans[$0]).count }
        #expect(fired.reduce(0, +) == 1)
        #expect(fired[0] == 1)
    }

    @Test("An exchange that never comes to the phase leaves the budget alone")
    func unspent() {
        var bench = FaultBench([
            rule("download", .all, per: .run, at: .responseBody(.bytes(100)), times: 1)
        ])
        var short = bench.head(.download)
        short.resolveResponse(length: 50, start: 0)
        #expect(short.responseStops == [])
        #expect(bench.fire(.responseBody(50), &short) == [])
        var long = bench.head(.download)
        long.resolveResponse(length: 200, start: 0)
        #expect(long.responseStops == [100])
        #expect(bench.fire(.responseBody(100), &long) == [1])
    }

    @Test("Several faults of one phase fire in file order, and only in their phase")
    func composition() {
        var bench = FaultBench([
            rule(1, "download", at: .responseHead), rule(2, "download"),
            rule(3, "*", at: .responseHead), rule(4, "download", at: .responseHead),
        ])
        var plan = bench.head(.download)
        #expect(bench.fire(.beforeCommit, &plan) == [2])
        #expect(bench.fire(.responseHead, &plan) == [1, 3, 4])
        #expect(bench.fire(.responseHead, &plan) == [])
    }

    @Test("Equal seeds give equal draws, other seeds, scenarios and rules give others")
    func draws() {
        func hits(_ seed: UInt64, _ scenario: String, _ position: Int = 1) -> [Bool] {
            var bench = FaultBench(
                [rule(position, "download", chance: 0.5)], seed: seed, scenario: scenario)
            return (1...64).map { _ in !bench.exchange(.download).isEmpty }
        }
        let hits = hits
        #expect(hits(7, "one", 1) == hits(7, "one", 1))
        #expect(hits(7, "one", 1) != hits(8, "one", 1))
        #expect(hits(7, "one", 1) != hits(7, "two", 1))
        #expect(hits(7, "one", 1) != hits(7, "one", 2))
        #expect((16...48).contains(hits(7, "one", 1).filter { $0 }.count))
    }

    @Test("Transfers that come in another order keep their draws")
    func drawsWithoutOrder() {
        func hits(_ paths: [String]) -> [String: [Bool]] {
            var bench = FaultBench([rule("download", chance: 0.5)], seed: 3)
            var hits: [String: [Bool]] = [:]
            for path in paths {
                hits[path, default: []].append(!bench.exchange(.download, path: path).isEmpty)
            }
            return hits
        }
        let paths = (1...8).flatMap { _ in ["a", "b", "c"] }
        #expect(hits(paths) == hits(paths.reversed()))
    }

    @Test("A drawn fault says its number")
    func drawInJournal() throws {
        var bench = FaultBench([rule("download", chance: 1)])
        var plan = bench.head(.download)
        let firing = try #require(bench.injector.take(.beforeCommit, &plan, at: .zero))
        let draw = try #require(firing.fired.draw)
        #expect((0..<1).contains(draw))
    }
}
