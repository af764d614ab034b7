import StorageModel

/// Chance of one control: a pure function of the run's seed and of the scenario's id.
struct Draw {
    private var generator: SplitMix64

    init(seed: UInt64, scenario: String) {
        generator = SplitMix64(seed: SplitMix64.derive(seed, scenario, "control"))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &generator)
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &generator)
    }

    mutating func number(below bound: Int64) -> Int64 {
        Int64.random(in: 0..<max(1, bound), using: &generator)
    }
}
