internal import RunModel
internal import StorageModel

/// Colours and columns of the console.
struct ConsoleStyle: Sendable {
    enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case bold = "1"
        case dim = "2"
    }

    let usesColour: Bool

    func coloured(_ text: String, _ colour: Colour) -> String {
        usesColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    func coloured(_ text: String, _ verdict: Verdict) -> String {
        switch verdict {
        case .passed: coloured(text, .green)
        case .failed, .errored, .unexpectedPass, .void: coloured(text, .red)
        case .skipped, .pending, .notRun, .expectedFailure, .flaky: coloured(text, .yellow)
        }
    }

    /// Seconds with two decimals.
    static func seconds(_ duration: Duration) -> String {
        let hundredths = max(0, duration.nanoseconds) / 10_000_000
        let fraction = String(100 + hundredths % 100).dropFirst()
        return "\(hundredths / 100).\(fraction)"
    }

    /// Lines with their cells below each other, two blanks apart; the last column is left as it is.
    ///
    /// - Parameter limit: a longer cell does not push its neighbours away.
    static func columns(_ lines: [[String]], limit: Int = 48) -> [String] {
        let count = lines.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            lines.map { column < $0.count ? min($0[column].count, limit) : 0 }.max() ?? 0
        }
        return lines.map { cells in
            var line = ""
            for (column, cell) in cells.enumerated() {
                line += cell
                guard column < cells.count - 1,
                    cells[(column + 1)...].contains(where: { !$0.isEmpty })
                else { break }
                line += String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
            }
            return line
        }
    }
}
