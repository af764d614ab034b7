import Glibc
package import StorageModel

/// Numbers that chance decides: pure functions of seed, scenario, rule and ordinal.
package struct SeededDraw: Sendable {
    private let seed: UInt64
    private let scenario: String

    package init(seed: UInt64, scenario: String) {
        self.seed = seed
        self.scenario = scenario
    }

    /// A number from 0 up to, not including, 1.
    ///
    /// - Parameters:
    ///   - rule: position of the rule in its list.
    ///   - ordinal: of the exchange among those that fit the rule.
    ///   - use: what the number is for; other uses get other numbers.
    package func number(
        rule: Int, key: CountingKey, ordinal: Int, use: String = "chance", index: Int = 0
    ) -> Double {
        var generator = generator(
            rule: rule, key: key, ordinal: ordinal, use: "\(use) \(index)")
        return Self.unit(&generator)
    }

    package func generator(
        rule: Int, key: CountingKey, ordinal: Int, use: String
    ) -> SplitMix64 {
        SplitMix64(
            seed: SplitMix64.derive(
                seed, scenario, "rule \(rule)", key.seedText, "\(ordinal)", use))
    }

    static func unit(_ generator: inout SplitMix64) -> Double {
        Double(generator.next() >> 11) * 0x1p-53
    }
}

extension DelayTime {
    /// The delay of one firing; never negative.
    ///
    /// - Parameters:
    ///   - rank: 1 for the first exchange of the rule's transfer (object, connection or run, as `per`
    ///     says) that the fault is for, and so on: picks the entry of a list.
    ///   - generator: seeded for this firing.
    package func duration(rank: Int, _ generator: inout SplitMix64) -> Duration {
        switch self {
        case .fixed(let time): return time
        case .uniform(let low, let high):
            let share = SeededDraw.unit(&generator)
            let width = Double(high.nanoseconds - low.nanoseconds)
            return low + .nanoseconds(Int64(width * share))
        case .normal(let mean, let deviation):
            let value =
                Double(mean.nanoseconds)
                + Self.gaussian(&generator) * Double(deviation.nanoseconds)
            return .nanoseconds(Int64(max(0, value)))
        case .logNormal(let median, let sigma, let maximum):
            let value = Double(median.nanoseconds) * exp(sigma * Self.gaussian(&generator))
            return min(.nanoseconds(Int64(min(value, 9e18))), maximum)
        case .list(let times):
            guard let last = times.last else { return .zero }
            return times.indices.contains(rank - 1) ? times[rank - 1] : last
        }
    }

    /// Source: G. Box, M. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
    private static func gaussian(_ generator: inout SplitMix64) -> Double {
        let radius = sqrt(-2 * log(1 - SeededDraw.unit(&generator)))
        return radius * cos(2 * Double.pi * SeededDraw.unit(&generator))
    }
}
