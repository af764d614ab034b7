import EventLoop
import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Delays that are drawn, in virtual time")
struct DelayFaultTests {
    /// The times that twelve answers take.
    private func times(_ delay: DelayTime, seed: UInt64) async throws -> [Duration] {
        var options = MockServer.Options()
        options.seed = seed
        let late = try fault("metadata.get", at: .responseHead, .delay(delay))
        let log = Recorder<Duration>()
        try await withVirtualServer([late], settings: .made { $0.give("a", 10) }, options: options)
        { loop, server, port in
            let client = LoopClient(loop, port: port)
            for _ in 1...12 {
                let start = loop.now
                let answer = await client.exchange("GET", WireProbe.object("a"))
                #expect(answer?.status == 200)
                log.append(loop.now - start)
            }
            client.close()
        }
        return log.values
    }

    @Test(
        "A distribution keeps its bounds, differs from draw to draw, and repeats with its seed",
        arguments: [
            (DelayTime.uniform(.seconds(1), .seconds(3)), Duration.seconds(1), Duration.seconds(3)),
            (.normal(mean: .seconds(10), deviation: .seconds(1)), .seconds(4), .seconds(16)),
            (.normal(mean: .zero, deviation: .seconds(1)), .zero, .seconds(6)),
            (
                .logNormal(median: .seconds(1), sigma: 2, maximum: .seconds(4)), .nanoseconds(1),
                .seconds(4)
            ),
        ])
    func distributions(delay: DelayTime, least: Duration, most: Duration) async throws {
        let first = try await times(delay, seed: 1)
        #expect(first.allSatisfy { $0 >= least && $0 <= most }, "\(first)")
        #expect(Set(first).count > 4, "\(first)")
        let again = try await times(delay, seed: 1)
        #expect(again == first)
        let other = try await times(delay, seed: 2)
        #expect(other != first)
    }

    @Test("A list gives one entry a firing, and its last one ever after")
    func list() async throws {
        let seen = try await times(.list([.seconds(1), .zero, .seconds(5)]), seed: 1)
        let wanted = [1, 0] + [Int](repeating: 5, count: 10)
        #expect(seen == wanted.map { .seconds($0) })
    }

    @Test("A fixed delay is the same each time")
    func fixed() async throws {
        let seen = try await times(.fixed(.milliseconds(1500)), seed: 1)
        #expect(seen == [Duration](repeating: .milliseconds(1500), count: 12))
    }
}
