import StorageModel

/// Whether a scenario that is written out means the same as before.
package enum RoundTrip {
    package enum Problem: Error, Hashable, Sendable {
        /// The written text is no scenario: what the loader says.
        case refused(text: String, diagnostics: [String])
        /// It is another scenario.
        case changed(text: String, again: String)
        /// The text would be longer than a file may be: so many bytes.
        case tooLong(Int)
    }

    /// Writes a scenario, reads the text and compares the models; nil where they are equal.
    ///
    /// - Parameter write: makes the text; the writer of the project, but for tests of this check.
    package static func problem(
        with planned: PlannedScenario, write: (ScenarioFile) -> String = { $0.text() }
    ) -> Problem? {
        let text = write(planned.scenario)
        let bytes = Array(text.utf8)
        guard bytes.count <= SourceText.limit else { return .tooLong(bytes.count) }
        let plan = ScenarioLoader().read(bytes, file: planned.file, id: planned.id)
        guard plan.isValid, plan.planned.count == 1, let again = plan.planned.first else {
            return .refused(text: text, diagnostics: plan.diagnostics.map(\.text))
        }
        guard again.scenario.placeless == planned.scenario.placeless else {
            return .changed(text: text, again: again.scenario.text())
        }
        return nil
    }
}
