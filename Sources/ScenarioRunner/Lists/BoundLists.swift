import RunModel
package import Scenario
package import StorageModel

/// A client's lists, bound to the scenarios of its suite and to a day.
///
/// Where two entries fit one scenario, which is an error of the file, the first one counts.
package struct BoundLists: Sendable {
    /// An entry and what it means in the suite.
    struct Bound: Sendable {
        let list: ListedEntry.List
        /// From 0, among the entries of its list.
        let index: Int
        let entry: KnownEntry
        /// Positions in `ids`, ascending.
        let positions: [Int]
    }

    /// Of the whole suite.
    let ids: [String]
    /// Whether `ids` are all that there are.
    let isWhole: Bool
    /// In the order of the file, the failing ones first.
    let bound: [Bound]
    let flakyLimit: Int
    let today: CalendarDay
    /// What the client can do, by which counts are judged; nil: nobody knows, and no number is held
    /// against the suite.
    package var capabilities: Set<Capability>?
    private let needs: [String: SuiteIDs.Need]
    /// The ids in the suite of what is planned, by the ids of the plan.
    private let suiteIDs: [String: String]
    /// The first entry for an id of the suite.
    private let first: [String: Int]

    /// - Parameters:
    ///   - suite: of the whole suite, not of the part that is run.
    ///   - plan: what is run.
    ///   - today: the day on which an entry must not have expired.
    package init(
        _ lists: KnownLists, suite: SuiteIDs, plan: [PlannedScenario], today: CalendarDay
    ) {
        let planned = plan.map { ($0.id, $0.suiteID) }
        self.init(lists, suite: suite, suiteIDs: planned, today: today)
    }

    /// - Parameter suiteIDs: pairs of a planned id and the id that it has in the suite.
    package init(
        _ lists: KnownLists, suite: SuiteIDs, suiteIDs: [(String, String)], today: CalendarDay
    ) {
        let ids = SuiteIDs(ids: suite.ids + suiteIDs.map(\.1)).ids
        bound = [(ListedEntry.List.failing, lists.failing), (.flaky, lists.flaky)].flatMap {
            list, entries in
            entries.enumerated().map { index, entry in
                Bound(
                    list: list, index: index, entry: entry,
                    positions: entry.pattern.positions(in: ids))
            }
        }
        var first: [String: Int] = [:]
        for (index, bound) in bound.enumerated() {
            for position in bound.positions where first[ids[position]] == nil {
                first[ids[position]] = index
            }
        }
        self.ids = ids
        self.first = first
        self.suiteIDs = Dictionary(suiteIDs, uniquingKeysWith: { one, _ in one })
        self.today = today
        isWhole = suite.isWhole
        needs = suite.needs
        flakyLimit = lists.flakyLimit
    }

    /// The id in the suite of a planned scenario.
    func suiteID(_ id: String) -> String { suiteIDs[id] ?? id }

    /// How many scenarios of the whole suite a pattern stands for: those that it fits and that the
    /// client runs, whatever part of them is run now. Nil where that is not known.
    func count(of positions: [Int]) -> Int? {
        guard isWhole, let capabilities else { return nil }
        return positions.count { position in
            needs[ids[position]]?.isMet(by: capabilities) ?? true
        }
    }

    /// Whether an entry can stand for more scenarios when the suite grows.
    func canGrow(_ bound: Bound) -> Bool {
        guard bound.entry.pattern.isWild else { return false }
        return bound.positions.map { ids[$0] } != [bound.entry.pattern.text]
    }

    /// The entry that counts for a planned scenario.
    func entry(for id: String) -> Bound? { first[suiteID(id)].map { bound[$0] } }
}
