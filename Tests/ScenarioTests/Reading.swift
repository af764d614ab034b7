import Scenario
import StorageModel

/// What reading a text gave.
struct Reading {
    let plan: ScenarioLoader.Plan

    /// Reads a whole file.
    init(_ text: String) {
        plan = ScenarioLoader().read(Array(text.utf8), file: "a.yaml", id: "a")
    }

    /// Reads a file with two lines (title and source) before the text.
    init(body text: String) { self.init("title: T\nsource: [D1]\n" + text) }

    var scenario: ScenarioFile? { plan.planned.first?.scenario }

    /// Each message with line and column; a suggestion stands behind `|`.
    var messages: [String] {
        plan.diagnostics.map { diagnostic in
            let place = "\(diagnostic.place.line):\(diagnostic.place.column)"
            let severity = diagnostic.severity == .warning ? " warning:" : ""
            let suggestion = diagnostic.suggestion.map { " | \($0)" } ?? ""
            return "\(place):\(severity) \(diagnostic.message)\(suggestion)"
        }
    }
}
