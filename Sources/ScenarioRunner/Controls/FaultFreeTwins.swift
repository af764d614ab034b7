import EventMatching
import FaultEngine
import RunModel
import Scenario
import StorageModel

/// Smoke scenarios that passed under faults, run once more without them.
///
/// A client that does and tells the same both times may not look at what happens.
struct FaultFreeTwins {
    /// Rows that are one and the same scenario once their faults are gone.
    private struct Group {
        let twin: PlannedScenario
        /// With their places in the plan.
        var passed: [(place: Int, result: ScenarioResult)]
    }

    private let groups: [Group]

    /// - Parameters:
    ///   - plan: as it was run.
    ///   - results: one for each of the plan, in its order.
    init(_ plan: [PlannedScenario], _ results: [ScenarioResult]) {
        var groups: [Group] = []
        var groupPlaces: [String: Int] = [:]
        for (place, (planned, result)) in zip(plan, results).enumerated()
        where Self.isDue(planned) && result.verdict == .passed {
            let key = Self.text(planned)
            if let group = groupPlaces[key] {
                groups[group].passed.append((place, result))
            } else {
                groupPlaces[key] = groups.count
                groups.append(Group(twin: Self.twin(of: planned), passed: [(place, result)]))
            }
        }
        self.groups = groups
    }

    /// Runs each twin once.
    ///
    /// - Returns: one for each scenario with faults that passed, in the order of the plan.
    func run(
        _ runner: SuiteRunner, _ isCancelled: @escaping @Sendable () -> Bool
    ) async -> [Twin] {
        guard !groups.isEmpty else { return [] }
        let results = await runner.run(groups.map(\.twin), isCancelled: isCancelled).results
        return zip(groups, results).flatMap { group, twin in
            group.passed.map { ($0.place, Self.compare($0.result, twin)) }
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// True where a scenario gets a twin when it has passed.
    private static func isDue(_ planned: PlannedScenario) -> Bool {
        let scenario = planned.scenario
        return scenario.isSmoke && !scenario.faults.isEmpty && !isHeldForKill(scenario)
    }

    /// True where faults do no more than keep an answer back until the client is killed, which no client
    /// lives to see.
    private static func isHeldForKill(_ scenario: ScenarioFile) -> Bool {
        let isKilled = scenario.allSteps.contains { step in
            if case .restartClient = step.verb { true } else { false }
        }
        return isKilled && scenario.faults.flatMap(\.actions).allSatisfy(isHold)
    }

    private static func isHold(_ action: FaultAction) -> Bool {
        if case .hold = action { true } else { false }
    }

    /// The twins of a plan if all of it passes.
    static func all(of plan: [PlannedScenario]) -> [PlannedScenario] {
        var seen: Set<String> = []
        return plan.filter { isDue($0) && seen.insert(text($0)).inserted }.map(twin)
    }

    /// What makes a scenario, but for its faults and what it expects of them.
    private static func text(_ planned: PlannedScenario) -> String {
        let scenario = planned.scenario
        return "\(planned.file) \(scenario.steps) \(scenario.backend) \(scenario.client)"
    }

    private static func twin(of planned: PlannedScenario) -> PlannedScenario {
        var scenario = planned.scenario
        scenario.faults = []
        scenario.expect = Expectation()
        scenario.runs = 1
        return PlannedScenario(id: planned.id, file: planned.file, scenario: scenario)
    }

    // MARK: Comparing

    static func compare(_ passed: ScenarioResult, _ twin: ScenarioResult) -> Twin {
        let isFailure = passed.tasks.contains { $0.events.contains(where: isTold) }
        func told(_ outcome: Twin.Outcome, _ reason: String? = nil) -> Twin {
            Twin(
                scenario: passed.id, file: passed.file, outcome: outcome, isFailure: isFailure,
                reason: reason)
        }
        if let reason = notRun(twin) { return told(.notRun, reason) }
        let (one, other) = (Conduct(passed), Conduct(twin))
        if one == other {
            let isTold = passed.exchanges.contains { !$0.faults.isEmpty && isTelling($0) }
            return isTold
                ? told(.same)
                : told(.cannotTell, "its faults neither refuse nor break a transfer's request")
        }
        let transfers = twin.exchanges.filter { $0.operation.isUpload || $0.operation.isDownload }
        let isFounded = transfers.isEmpty || transfers.contains(where: isTelling)
        return told(
            isFailure && !isFounded && one.tellsTheSame(as: other) ? .unfounded : .differs)
    }

    /// A failure that a client does not come to by itself.
    private static func isTold(_ event: TransferEvent) -> Bool {
        switch event.error?.code {
        case nil, .cancelled?, .downloadSizeExceeded?, .nonMatchingChecksum?, .invalidArgument?,
            .bucketMismatch?, .pathError?:
            false
        case .unknown?, .objectNotFound?, .bucketNotFound?, .projectNotFound?, .quotaExceeded?,
            .unauthenticated?, .unauthorized?, .retryLimitExceeded?, .internalError?, .other?:
            true
        }
    }

    private static func notRun(_ twin: ScenarioResult) -> String? {
        switch twin.verdict {
        case .errored, .skipped, .notRun:
            return twin.reason ?? twin.failures.first?.sentence ?? "it was not run"
        case .passed, .failed, .void, .pending, .expectedFailure, .unexpectedPass, .flaky:
            return twin.failures.first { $0.kind == .client }?.sentence
        }
    }

    /// A transfer's request that was refused or broken: nobody can pass over it.
    private static func isTelling(_ exchange: ExchangeRecord) -> Bool {
        let isTransfer =
            exchange.operation.isUpload && exchange.operation != .uploadCancel
            || exchange.operation.isDownload
        guard isTransfer else { return false }
        guard let status = exchange.status, exchange.ending != .disconnected else { return true }
        return status >= 400
    }
}
