import FaultEngine
import StorageModel
import Testing

@Suite("Delays")
struct DelayTimeTests {
    private func times(_ delay: DelayTime, count: Int = 200, seed: UInt64 = 1) -> [Duration] {
        let draws = SeededDraw(seed: seed, scenario: "s")
        return (1...count).map { rank in
            var generator = draws.generator(rule: 1, key: .run, ordinal: rank, use: "delay")
            return delay.duration(rank: rank, &generator)
        }
    }

    @Test("The same seed gives the same delays, another seed gives others")
    func seeded() {
        let delay = DelayTime.uniform(.seconds(1), .seconds(3))
        #expect(times(delay) == times(delay))
        #expect(times(delay) != times(delay, seed: 2))
    }

    @Test("Uniform delays stay within their bounds and fill them")
    func uniform() throws {
        let all = times(.uniform(.seconds(1), .seconds(3)))
        let (low, high) = (try #require(all.min()), try #require(all.max()))
        #expect(low >= .seconds(1) && low < .milliseconds(1200))
        #expect(high < .seconds(3) && high > .milliseconds(2800))
    }

    @Test("Normal delays lie around their mean and are never negative")
    func normal() throws {
        let all = times(.normal(mean: .seconds(1), deviation: .seconds(1)))
        #expect(all.allSatisfy { $0 >= .zero })
        let mean = all.map(\.nanoseconds).reduce(0, +) / Int64(all.count)
        #expect((800_000_000...1_400_000_000).contains(mean))
    }

    @Test("Log-normal delays have their median and their maximum")
    func logNormal() {
        let maximum = Duration.seconds(5)
        let all = times(.logNormal(median: .seconds(1), sigma: 1, maximum: maximum)).sorted()
        #expect(all.allSatisfy { $0 <= maximum && $0 > .zero })
        let median = all[all.count / 2].nanoseconds
        #expect((700_000_000...1_400_000_000).contains(median))
    }

    @Test("The last entry of a list repeats")
    func list() {
        let all = times(.list([.seconds(1), .zero, .seconds(5)]), count: 5)
        #expect(all == [.seconds(1), .zero, .seconds(5), .seconds(5), .seconds(5)])
    }
}
