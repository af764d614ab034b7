import RunModel
import Scenario

/// `squall check`: reads files and says what is wrong with them.
struct CheckCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func perform() throws(UsageError) -> ExitCode {
        let planning = Planning(arguments)
        guard planning.isValid else { return .invalidScenario }
        let refused = planning.planned.filter { !$0.notYetSupported.isEmpty }
        let files = Set(planning.planned.map(\.file)).count
        Terminal.print(
            "\(files) files, \(planning.planned.count) scenarios: "
                + (refused.isEmpty ? "all valid" : "\(refused.count) not yet supported"))
        return refused.isEmpty ? .asPlanned : .invalidScenario
    }
}
