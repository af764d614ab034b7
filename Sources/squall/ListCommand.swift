import RunModel
import Scenario

/// `squall list`: one scenario id a line, after matrix expansion.
struct ListCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func perform() throws(UsageError) -> ExitCode {
        let planning = Planning(arguments, reportsUnsupported: false)
        guard planning.isValid else { return .invalidScenario }
        for scenario in planning.planned { Terminal.print(scenario.id) }
        return planning.planned.isEmpty ? .nothingShown : .asPlanned
    }
}
