internal import StorageModel

/// How often a part of a pattern comes, both bounds included.
package struct Repetition: Hashable, Sendable, CustomStringConvertible {
    package let lower: Int
    /// Nil: without end.
    package let upper: Int?

    package static let once = Repetition(lower: 1, upper: 1)
    package static let optional = Repetition(lower: 0, upper: 1)
    package static let any = Repetition(lower: 0, upper: nil)
    package static let some = Repetition(lower: 1, upper: nil)

    /// - Parameters:
    ///   - lower: 0 or more.
    ///   - upper: `lower` or more.
    package init(lower: Int, upper: Int?) {
        precondition(lower >= 0 && lower <= upper ?? .max)
        self.lower = lower
        self.upper = upper
    }

    /// Reads a number test on whole numbers: `12`, `2..5`, `2..`, `..5`, `>= 2`, `< 3`.
    ///
    /// Nil for other text, and for a test that no number or nothing but numbers below 0 passes.
    package init?(times text: String) {
        let squeezed = text.filter { $0 != " " }
        func number(_ text: some StringProtocol) -> Int? {
            ScalarText.size(text).flatMap { Int(exactly: $0) }
        }
        for sign in [">=", "<=", ">", "<"] where squeezed.hasPrefix(sign) {
            guard let bound = number(squeezed.dropFirst(sign.count)) else { return nil }
            switch sign {
            case ">=": self.init(lower: bound, upper: nil)
            case ">":
                guard bound < .max else { return nil }
                self.init(lower: bound + 1, upper: nil)
            case "<=": self.init(lower: 0, upper: bound)
            default:
                guard bound > 0 else { return nil }
                self.init(lower: 0, upper: bound - 1)
            }
            return
        }
        let parts = squeezed.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 1 {
            guard let count = number(squeezed) else { return nil }
            self.init(lower: count, upper: count)
            return
        }
        guard parts.count == 3, parts[1].isEmpty, !(parts[0].isEmpty && parts[2].isEmpty) else {
            return nil
        }
        let (lower, upper) = (number(parts[0]), number(parts[2]))
        guard parts[0].isEmpty == (lower == nil), parts[2].isEmpty == (upper == nil),
            lower ?? 0 <= upper ?? .max
        else { return nil }
        self.init(lower: lower ?? 0, upper: upper)
    }

    /// As it is written behind a name: empty for once.
    package var description: String {
        switch (lower, upper) {
        case (1, 1): ""
        case (0, 1): "?"
        case (0, nil): "*"
        case (1, nil): "+"
        case (let lower, nil): " x\(lower).."
        case (let lower, let upper?): lower == upper ? " x\(lower)" : " x\(lower)..\(upper)"
        }
    }
}
