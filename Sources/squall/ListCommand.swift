import RunModel
import Scenario

/// `squall list`: one scenario id a line, after matrix expansion; with a profile also what it leaves
/// out, and on request what it expects; or the scenarios that are about what a user says.
struct ListCommand {
    private let arguments: ParsedArguments
    private let selection: Planning.Selection

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        selection = try Planning.Selection(arguments)
        try SymptomSearch(arguments).check()
    }

    func perform() throws(UsageError) -> ExitCode {
        if arguments.has("--undecided") { return try listUndecided() }
        let planning = Planning(arguments, selection, reportsUnsupported: false)
        guard planning.isValid else { return .invalidScenario }
        if arguments.has("--show") { return try show(planning.planned) }
        if arguments.has("--symptom") { return SymptomSearch(arguments).show(planning.planned) }
        if arguments.has("--coverage") {
            Terminal.write(CoveragePage.text(CoverageTable(planning.found)))
            return .asPlanned
        }
        if arguments.has("--markdown") {
            Terminal.write(SuitePage(SuiteContents(planning.planned)).text)
            return planning.planned.isEmpty ? .nothingShown : .asPlanned
        }
        let name = arguments.value("--profile")
        guard name != nil || arguments.has("--expect") else {
            for scenario in planning.planned { Terminal.print(scenario.id) }
            return planning.planned.isEmpty ? .nothingShown : .asPlanned
        }
        let profile = try ProfileChoice(name).profile
        for scenario in planning.planned.map(profile.rewriting) {
            let listing = ProfileListing(scenario, showsExpectation: arguments.has("--expect"))
            for line in listing.lines { Terminal.print(line) }
        }
        return planning.planned.isEmpty ? .nothingShown : .asPlanned
    }

    private func listUndecided() throws(UsageError) -> ExitCode {
        guard arguments.paths.isEmpty, selection.filters.isEmpty else {
            throw UsageError("--undecided is about the whole generated matrix")
        }
        for row in GeneratedMatrix.undecided { Terminal.print(row.id) }
        return .asPlanned
    }

    /// The text of one file; of a row of its matrix the file that has it.
    private func show(_ planned: [PlannedScenario]) throws(UsageError) -> ExitCode {
        let files = Set(planned.map(\.file))
        guard let file = files.first, files.count == 1 else {
            throw UsageError("--show prints one scenario, and \(files.count) are meant")
        }
        guard let text = ScenarioLoader.text(ofFile: file) else {
            throw UsageError("\(file) cannot be read")
        }
        Terminal.write(text)
        return .asPlanned
    }
}
