import Foundation
import Scenario

/// The scenarios of the suite, as they lie in the repository.
enum SuiteFiles {
    static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("scenarios").path

    static func plan() throws -> [PlannedScenario] { try plan([directory]) }

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
