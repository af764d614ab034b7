/// A condition on a number: `5`, `>= 5`, `< 1MiB`, `4..8` (both included), `4..`, `..8`.
package struct NumberTest: Hashable, Sendable, CustomStringConvertible {
    /// What the numbers in the text are.
    package enum Unit: Hashable, Sendable {
        case count
        /// Bytes.
        case size
        /// Nanoseconds.
        case duration
        /// A plain decimal number, as for `fraction` and `growth`.
        case plain
    }

    private let lower: Double?
    private let includesLower: Bool
    private let upper: Double?
    private let includesUpper: Bool
    package let unit: Unit
    /// True when the numbers are percentages of a whole that the caller knows.
    package let isPercent: Bool
    package let description: String

    /// Reads a test; nil for text that is none.
    package init?(_ text: String, unit: Unit) {
        let squeezed = text.filter { $0 != " " }
        let isPercent = squeezed.hasSuffix("%") && (unit == .size || unit == .count)
        func value(_ text: Substring) -> Double? { Self.value(text, unit, isPercent) }
        var lower: Double?
        var upper: Double?
        var includesLower = true
        var includesUpper = true
        if let (sign, rest) = Self.comparison(squeezed) {
            guard let number = value(rest) else { return nil }
            if sign.hasPrefix(">") { lower = number } else { upper = number }
            includesLower = sign != ">"
            includesUpper = sign != "<"
        } else if let dots = Self.dots(in: squeezed) {
            lower = value(squeezed[..<dots.lowerBound])
            upper = value(squeezed[dots.upperBound...])
            let hasLower = dots.lowerBound > squeezed.startIndex
            let hasUpper = dots.upperBound < squeezed.endIndex
            guard hasLower == (lower != nil), hasUpper == (upper != nil), hasLower || hasUpper
            else { return nil }
            if let lower, let upper, lower > upper { return nil }
        } else {
            guard let number = value(squeezed[...]) else { return nil }
            (lower, upper) = (number, number)
        }
        self.lower = lower
        self.upper = upper
        self.includesLower = includesLower
        self.includesUpper = includesUpper
        self.unit = unit
        self.isPercent = isPercent
        description = text
    }

    /// The least whole number that fits, where every larger one does, too; else nil.
    package var leastWholeNumber: Int64? {
        guard !isPercent, upper == nil, let lower else { return nil }
        let least = lower.rounded(.up)
        guard let whole = Int64(exactly: least) else { return nil }
        return least == lower && !includesLower ? whole + 1 : whole
    }

    /// - Parameter whole: what 100 % is, for a test of percentages.
    package func holds(_ number: Double, whole: Double? = nil) -> Bool {
        var number = number
        if isPercent {
            guard let whole, whole > 0 else { return false }
            number = number * 100 / whole
        }
        if let lower, includesLower ? number < lower : number <= lower { return false }
        if let upper, includesUpper ? number > upper : number >= upper { return false }
        return true
    }

    package func holds(_ number: Int64, whole: Int64? = nil) -> Bool {
        holds(Double(number), whole: whole.map(Double.init))
    }

    package func holds(_ duration: Duration) -> Bool { holds(Double(duration.nanoseconds)) }

    /// The same test with its bounds moved apart, for clocks that are not exact.
    package func widened(lowerBy: Double, upperBy: Double, factor: Double = 1) -> NumberTest {
        NumberTest(
            lower: lower.map { $0 * factor - lowerBy }, includesLower: includesLower,
            upper: upper.map { $0 * factor + upperBy }, includesUpper: includesUpper, unit: unit,
            isPercent: isPercent, description: description)
    }

    /// The same test without its lower bound; nil where it has no other.
    package var withoutLower: NumberTest? {
        upper.map { NumberTest(nil, false, $0, includesUpper, like: self) }
    }

    /// The same test without its upper bound; nil where it has no other.
    package var withoutUpper: NumberTest? {
        lower.map { NumberTest($0, includesLower, nil, false, like: self) }
    }

    /// The same test with its upper bound so much higher.
    package func raisingUpper(by more: Double) -> NumberTest {
        guard let upper else { return self }
        return NumberTest(lower, includesLower, upper + more, includesUpper, like: self)
    }

    /// Between two whole numbers, both included; nil: without bound on that side.
    package static func range(_ lower: Int64?, _ upper: Int64?, _ unit: Unit) -> NumberTest {
        let text =
            "\(lower.map { Self.text(Double($0), unit, false) } ?? "").."
            + "\(upper.map { Self.text(Double($0), unit, false) } ?? "")"
        return NumberTest(
            lower: lower.map(Double.init), includesLower: true, upper: upper.map(Double.init),
            includesUpper: true, unit: unit, isPercent: false, description: text)
    }

    /// This whole number and no other.
    package static func exactly(_ number: Int64, _ unit: Unit) -> NumberTest {
        NumberTest(
            lower: Double(number), includesLower: true, upper: Double(number),
            includesUpper: true, unit: unit, isPercent: false,
            description: Self.text(Double(number), unit, false))
    }

    /// The upper bound, in the numbers of the unit; nil: there is none.
    package var upperBound: Double? { upper }

    /// The lower bound, in the numbers of the unit; nil: there is none.
    package var lowerBound: Double? { lower }

    private init(
        _ lower: Double?, _ includesLower: Bool, _ upper: Double?, _ includesUpper: Bool,
        like other: NumberTest
    ) {
        func text(_ number: Double) -> String { Self.text(number, other.unit, other.isPercent) }
        let description: String
        switch (lower, upper) {
        case (let lower?, nil): description = (includesLower ? ">= " : "> ") + text(lower)
        case (nil, let upper?): description = (includesUpper ? "<= " : "< ") + text(upper)
        case (let lower?, let upper?): description = "\(text(lower))..\(text(upper))"
        case (nil, nil): description = ""
        }
        self.init(
            lower: lower, includesLower: includesLower, upper: upper,
            includesUpper: includesUpper, unit: other.unit, isPercent: other.isPercent,
            description: description)
    }

    private static func text(_ number: Double, _ unit: Unit, _ isPercent: Bool) -> String {
        let nearest = Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
        let whole = number == number.rounded() ? "\(nearest)" : "\(number)"
        if isPercent { return whole + "%" }
        switch unit {
        case .count, .plain: return whole
        case .size: return nearest.sizeText
        case .duration: return Duration.nanoseconds(nearest).scenarioText
        }
    }

    private init(
        lower: Double?, includesLower: Bool, upper: Double?, includesUpper: Bool, unit: Unit,
        isPercent: Bool, description: String
    ) {
        self.lower = lower
        self.includesLower = includesLower
        self.upper = upper
        self.includesUpper = includesUpper
        self.unit = unit
        self.isPercent = isPercent
        self.description = description
    }

    private static func comparison(_ text: String) -> (String, Substring)? {
        for sign in [">=", "<=", ">", "<"] where text.hasPrefix(sign) {
            return (sign, text.dropFirst(sign.count))
        }
        return nil
    }

    private static func dots(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("..") { return index..<text.index(index, offsetBy: 2) }
            index = text.index(after: index)
        }
        return nil
    }

    private static func value(_ text: Substring, _ unit: Unit, _ isPercent: Bool) -> Double? {
        if isPercent {
            return ScalarText.percent(text.hasSuffix("%") ? String(text) : text + "%")
        }
        switch unit {
        case .count, .size: return ScalarText.size(text).map(Double.init)
        case .duration: return ScalarText.duration(text).map { Double($0.nanoseconds) }
        case .plain:
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
                return nil
            }
            return Double(text)
        }
    }
}
