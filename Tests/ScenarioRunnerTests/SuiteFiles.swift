import Foundation
import Glibc
import Scenario

/// The scenarios of the suite, as they lie in the repository.
enum SuiteFiles {
    static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("scenarios").path

    /// Those that are run by default, but for files that may not be read where this process may read
    /// every file.
    static func plan() throws -> [PlannedScenario] {
        let all = try all().filter { !$0.scenario.isNightly }
        return canForbid ? all : all.filter { !$0.scenario.allSteps.contains(where: forbids) }
    }

    /// With those that move very many bytes.
    static func all() throws -> [PlannedScenario] { try plan([directory]) }

    private static func forbids(_ step: Step) -> Bool {
        if case .local(.forbid) = step.verb { true } else { false }
    }

    /// False for root, which `squall run` takes the right to read everything from, and a test cannot.
    private static let canForbid = geteuid() != 0

    /// - Parameter id: of one scenario, with its row: `pause/twice`, `session/gone[status=404]`.
    static func scenario(_ id: String) throws -> PlannedScenario {
        let name = String(id.prefix { $0 != "[" })
        let row = id.dropFirst(name.count)
        let planned = try plan(["\(directory)/\(name).yaml\(row)"])
        guard planned.count == 1 else {
            throw Unusable(description: "'\(id)' stands for \(planned.count) scenarios")
        }
        return planned[0]
    }

    private static func plan(_ paths: [String]) throws -> [PlannedScenario] {
        let plan = ScenarioLoader().plan(paths)
        guard plan.isValid else { throw Unusable(description: "\(plan.diagnostics)") }
        return plan.planned
    }

    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }
}
