import Scenario
import StorageModel

/// Finds the scenarios that a command line means, and says what is wrong with the files.
struct Planning {
    let planned: [PlannedScenario]
    /// Nothing is wrong with the files; what cannot be carried out yet may be among them.
    let isValid: Bool

    /// Reads the paths (`scenarios` without any), keeps what a filter lets through, and writes the
    /// diagnostics to standard error.
    ///
    /// - Parameter reportsUnsupported: whether what cannot be carried out yet is told as well.
    init(_ arguments: ParsedArguments, reportsUnsupported: Bool = true) {
        let paths = arguments.paths.isEmpty ? [Installation.suite] : arguments.paths
        let plan = ScenarioLoader().plan(paths)
        for diagnostic in plan.diagnostics
        where reportsUnsupported || diagnostic.kind == .invalid {
            Terminal.error(diagnostic.text)
        }
        let filters = arguments.values("--filter").map(Glob.init)
        planned = plan.planned.filter { scenario in
            filters.isEmpty || filters.contains { $0.matches(scenario.id) }
        }
        isValid = plan.isValid
        for filter in filters where !plan.planned.contains(where: { filter.matches($0.id) }) {
            Terminal.error("squall: no scenario fits --filter '\(filter)'")
        }
    }
}
