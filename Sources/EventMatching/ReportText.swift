internal import StorageModel

/// Times and sizes as messages write them.
package enum ReportText {
    /// Whole milliseconds below a second, seconds with up to three decimals above.
    package static func time(_ duration: Duration) -> String { duration.scenarioText }

    /// The largest unit that divides the bytes; a decimal of MiB or KiB where none does.
    package static func size(_ bytes: Int64) -> String {
        let units: [(String, Int64)] = [
            ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
        ]
        for (unit, factor) in units where bytes >= factor && bytes % factor == 0 {
            return "\(bytes / factor) \(unit)"
        }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }

    /// Names in a sentence: `a`, `a and b`, `a, b and c`.
    package static func list(_ names: [String], joiner: String = "and") -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(joiner) \(last)"
    }
}
