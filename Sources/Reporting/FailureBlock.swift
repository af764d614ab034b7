internal import EventMatching
internal import RunModel
internal import StorageModel

/// All that is said about one scenario that is not as it should be.
struct FailureBlock {
    private let result: ScenarioResult
    private let style: ConsoleStyle
    /// More failures of one scenario are only counted.
    private static let shownFailures = 5
    /// Characters of an error in the client's words.
    private static let shownWords = 200
    /// Lines of the client's log.
    private static let shownLines = 10

    init(_ result: ScenarioResult, _ style: ConsoleStyle) {
        self.result = result
        self.style = style
    }

    /// One line, for what does not make a run red, and one for each earlier try.
    var short: String {
        let reason = result.reason.map { " (\(clean($0)))" } ?? ""
        return ([headline + reason] + tries).map { $0 + "\n" }.joined()
    }

    private var tries: [String] {
        result.earlierTries.enumerated().map { index, earlier in
            let sentence = earlier.sentence.map { ": \(clean($0))" } ?? ""
            return
                "  try \(index + 1) with seed \(earlier.seed): \(earlier.verdict.text)\(sentence)"
        }
    }

    var text: String {
        var lines = [headline]
        if !result.title.isEmpty { lines.append("  \(clean(result.title))") }
        lines += tries
        for failure in result.failures.prefix(1) { lines += details(failure) }
        for failure in result.failures.dropFirst().prefix(Self.shownFailures - 1) {
            lines.append("  also: \(sentence(failure))\(place(failure))")
            lines += differenceLines(failure)
        }
        let hidden = result.failures.count - Self.shownFailures
        if hidden > 0 { lines.append("  and \(hidden) more") }
        lines += ownErrors
        lines += result.unfiredFaults.map { fault in
            let place = fault.place.map { " (\($0))" } ?? ""
            return
                "  fault '\(clean(fault.name))' never fired: \(clean(fault.sentence))\(clean(place))"
        }
        if let reason = result.reason { lines.append("  \(clean(reason))") }
        lines += clientOutput
        if let command = result.repeatCommand {
            lines.append("  repeat: \(style.coloured(clean(command), .bold))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// What the client itself called the errors of its tasks, and said of them.
    private var ownErrors: [String] {
        result.tasks.compactMap { task in
            let ends = task.events.map(\.error) + task.completions.map(\.error)
            guard let error = ends.compactMap(\.self).last,
                ![error.name, error.message].allSatisfy({ ["", error.code.rawValue].contains($0) })
            else { return nil }
            let words = [error.name, error.message].filter { !$0.isEmpty }.joined(separator: ": ")
            return "  \(clean(task.name))'s error in the client's words: "
                + String(clean(words).prefix(Self.shownWords))
        }.prefix(Self.shownFailures).map(\.self)
    }

    /// The last lines of the client's own log.
    private var clientOutput: [String] {
        let lines = (result.clientOutput ?? "").split(separator: "\n").suffix(Self.shownLines)
        guard !lines.isEmpty else { return [] }
        return ["  the client's log ended so:"] + lines.map { "    | \(clean(String($0)))" }
    }

    private func clean(_ text: String) -> String { PlainText.oneLine(text) }

    private var headline: String {
        "\(style.coloured(result.verdict.text.uppercased(), result.verdict)) \(idAndFailure)"
    }

    /// The id and its first failure, in one line.
    var idAndFailure: String {
        let id = style.coloured(clean(result.id), .bold)
        return id + (result.failures.first.map { ": \(sentence($0))" } ?? "")
    }

    private func sentence(_ failure: Failure) -> String {
        // Most sentences begin with their subject, or name it.
        let subject =
            failure.subject.map { subject in
                let isNamed =
                    failure.sentence.hasPrefix("\(subject): ")
                    || failure.sentence.contains("'\(subject)'")
                return isNamed ? "" : "\(subject): "
            } ?? ""
        let invariant = failure.invariant.map { " [\($0.rawValue)]" } ?? ""
        return clean("\(subject)\(failure.sentence)\(invariant)")
    }

    private func place(_ failure: Failure) -> String {
        failure.place.map { " (\(clean($0.description)))" } ?? ""
    }

    private func details(_ failure: Failure) -> [String] {
        var lines = rules(failure).map { "  \($0.name): \($0.sentence)" }
        lines += differenceLines(failure)
        lines += failure.notes.map { "  \(clean($0))" }
        let place = failure.place?.description ?? result.file
        if !place.isEmpty { lines.append("  at \(clean(place))") }
        return lines
    }

    /// The rules that the scenario cites, and that of the invariant that did not hold.
    private func rules(_ failure: Failure) -> [Rule] {
        let cited = result.sources.compactMap(RuleBook.rule(named:))
        let watched = failure.invariant.flatMap { RuleBook.rule(ofInvariant: $0.rawValue) }
        return cited + [watched].compactMap { $0 }.filter { !cited.contains($0) }
    }

    private func differenceLines(_ failure: Failure) -> [String] {
        guard let difference = failure.difference, !difference.rows.isEmpty else { return [] }
        return DifferenceTable(difference).lines.map { mark, text in
            switch mark {
            case nil: "    " + style.coloured(text, .dim)
            case .same?: "    " + text
            case .missing?, .unexpected?, .differs?: "    " + style.coloured(text, .red)
            }
        }
    }
}

/// A difference as lines of columns: mark, time, expected, seen, what the server did.
struct DifferenceTable {
    /// The lines with the mark of their row; nil for the head.
    let lines: [(mark: Difference.Mark?, text: String)]

    init(_ difference: Difference) {
        let parting = difference.firstParting
        let cells = difference.rows.enumerated().map { index, row in
            [
                (index == parting ? ">" : " ") + Self.sign(row.mark),
                row.time.map(ReportText.time) ?? "",
                row.expected ?? (row.mark == .unexpected ? "(nothing)" : ""),
                row.seen ?? "(nothing)", row.cause.map { "<- \($0)" } ?? "",
            ].map(PlainText.oneLine)
        }
        let head = ["  ", "time", "expected", "seen", ""]
        let texts = ConsoleStyle.columns([head] + cells)
        let marks: [Difference.Mark?] = [nil] + difference.rows.map(\.mark)
        lines = Array(zip(marks, texts)).map { ($0, $1) }
    }

    private static func sign(_ mark: Difference.Mark) -> String {
        switch mark {
        case .same: " "
        case .differs: "~"
        case .missing: "-"
        case .unexpected: "+"
        }
    }
}
