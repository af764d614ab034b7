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
        let files = Set(planning.planned.map(\.file).filter { !GeneratedMatrix.holds($0) }).count
        let generated = planning.planned.count { GeneratedMatrix.holds($0.file) }
        Terminal.print(
            "\(files) files, \(planning.planned.count) scenarios"
                + (generated == 0 ? ": " : ", \(generated) of them generated: ")
                + (refused.isEmpty ? "all valid" : "\(refused.count) not yet supported"))
        return refused.isEmpty ? .asPlanned : .invalidScenario
    }
}
