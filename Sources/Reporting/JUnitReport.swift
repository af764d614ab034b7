internal import EventMatching
package import RunModel
internal import StorageModel

/// The report that build servers read: one suite for each directory of scenarios.
///
/// Failed and unexpected passes are failures; errored, void and unrun `must` scenarios are errors;
/// skipped, pending, not run and expected failures are skipped; flaky ones passed. Times are on the
/// scenario's clock; the wall time is the property `wall-seconds`.
///
/// JUnit's schema has no word for a failure that is expected. As `skipped`, with its reason as the
/// message, it is counted neither as passed, which would be false, nor as failed, which would make
/// every run red; so does pytest write its `xfail`, and dashboards show it.
package enum JUnitReport {
    private enum Outcome {
        case passed, failure, error, skipped
    }

    package static func text(_ report: RunReport) -> String {
        var writer = XMLWriter()
        // The common schemas know no count of skipped tests here.
        let attributes = counts(report.results).filter { $0.0 != "skipped" } + [("name", "squall")]
        writer.element("testsuites", sorted(attributes)) { writer in
            for (name, results) in groups(report.results) {
                suite(name, results, report, &writer)
            }
            if !report.problems.isEmpty { problems(report, &writer) }
        }
        return writer.text
    }

    /// In the order in which the plan first names each directory.
    private static func groups(_ results: [ScenarioResult]) -> [(String, [ScenarioResult])] {
        var order: [String] = []
        var groups: [String: [ScenarioResult]] = [:]
        for result in results {
            let name = directory(of: result.id)
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(result)
        }
        return order.map { ($0, groups[$0] ?? []) }
    }

    /// What stands before the last slash that is not within the matrix values.
    private static func directory(of id: String) -> String {
        let path = id.prefix { $0 != "[" }
        guard let slash = path.lastIndex(of: "/") else { return "scenarios" }
        return String(path[..<slash])
    }

    private static func suite(
        _ name: String, _ results: [ScenarioResult], _ report: RunReport, _ writer: inout XMLWriter
    ) {
        writer.element("testsuite", sorted(counts(results) + [("name", name)])) { writer in
            writer.element("properties") { writer in
                for (name, value) in properties(report) {
                    writer.element("property", [("name", name), ("value", value)])
                }
            }
            for result in results { testCase(result, name, &writer) }
        }
    }

    private static func properties(_ report: RunReport) -> [(String, String)] {
        let profile = [report.profile.name] + report.profile.departures
        var properties = [
            ("client", "\(report.client.name) \(report.client.version)"),
            ("digest", report.digest),
            ("format", String(RunReport.format)),
            ("profile", profile.joined(separator: "; ")),
            ("seed", String(report.seed)),
            ("suite-digest", report.suiteDigest),
            ("suite-version", report.suiteVersion),
            ("tool-version", report.toolVersion),
            ("wall-seconds", ConsoleStyle.seconds(report.wallDuration)),
        ]
        if let file = report.client.file { properties.append(("client-file", file)) }
        if let controls = report.controls { properties.append(("controls", controls.line)) }
        return sorted(properties)
    }

    private static func counts(_ results: [ScenarioResult]) -> [(String, String)] {
        let outcomes = results.map(outcome)
        let time = results.reduce(Duration.zero) { $0 + $1.duration }
        return [
            ("tests", String(results.count)),
            ("failures", String(outcomes.count { $0 == .failure })),
            ("errors", String(outcomes.count { $0 == .error })),
            ("skipped", String(outcomes.count { $0 == .skipped })),
            ("time", ConsoleStyle.seconds(time)),
        ]
    }

    private static func sorted(_ attributes: [(String, String)]) -> [(String, String)] {
        attributes.sorted { $0.0 < $1.0 }
    }

    private static func outcome(_ result: ScenarioResult) -> Outcome {
        switch result.verdict {
        case .passed, .flaky: .passed
        case .failed, .unexpectedPass: .failure
        case .errored, .void: .error
        case .notRun: result.level == .must ? .error : .skipped
        case .skipped, .pending, .expectedFailure: .skipped
        }
    }

    private static func testCase(
        _ result: ScenarioResult, _ suite: String, _ writer: inout XMLWriter
    ) {
        var attributes = [
            ("classname", suite.replacing("/", with: ".")), ("name", result.id),
            ("time", ConsoleStyle.seconds(result.duration)),
        ]
        if !result.file.isEmpty { attributes.append(("file", result.file)) }
        let element: String? =
            switch outcome(result) {
            case .passed: nil
            case .failure: "failure"
            case .error: "error"
            case .skipped: "skipped"
            }
        guard let element else {
            guard result.verdict == .flaky else { return writer.element("testcase", attributes) }
            return writer.element("testcase", attributes) {
                $0.element("system-out", text: "flaky\n\(body(result))")
            }
        }
        let message = [("message", headline(result)), ("type", result.verdict.rawValue)]
        writer.element("testcase", attributes) { writer in
            writer.element(element, message, text: element == "skipped" ? "" : body(result))
            if let log = result.clientOutput, element != "skipped" {
                writer.element("system-err", text: log)
            }
        }
    }

    private static func headline(_ result: ScenarioResult) -> String {
        let first = result.failures.first.map { failure in
            (failure.subject.map { "\($0): " } ?? "") + failure.sentence
        }
        let parts = [result.verdict == .skipped ? nil : result.verdict.text, first, result.reason]
        let text = parts.compactMap(\.self).joined(separator: ": ")
        return text.isEmpty ? result.verdict.text : text
    }

    private static func body(_ result: ScenarioResult) -> String {
        FailureBlock(result, ConsoleStyle(usesColour: false)).text
    }

    /// What is wrong with the run itself, as cases of a suite of its own.
    private static func problems(_ report: RunReport, _ writer: inout XMLWriter) {
        let count = String(report.problems.count)
        let attributes = [
            ("errors", count), ("failures", "0"), ("name", "run"), ("skipped", "0"),
            ("tests", count), ("time", "0.00"),
        ]
        writer.element("testsuite", attributes) { writer in
            for (index, problem) in report.problems.enumerated() {
                let name = "\(index + 1) \(problem.kind.rawValue)"
                writer.element(
                    "testcase", [("classname", "run"), ("name", name), ("time", "0.00")]
                ) { writer in
                    let place = problem.place.map { "\($0): " } ?? ""
                    writer.element(
                        "error", [("message", problem.sentence), ("type", problem.kind.rawValue)],
                        text: place + problem.sentence)
                }
            }
        }
    }
}
