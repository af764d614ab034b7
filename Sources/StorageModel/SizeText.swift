extension BinaryInteger {
    /// A size in bytes as the scenario language writes it: `0`, `100000`, `256KiB`, `1MiB`.
    package var sizeText: String {
        let bytes = Int64(clamping: self)
        guard bytes != 0 else { return "0" }
        let units: [(String, Int64)] = [
            ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
        ]
        for (unit, factor) in units where bytes % factor == 0 { return "\(bytes / factor)\(unit)" }
        return "\(bytes)"
    }
}
