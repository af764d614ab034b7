import FaultEngine
import StorageModel

/// A run of exchanges against an injector, without a server.
struct FaultBench {
    var injector: FaultInjector

    init(
        _ rules: [FaultRule], seed: UInt64 = 1, scenario: String = "s", isServed: Bool = false
    ) {
        injector = FaultInjector(
            rules: rules, seed: seed, scenario: scenario, isServed: isServed)
    }

    /// Reads a head, as the server would.
    mutating func head(
        _ operation: StorageModel.Operation, path: String? = "a", connection: Int = 1,
        session: Int? = nil, at time: Duration = .zero, length: Int64? = nil, offset: Int64? = nil,
        change: (inout ExchangeFacts) -> Void = { _ in }
    ) -> FaultPlan {
        var facts = ExchangeFacts(operation: operation, connection: connection, time: time)
        facts.bucket = path == nil ? nil : "b"
        facts.path = path
        facts.session = session
        facts.length = length
        facts.offset = offset
        facts.transfer = injector.transfers.transfer(
            of: operation, bucket: facts.bucket, path: path, session: session)
        change(&facts)
        var plan = injector.plan(facts)
        plan.resolveRequest(length: length, start: offset)
        return plan
    }

    /// The positions of the rules that fire at a moment, in order.
    mutating func fire(
        _ moment: WireMoment, _ plan: inout FaultPlan, at time: Duration = .zero
    ) -> [Int] {
        _ = injector.arrive(moment, &plan, at: time)
        var fired: [Int] = []
        while let firing = injector.take(moment, &plan, at: time) {
            fired.append(firing.rule.position)
        }
        return fired
    }

    /// Positions of the rules that fire before the commit of a new exchange.
    mutating func exchange(
        _ operation: StorageModel.Operation, path: String? = "a", connection: Int = 1
    ) -> [Int] {
        var plan = head(operation, path: path, connection: connection)
        return fire(.beforeCommit, &plan)
    }

    mutating func finishTransfer(_ path: String, _ operation: StorageModel.Operation) {
        let id = injector.transfers.transfer(
            of: operation, bucket: "b", path: path, session: nil)
        if let id { injector.transfers.finish(id) }
    }
}

/// A rule that answers 503 before the commit.
func rule(
    _ position: Int, _ operation: String, _ ordinal: OrdinalPattern = .all,
    per: CountingScope = .transfer, at phase: FaultPhase = .beforeCommit, times: Int?? = .none,
    chance: Double? = nil, actions: [FaultAction] = [.respond(ForcedResponse(status: 503))],
    filters: (inout ExchangeFilters) -> Void = { _ in }
) -> FaultRule {
    var all = ExchangeFilters()
    filters(&all)
    let pattern = OperationPattern(operation) ?? .everything
    let selector = ExchangeSelector(operation: pattern, ordinal: ordinal, per: per, filters: all)
    return FaultRule(
        position: position, text: "\(operation)\(ordinal)", selector: selector, phase: phase,
        actions: actions, times: times ?? FaultRule.defaultTimes(for: ordinal), chance: chance)
}

/// The first rule of a list.
func rule(
    _ operation: String, _ ordinal: OrdinalPattern = .all, per: CountingScope = .transfer,
    at phase: FaultPhase = .beforeCommit, times: Int?? = .none, chance: Double? = nil,
    actions: [FaultAction] = [.respond(ForcedResponse(status: 503))],
    filters: (inout ExchangeFilters) -> Void = { _ in }
) -> FaultRule {
    rule(
        1, operation, ordinal, per: per, at: phase, times: times, chance: chance,
        actions: actions, filters: filters)
}
