internal import EventMatching
package import RunModel
internal import StorageModel

/// The report for a person at a terminal or in a log.
package struct ConsoleReport: Sendable {
    /// Whether the output is a terminal: only there is progress shown.
    package let isTerminal: Bool
    private let style: ConsoleStyle

    /// - Parameter environment: `NO_COLOR` with any value but an empty one switches colours off.
    ///   Source: no-color.org.
    package init(isTerminal: Bool, environment: [String: String] = [:]) {
        self.isTerminal = isTerminal
        let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        style = ConsoleStyle(usesColour: isTerminal && !isPlain)
    }

    /// The whole report: what is not as it should be, then the summary.
    package func text(_ report: RunReport) -> String {
        let blocks =
            blocks(report.results) + problems(report) + [reasons(report)]
            + report.remarks.map { "note: \(PlainText.oneLine($0))\n" }
        return blocks.filter { !$0.isEmpty }.map { $0 + "\n" }.joined() + summary(report)
    }

    /// What is red by the lists first, for a line is to be deleted; what is known last.
    private func blocks(_ results: [ScenarioResult]) -> [String] {
        let isKnown = { (result: ScenarioResult) in
            result.verdict == .expectedFailure && result.listed != nil
        }
        let first = results.filter { $0.verdict == .unexpectedPass }
        let others = results.filter { $0.verdict != .unexpectedPass && !isKnown($0) }
        return (first + others).compactMap(block)
            + [KnownFailures(results.filter(isKnown), style).text]
    }

    /// The live line; it overwrites itself. Empty where the output is no terminal.
    ///
    /// - Parameters:
    ///   - done: scenarios that are over.
    ///   - red: those of them that make the run red.
    ///   - current: the id of one that is under way.
    ///   - width: columns of the terminal; the line is never longer.
    package func progress(
        done: Int, planned: Int, red: Int, current: String?, width: Int = 80
    ) -> String {
        guard isTerminal else { return "" }
        var line = "\(done)/\(planned)"
        if red > 0 { line += ", \(red) red" }
        if let current { line += "  \(PlainText.oneLine(current))" }
        return "\r\u{1B}[K" + line.prefix(max(1, width - 1))
    }

    /// Takes the live line away; empty where the output is no terminal.
    package var progressEnd: String { isTerminal ? "\r\u{1B}[K" : "" }

    /// What there is to say about one scenario; nil for one that is as it should be.
    package func block(_ result: ScenarioResult) -> String? {
        switch result.verdict {
        case .passed where result.earlierTries.isEmpty: nil
        case .pending where result.failures.isEmpty: nil
        case .skipped, .notRun: nil
        case .passed, .pending, .expectedFailure, .flaky: FailureBlock(result, style).short
        case .failed, .errored, .void, .unexpectedPass: FailureBlock(result, style).text
        }
    }

    /// The counts with the wall time, what the controls have shown, where there were any, and what it
    /// takes to compare the run: a line each.
    package func summary(_ report: RunReport) -> String {
        let summary = report.summary
        var parts: [String] = []
        for verdict in Verdict.allCases {
            let count = summary[verdict]
            guard count > 0 || verdict == .passed || verdict == .failed else { continue }
            let text = "\(count) \(verdict.text)"
            parts.append(count > 0 ? style.coloured(text, verdict) : text)
        }
        let counts = "\(summary.planned) planned: \(parts.joined(separator: ", "))"
        return "\(counts) (\(ConsoleStyle.seconds(report.wallDuration)) s)\n"
            + controls(report) + "\(identity(report))\n"
    }

    private func identity(_ report: RunReport) -> String {
        let file = report.client.file.map { " (\($0))" } ?? ""
        let client = PlainText.oneLine("\(report.client.name) \(report.client.version)\(file)")
        let count = report.profile.departures.count
        let departures = count == 0 ? "" : " with \(count) departure\(count == 1 ? "" : "s")"
        let mode =
            switch report.mode {
            case .virtual: "virtual time"
            case .wall(let scale): "wall time x \(scale)"
            }
        return "squall \(report.toolVersion), suite \(report.suiteVersion), \(client), "
            + "profile \(PlainText.oneLine(report.profile.name))\(departures), \(mode), "
            + "seed \(report.seed), digest \(report.digest)"
    }

    private func controls(_ report: RunReport) -> String {
        guard let controls = report.controls else { return "" }
        let isGood = controls.problems.isEmpty
        let line = [controls.line, controls.twinLine].compactMap(\.self).joined(separator: "; ")
        return (isGood ? line : style.coloured(line, .red)) + "\n"
    }

    private func problems(_ report: RunReport) -> [String] {
        report.problems.map { problem in
            let place = problem.place.map { "\($0): " } ?? ""
            return PlainText.oneLine(
                "\(place)\(problem.kind.rawValue.replacing("-", with: " ")): \(problem.sentence)")
                + "\n"
        }
    }

    /// Scenarios that did not run, counted by reason.
    private func reasons(_ report: RunReport) -> String {
        var lines = ""
        for verdict in [Verdict.skipped, .notRun, .pending] {
            let results = report.results.filter { $0.verdict == verdict }
            let groups = Dictionary(grouping: results) { $0.reason ?? "no reason given" }
            for (reason, group) in groups.sorted(by: { $0.key < $1.key }) {
                lines += "\(group.count) \(verdict.text): \(PlainText.oneLine(reason))\n"
            }
        }
        return lines
    }
}
