import RunModel
import Scenario

/// `squall list`: one scenario id a line, after matrix expansion.
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
        for scenario in planning.planned { Terminal.print(scenario.id) }
        return planning.planned.isEmpty ? .nothingShown : .asPlanned
    }
}
