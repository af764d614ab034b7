import FaultEngine
import StorageModel
import Testing

@testable import Scenario

@Suite("Fault table")
struct FaultTableTests {
    @Test("Has a case for every fault of the catalogue, and for nothing else")
    func isComplete() {
        let known = Set(FaultCatalogue.all.map(\.name))
        #expect(Set(FaultCase.all.map(\.fault)) == known)
    }

    @Test("Every row is a scenario, under a name of its own")
    func loads() {
        var names: Set<String> = []
        for row in FaultTable.rows {
            let plan = FaultTable.plan(row)
            #expect(
                plan.planned.count == 1 && plan.diagnostics.isEmpty,
                "\(row.name)\n\(row.scenarioText)\n\(plan.diagnostics.map(\.message))")
            #expect(names.insert(row.name).inserted, "\(row.name)")
        }
    }

    @Test("Has every fault at every moment at which the catalogue lets it stand")
    func moments() {
        var seen: [String: Set<String>] = [:]
        for row in FaultTable.rows {
            guard let rule = FaultTable.plan(row).planned.first?.scenario.faults.last,
                row.fault.action != nil || row.fault.commit != nil
            else { continue }
            seen[row.fault.fault, default: []].insert(Self.moment(rule.phase))
        }
        for fault in FaultCatalogue.all where seen[fault.name] != nil {
            let wanted = Set(fault.phases.flatMap(Self.moments))
            let missing = wanted.subtracting(seen[fault.name] ?? [])
            #expect(missing.isSubset(of: Self.left[fault.name] ?? []), "\(fault.name): \(missing)")
            let stale = (Self.left[fault.name] ?? []).subtracting(missing)
            #expect(stale.isEmpty, "\(fault.name) has \(stale) by now")
        }
    }

    /// Moments at which the catalogue lets a fault stand, and the table does not have it.
    private static let left: [String: Set<String>] = [
        // At a connection nothing is left of the request that would tell of it.
        "refused-port": ["connect"]
    ]

    private static let everyMoment = [
        "request-head", "request-body", "before-commit", "after-commit", "response-head",
        "response-body", "response-end",
    ]

    private static func moments(_ phase: String) -> [String] {
        switch phase {
        case "any": everyMoment + ["connect"]
        case "any but connect": everyMoment
        default:
            [String((phase.split(separator: " ").last { $0.contains("-") }) ?? phase[...])]
        }
    }

    private static func moment(_ phase: FaultPhase) -> String {
        switch phase {
        case .connect: "connect"
        case .requestHead: "request-head"
        case .requestBody: "request-body"
        case .beforeCommit: "before-commit"
        case .afterCommit: "after-commit"
        case .responseHead: "response-head"
        case .responseBody: "response-body"
        case .responseEnd: "response-end"
        case .idle: "idle T"
        case .elapsed: "elapsed T"
        case .unread: "unread T"
        }
    }

    @Test("Leaves at most one row in twenty undecided")
    func decides() {
        let undecided = FaultTable.undecided
        #expect(!undecided.isEmpty)
        #expect(undecided.count * 20 <= FaultTable.rows.count)
    }

    @Test("Has a rule for every row of a class, a row for every class, and no rule without a row")
    func rules() {
        for row in FaultTable.rows where row.outcome == .undecided {
            #expect(row.fault.kind == .undecided, "\(row.name)")
        }
        for kind in FaultClass.allCases {
            #expect(FaultCase.all.contains { $0.kind == kind }, "\(kind)")
        }
        // Every line decides something: none stands behind another that takes all.
        let used = Set(
            FaultTable.rows.compactMap { row in
                OutcomeRule.all.firstIndex {
                    $0.kind == row.fault.kind && $0.targets.contains(row.target)
                }
            })
        #expect(used == Set(OutcomeRule.all.indices))
    }

    @Test("Calls a status passing or refused as the published rules do, not as a client does")
    func statuses() {
        let passing = (200...599).filter { FaultClass(status: $0) == .passing }
        #expect(passing == [408, 423, 429] + Array(500...599))
        #expect((200...599).filter { FaultClass(status: $0) == .gone } == [404, 410])
    }

    @Test("Meets uploads, downloads and metadata with every kind of outcome")
    func outcomes() {
        func outcomes(_ targets: Set<FaultTarget>) -> Set<FaultOutcome> {
            Set(FaultTable.rows.filter { targets.contains($0.target) }.map(\.outcome))
        }
        let common: Set<FaultOutcome> = [.passes, .recovers, .exhausts, .refused]
        #expect(outcomes(FaultTarget.uploads).isSuperset(of: common))
        #expect(outcomes(FaultTarget.downloads).isSuperset(of: common))
        #expect(outcomes([.metadata]).isSuperset(of: common))
        #expect(outcomes(FaultTarget.downloads).contains(.fails(.nonMatchingChecksum)))
        #expect(outcomes(FaultTarget.bodies).contains(.fails(.nonMatchingChecksum)))
    }
}
