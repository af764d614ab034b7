import Scenario
import StorageModel

/// In which order scenarios are begun, and which of them a budget of time leaves out.
struct RunOrder {
    private let times: [Duration]
    private let budget: Duration?
    /// When the budget begins to be spent.
    private let start: ContinuousClock.Instant
    /// The part of it that is for what comes after these scenarios.
    private let reserve: Duration
    private var rest: [Int]
    /// What the budget has left out so far, by the place in the plan.
    private(set) var leftOut: Set<Int> = []

    /// - Parameters:
    ///   - budget: of wall time for all of them; nil: as much as it takes, in the order of the plan.
    ///   - scale: the factor on durations in wall time; nil: they take no time worth a guess.
    ///   - start: when the budget begins to be spent.
    ///   - reserve: the part of the budget that is for what comes after these scenarios.
    init(
        _ plan: [PlannedScenario], budget: Duration?, scale: Double?,
        start: ContinuousClock.Instant = .now, reserve: Duration = .zero
    ) {
        self.budget = budget
        self.start = start
        self.reserve = reserve
        times = plan.map { planned in
            guard budget != nil, let scale else { return .zero }
            return WallEstimate(planned.scenario, scale: scale).expected
        }
        let indices = Array(plan.indices)
        rest =
            budget == nil
            ? indices
            : indices.sorted { Self.rank(plan[$0], at: $0) < Self.rank(plan[$1], at: $1) }
        rest.reverse()
    }

    /// First the short set, then class by class, else as planned.
    private static func rank(_ planned: PlannedScenario, at index: Int) -> (Int, Int, Int) {
        let classes = ScenarioFile.Class.allCases
        let rank = classes.firstIndex(of: planned.scenario.class) ?? classes.count
        return (planned.scenario.isSmoke ? 0 : 1, rank, index)
    }

    /// The next one that is to be begun; nil: there is none any more.
    mutating func next() -> Int? {
        while let index = rest.popLast() {
            guard let budget, ContinuousClock.now - start + times[index] + reserve > budget else {
                return index
            }
            leftOut.insert(index)
        }
        return nil
    }

    /// Nothing more is begun.
    mutating func stop() { rest = [] }

    var budgetText: String { budget?.scenarioText ?? "" }
}
