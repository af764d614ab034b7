package import Scenario
package import StorageModel

/// The scenarios of a suite, and the published rules that they may cite.
package struct SuiteUnderTest: Sendable {
    /// In the order of the suite.
    package let plan: [PlannedScenario]

    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameters:
    ///   - paths: files or folders of scenarios.
    ///   - filters: ids that are meant; none: all.
    /// - Throws: `Unusable` with what is wrong with the files.
    package init(_ paths: [String], filters: [Glob] = []) throws(Unusable) {
        let loaded = ScenarioLoader().plan(paths)
        guard loaded.isValid else {
            throw Unusable(
                description: loaded.diagnostics.map(\.text).joined(separator: "\n"))
        }
        plan = loaded.planned.filter { planned in
            filters.isEmpty || filters.contains { $0.matches(planned.id) }
        }
    }

    /// A suite of scenarios that were chosen before.
    package init(_ plan: [PlannedScenario]) { self.plan = plan }

    package func scenarios(_ ids: Set<String>) -> [PlannedScenario] {
        plan.filter { ids.contains($0.id) }
    }

    /// The published rules, in their order.
    package static let rules: [String] = RuleBook.all.filter { $0.kind != .robustness }.map(\.name)
}
