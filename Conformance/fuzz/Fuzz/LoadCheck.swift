package import Scenario
import StorageModel

/// What became of a file.
package enum LoadOutcome: Hashable, Sendable {
    /// The loader refused it and said why.
    case refused
    /// It loaded, and means the same after it was written out.
    case loaded
    /// It loaded, and the text of it in full would be longer than a file may be.
    case tooLong
    /// What must not be: one sentence, and the texts that show it.
    case finding(String, [String])
}

/// Loads a file, writes out what it means, and loads that.
package struct LoadCheck: Sendable {
    /// Rows of a matrix that are written out: the first and the last of them.
    private static let rows = 3

    private let write: @Sendable (ScenarioFile) -> String

    /// - Parameter write: makes the text; another one than the project's shows that the check works.
    package init(write: @escaping @Sendable (ScenarioFile) -> String = { $0.text() }) {
        self.write = write
    }

    package func outcome(of entry: Corpus.Entry) -> LoadOutcome {
        let plan = ScenarioLoader().read(entry.bytes, file: entry.path, id: "fuzz")
        for diagnostic in plan.diagnostics {
            if let problem = Self.problem(with: diagnostic) { return .finding(problem, []) }
        }
        guard plan.isValid else {
            return plan.planned.isEmpty
                ? .refused : .finding("an invalid file gives scenarios", [])
        }
        guard !plan.planned.isEmpty else { return .finding("neither a scenario nor an error", []) }
        var isTooLong = false
        for planned in plan.planned.prefix(Self.rows - 1) + plan.planned.suffix(1) {
            switch RoundTrip.problem(with: planned, write: write) {
            case nil: break
            case .tooLong?: isTooLong = true
            case .refused(let text, let diagnostics)?:
                return .finding(
                    "\(planned.id): written out it is refused: \(diagnostics.first ?? "")", [text])
            case .changed(let text, let again)?:
                return .finding(
                    "\(planned.id): written out it means something else", [text, again])
            }
        }
        return isTooLong ? .tooLong : .loaded
    }

    private static func problem(with diagnostic: Diagnostic) -> String? {
        if diagnostic.place.line < 1 || diagnostic.place.column < 1 {
            return "a message without a place: \(diagnostic.message)"
        }
        if diagnostic.message.isEmpty || diagnostic.text.isEmpty { return "an empty message" }
        return nil
    }
}
