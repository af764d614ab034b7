import FaultEngine
import Glibc
import StorageModel
import Testing

/// Statistics over many draws of fixed seeds: each bound is at least four standard errors wide.
@Suite("Distributions")
struct DistributionTests {
    private static let count = 20_000

    /// Milliseconds.
    private func draw(_ delay: DelayTime, seed: UInt64) -> [Double] {
        let draws = SeededDraw(seed: seed, scenario: "statistics")
        return (1...Self.count).map { ordinal in
            var generator = draws.generator(rule: 1, key: .run, ordinal: ordinal, use: "delay 1")
            return Double(delay.duration(rank: ordinal, &generator).nanoseconds) / 1e6
        }
    }

    private func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(values.count)
    }

    private func deviation(_ values: [Double]) -> Double {
        let mean = mean(values)
        return sqrt(mean2(values, mean))
    }

    private func mean2(_ values: [Double], _ mean: Double) -> Double {
        values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }

    @Test("Fixed delays are what they are", arguments: [1, 2, 3] as [UInt64])
    func fixed(seed: UInt64) {
        #expect(Set(draw(.fixed(.milliseconds(7)), seed: seed)) == [7])
    }

    @Test("Uniform delays fill their range evenly", arguments: [1, 2, 3] as [UInt64])
    func uniform(seed: UInt64) throws {
        let all = draw(.uniform(.milliseconds(100), .milliseconds(300)), seed: seed)
        #expect(all.allSatisfy { (100..<300).contains($0) })
        #expect(abs(mean(all) - 200) < 1.7)
        #expect(abs(deviation(all) - 200 / sqrt(12)) < 1)
        for decile in 0..<10 {
            let low = 100 + Double(decile) * 20
            let share = Double(all.count { $0 >= low && $0 < low + 20 }) / Double(Self.count)
            #expect(abs(share - 0.1) < 0.009)
        }
    }

    @Test("Normal delays have their mean and deviation", arguments: [1, 2, 3] as [UInt64])
    func normal(seed: UInt64) {
        let all = draw(
            .normal(mean: .milliseconds(500), deviation: .milliseconds(50)), seed: seed)
        #expect(abs(mean(all) - 500) < 1.5)
        #expect(abs(deviation(all) - 50) < 1.1)
        let near = Double(all.count { abs($0 - 500) < 50 }) / Double(Self.count)
        #expect(abs(near - 0.6827) < 0.014)
        #expect(all.allSatisfy { $0 >= 0 })
    }

    @Test("Normal delays are cut off at zero", arguments: [1, 2, 3] as [UInt64])
    func normalAtZero(seed: UInt64) {
        let all = draw(
            .normal(mean: .milliseconds(10), deviation: .milliseconds(10)), seed: seed)
        #expect(all.allSatisfy { $0 >= 0 })
        let zeros = Double(all.count { $0 == 0 }) / Double(Self.count)
        #expect(abs(zeros - 0.1587) < 0.011)
    }

    @Test("Log-normal delays have median, spread and maximum", arguments: [1, 2, 3] as [UInt64])
    func logNormal(seed: UInt64) {
        let all = draw(
            .logNormal(median: .milliseconds(100), sigma: 0.5, maximum: .milliseconds(250)),
            seed: seed)
        #expect(all.allSatisfy { $0 > 0 && $0 <= 250 })
        let below = Double(all.count { $0 < 100 }) / Double(Self.count)
        #expect(abs(below - 0.5) < 0.015)
        // One deviation of the logarithm below and above.
        let inside = Double(all.count { $0 > 100 * exp(-0.5) && $0 < 100 * exp(0.5) })
        #expect(abs(inside / Double(Self.count) - 0.6827) < 0.014)
        #expect(all.contains(250))
    }

    @Test("Chance takes its share, and neighbours do not depend on one another")
    func chance() {
        for (seed, chance) in [(1, 0.1), (2, 0.5), (3, 0.9)] as [(UInt64, Double)] {
            let draws = SeededDraw(seed: seed, scenario: "statistics")
            let fires = (1...Self.count).map {
                draws.number(rule: 1, key: .run, ordinal: $0) < chance
            }
            let share = Double(fires.count { $0 }) / Double(Self.count)
            #expect(abs(share - chance) < 0.015)
            let pairs = zip(fires, fires.dropFirst()).count { $0 && $1 }
            #expect(abs(Double(pairs) / Double(Self.count) - chance * chance) < 0.02)
        }
    }

    @Test("Rules, scenarios, uses and keys have draws of their own")
    func independence() {
        let one = SeededDraw(seed: 1, scenario: "a")
        let all: [Double] = [
            one.number(rule: 1, key: .run, ordinal: 1),
            one.number(rule: 2, key: .run, ordinal: 1),
            one.number(rule: 1, key: .run, ordinal: 2),
            one.number(rule: 1, key: .connection(1), ordinal: 1),
            one.number(rule: 1, key: .object(bucket: "b", path: "p"), ordinal: 1),
            one.number(rule: 1, key: .run, ordinal: 1, use: "other"),
            SeededDraw(seed: 2, scenario: "a").number(rule: 1, key: .run, ordinal: 1),
            SeededDraw(seed: 1, scenario: "b").number(rule: 1, key: .run, ordinal: 1),
        ]
        #expect(Set(all).count == all.count)
    }
}
