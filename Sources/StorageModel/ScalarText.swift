/// The kinds of scalars in scenario files and on the command line, read from their text.
package enum ScalarText {
    /// Bytes: `0`, `1000`, `256KiB`, `5TiB`; nil for anything else.
    package static func size(_ text: some StringProtocol) -> Int64? {
        let units: [(String, Int64)] = [
            ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            return whole(text.dropLast(unit.count)).flatMap { number in
                let (product, overflow) = number.multipliedReportingOverflow(by: factor)
                return overflow ? nil : product
            }
        }
        return whole(text)
    }

    /// A time: `300ms`, `1.5s`, `10m`, `1h`, `8d`; a number without unit is refused, but for `0`.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        let units: [(String, Int64)] = [
            ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
            ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
        ]
        if text == "0" { return .zero }
        for (unit, nanoseconds) in units where text.hasSuffix(unit) {
            return decimal(text.dropLast(unit.count), times: nanoseconds).map { .nanoseconds($0) }
        }
        return nil
    }

    /// Bytes per second: `512KiB/s`; more than 0.
    package static func rate(_ text: some StringProtocol) -> Int64? {
        guard text.hasSuffix("/s"), let size = size(text.dropLast(2)), size > 0 else { return nil }
        return size
    }

    /// `0%` to `100%`, decimals allowed, as a number from 0 to 100.
    package static func percent(_ text: some StringProtocol) -> Double? {
        guard text.hasSuffix("%"),
            let millionths = decimal(text.dropLast(), times: 1_000_000),
            millionths <= 100_000_000
        else { return nil }
        return Double(millionths) / 1_000_000
    }

    /// Task names and the like: `[a-z][a-z0-9-]*`.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
    }

    private static func whole(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// A decimal number times a factor, exactly; nil where it does not fit or is no whole result.
    private static func decimal(_ text: some StringProtocol, times factor: Int64) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = whole(parts[0]) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return product }
        guard let digits = self.whole(parts[1]), parts[1].utf8.count <= 9 else { return nil }
        var scale: Int64 = 1
        for _ in 0..<parts[1].utf8.count { scale *= 10 }
        let (fraction, tooLarge) = digits.multipliedReportingOverflow(by: factor)
        guard !tooLarge, fraction % scale == 0 else { return nil }
        let (sum, sumOverflow) = product.addingReportingOverflow(fraction / scale)
        return sumOverflow ? nil : sum
    }
}

extension Duration {
    /// Whole nanoseconds, saturating.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? .max : sum
    }

    /// As the scenario language writes it: `1.5s`, `300ms`; rounded down to whole milliseconds.
    package var scenarioText: String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000)s" }
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let trimmed = fraction.reversed().drop { $0 == "0" }.reversed()
        return "\(milliseconds / 1000).\(String(trimmed))s"
    }

    /// As the scenario language writes it, to the nanosecond, in the largest unit that fits: `10m`,
    /// `1.5s`, `300ms`.
    package var exactText: String {
        let units: [(String, Int64)] = [
            ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
            ("s", 1_000_000_000),
        ]
        let nanoseconds = nanoseconds
        guard nanoseconds != 0 else { return "0s" }
        for (unit, factor) in units where nanoseconds % factor == 0 {
            return "\(nanoseconds / factor)\(unit)"
        }
        if nanoseconds < 1_000_000_000, nanoseconds % 1_000_000 == 0 {
            return "\(nanoseconds / 1_000_000)ms"
        }
        return DecimalText.text(nanoseconds, digits: 9) + "s"
    }
}

extension Double {
    /// A percentage from 0 to 100 as the scenario language writes it: `50%`, `0.000001%`.
    package var percentText: String {
        DecimalText.text(Int64((self * 1_000_000).rounded()), digits: 6) + "%"
    }
}

private enum DecimalText {
    /// A number that counts parts of a power of ten: 1500 with 3 digits behind the point is `1.5`.
    static func text(_ parts: Int64, digits: Int) -> String {
        let text = String(parts)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let fraction = padded.suffix(digits)
        let kept = fraction.dropLast(fraction.reversed().prefix { $0 == "0" }.count)
        return padded.dropLast(digits) + (kept.isEmpty ? "" : "." + kept)
    }
}
