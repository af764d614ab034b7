import RunModel
import Scenario

/// `squall list`: one scenario id a line, after matrix expansion; with a profile also what it leaves
/// out, and on request what it expects.
struct ListCommand {
    private let arguments: ParsedArguments
    private let selection: Planning.Selection

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        selection = try Planning.Selection(arguments)
    }

    func perform() throws(UsageError) -> ExitCode {
        let planning = Planning(arguments, selection, reportsUnsupported: false)
        guard planning.isValid else { return .invalidScenario }
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
}
