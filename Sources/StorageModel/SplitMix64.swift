/// A small seeded random source: the same seed gives the same numbers on every machine.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mix(state)
    }

    /// The finishing function: every input bit changes about half of the output bits.
    package static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A seed drawn from parts: a pure function of them and of their order.
    package static func derive(_ seed: UInt64, _ parts: String...) -> UInt64 {
        var hash = mix(seed &+ increment)
        for part in parts {
            // FNV-1a over the part, and its length, so that ("ab", "c") is not ("a", "bc").
            var inner: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in part.utf8 { inner = (inner ^ UInt64(byte)) &* 0x0100_0000_01B3 }
            hash = mix(hash ^ inner &+ UInt64(part.utf8.count) &* increment)
        }
        return hash
    }
}
