/// The ids of the scenarios that a client's lists can mean: those of whole suites, whatever part of
/// them is run.
package struct SuiteIDs: Sendable {
    /// Each once, sorted.
    package let ids: [String]
    /// False where a file of the suites cannot be read: what is missing may be in it.
    package let isWhole: Bool

    package init(ids: [String], isWhole: Bool = true) {
        self.ids = Set(ids).sorted()
        self.isWhole = isWhole
    }

    /// Reads the suites around planned scenarios, and others.
    ///
    /// - Parameters:
    ///   - planned: of which those that lie in no suite count by themselves.
    ///   - suites: folders; one that cannot be read as a suite is left out.
    package static func around(
        _ planned: [PlannedScenario], and suites: [String] = []
    ) -> SuiteIDs {
        var folders = Set(suites.compactMap { SuitePlace($0)?.suite })
        for file in Set(planned.map(\.file)) {
            if let place = SuitePlace(file) { folders.insert(place.suite) }
        }
        var ids = planned.map(\.suiteID)
        var isWhole = true
        for folder in folders.sorted() {
            let plan = ScenarioLoader().plan([folder])
            ids += plan.planned.map(\.id)
            if !plan.isValid { isWhole = false }
        }
        return SuiteIDs(ids: ids, isWhole: isWhole)
    }

    /// The id that a scenario has in its suite, where the file lies in one: the path below the suite
    /// and the row, however the command line reached it.
    ///
    /// - Parameter id: as it was planned, with its row.
    package static func id(of id: String, file: String) -> String {
        guard let place = SuitePlace(file) else { return id }
        return place.prefix + ScenarioPath.id(ofFile: file) + id.drop { $0 != "[" }
    }
}

extension PlannedScenario {
    /// The id below the suite that the file lies in; the planned id where it lies in none.
    package var suiteID: String { SuiteIDs.id(of: id, file: file) }
}
