import FaultEngine
package import StorageModel

/// The ids of the scenarios that a client's lists can mean: those of whole suites, whatever part of
/// them is run.
package struct SuiteIDs: Sendable {
    /// Each once, sorted.
    package let ids: [String]
    /// False where a file of the suites cannot be read: what is missing may be in it.
    package let isWhole: Bool
    /// Ids of those that are not run whatever the client can do, and what it has to be able to do
    /// for the others; an id that is not here needs nothing.
    package let needs: [String: Need]

    /// What a scenario needs to be run.
    package enum Need: Hashable, Sendable {
        case capabilities(Set<Capability>)
        /// It is skipped, or came after the suite that the client is pinned to.
        case never

        /// - Parameters:
        ///   - planned: rewritten for the client's profile.
        ///   - pinned: the suite that the client is pinned to; nil: none.
        package init(onWallClock planned: PlannedScenario, pinned: SuiteVersion? = nil) {
            let scenario = planned.scenario
            let isLater = pinned.map { scenario.since > $0 } ?? false
            let isSkipped =
                scenario.clock == .virtual || !planned.notYetSupported.isEmpty
                || planned.skipReason != nil || scenario.faults.contains(where: \.needsTLS)
            self =
                isLater || isSkipped ? .never : .capabilities(scenario.requiredCapabilities)
        }

        package func isMet(by capabilities: Set<Capability>) -> Bool {
            guard case .capabilities(let needed) = self else { return false }
            return needed.isSubset(of: capabilities)
        }
    }

    package init(ids: [String], isWhole: Bool = true, needs: [String: Need] = [:]) {
        self.ids = Set(ids).sorted()
        self.isWhole = isWhole
        self.needs = needs
    }

    /// Reads the suites around planned scenarios, and others.
    ///
    /// - Parameters:
    ///   - planned: of which those that lie in no suite count by themselves.
    ///   - suites: folders; one that cannot be read as a suite is left out.
    ///   - hasGenerated: whether the rows of the generated matrix are meant too.
    ///   - need: of each of their scenarios.
    package static func around(
        _ planned: [PlannedScenario], and suites: [String] = [], hasGenerated: Bool = false,
        need: (PlannedScenario) -> Need = { _ in .capabilities([]) }
    ) -> SuiteIDs {
        var folders = Set(suites.compactMap { SuitePlace($0)?.suite })
        for file in Set(planned.map(\.file)) where !GeneratedMatrix.holds(file) {
            if let place = SuitePlace(file) { folders.insert(place.suite) }
        }
        var ids = planned.map(\.suiteID)
        var needs: [String: Need] = [:]
        for scenario in planned { needs[scenario.suiteID] = need(scenario) }
        var isWhole = true
        for folder in folders.sorted() {
            let plan = ScenarioLoader().plan([folder])
            ids += plan.planned.map(\.id)
            for scenario in plan.planned { needs[scenario.id] = need(scenario) }
            if !plan.isValid { isWhole = false }
        }
        for row in hasGenerated ? GeneratedMatrix.planned : [] {
            ids.append(row.id)
            needs[row.id] = need(row)
        }
        return SuiteIDs(ids: ids, isWhole: isWhole, needs: needs)
    }

    /// The id that a scenario has in its suite, where the file lies in one: the path below the suite
    /// and the row, however the command line reached it.
    ///
    /// - Parameter id: as it was planned, with its row.
    package static func id(of id: String, file: String) -> String {
        guard !GeneratedMatrix.holds(file), let place = SuitePlace(file) else { return id }
        return place.prefix + ScenarioPath.id(ofFile: file) + id.drop { $0 != "[" }
    }
}

extension PlannedScenario {
    /// The id below the suite that the file lies in; the planned id where it lies in none.
    package var suiteID: String { SuiteIDs.id(of: id, file: file) }
}
