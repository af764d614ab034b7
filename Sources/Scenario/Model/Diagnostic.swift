package import StorageModel

/// What is wrong with a file, and where.
package struct Diagnostic: Error, Hashable, Sendable, Comparable {
    package enum Severity: String, Hashable, Sendable {
        case error
        case warning
    }

    package enum Kind: Hashable, Sendable {
        /// The file is wrong.
        case invalid
        /// The file is right, and this version cannot carry it out.
        case notYetSupported
    }

    package var severity: Severity
    package var kind: Kind
    package var place: SourcePlace
    /// One sentence without a full stop, in lower case: `unknown action 'droop'`.
    package var message: String
    /// What was probably meant: `drop`.
    package var suggestion: String?
    /// The line of the file that `place` names, without its end; nil where there is none.
    package var sourceLine: String?

    package init(
        severity: Severity = .error, kind: Kind = .invalid, place: SourcePlace, message: String,
        suggestion: String? = nil, sourceLine: String? = nil
    ) {
        self.severity = severity
        self.kind = kind
        self.place = place
        self.message = message
        self.suggestion = suggestion
        self.sourceLine = sourceLine
    }

    /// The whole message as a compiler writes it: place, sentence, line, caret, suggestion.
    package var text: String {
        var lines = ["\(place): \(severity.rawValue): \(message)"]
        if let sourceLine {
            let (part, column) = Self.window(of: sourceLine, around: place.column)
            lines.append("  " + part)
            lines.append("  " + Self.indentation(of: part, to: column) + "^")
        }
        if let suggestion { lines.append("  did you mean '\(suggestion)'?") }
        return lines.joined(separator: "\n")
    }

    package static func < (one: Diagnostic, other: Diagnostic) -> Bool {
        (one.place.file, one.place.line, one.place.column, one.message)
            < (other.place.file, other.place.line, other.place.column, other.message)
    }

    /// The part of a long line around a column, and the column in it.
    private static func window(of line: String, around column: Int) -> (String, Int) {
        let reach = 80
        let scalars = Array(line.unicodeScalars)
        guard scalars.count > 2 * reach else { return (line, column) }
        let first = max(0, min(column - 1, scalars.count) - reach)
        let end = min(scalars.count, column - 1 + reach)
        guard first > 0 || end < scalars.count, first < end else { return (line, column) }
        let part = String(String.UnicodeScalarView(scalars[first..<end]))
        return (
            (first > 0 ? "..." : "") + part + (end < scalars.count ? "..." : ""),
            column - first + (first > 0 ? 3 : 0)
        )
    }

    /// As wide as the part of the line before the column: tabs stay tabs.
    private static func indentation(of line: String, to column: Int) -> String {
        let part = line.unicodeScalars.prefix(max(column - 1, 0))
        return String(String.UnicodeScalarView(part.map { $0 == "\t" ? $0 : " " }))
    }
}
