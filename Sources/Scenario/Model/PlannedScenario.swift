/// One scenario of a run: a file, or one row of its matrix.
package struct PlannedScenario: Sendable {
    /// The path below the given directory without `.yaml`, and the row: `partial/cut[how=reset]`.
    package let id: String
    /// The file's path as it was found.
    package let file: String
    package var scenario: ScenarioFile
    /// What this version cannot carry out yet; a scenario with such must not be run.
    package let notYetSupported: [Diagnostic]
    /// Why it is left out with the client's profile; nil: it is not.
    package var skipReason: String?
    /// What the client's profile changed in `expect`, in the order in which it was changed.
    package var rewrites: [ProfileRewrite] = []
    /// What the client tries again, and how long it waits; nil: nobody has said.
    package var retryHabit: RetryHabit?

    package init(
        id: String, file: String, scenario: ScenarioFile, notYetSupported: [Diagnostic] = []
    ) {
        self.id = id
        self.file = file
        self.scenario = scenario
        self.notYetSupported = notYetSupported
    }
}
