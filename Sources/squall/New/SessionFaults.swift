import FaultEngine
import Scenario
import StorageModel

/// The faults that fired in a session, each at the place where it did.
struct SessionFaults {
    private(set) var rules: [FaultRule] = []
    private(set) var remarks: [String] = []

    private let records: [ExchangeRecord]

    /// - Parameter given: the faults that were served, as far as the journal has them.
    init(_ records: [ExchangeRecord], given: [FaultRule]) {
        self.records = records
        let fired = records.flatMap { record in record.faults.map { (record, $0) } }
        let positions = Set(fired.map(\.1.rule))
        let texts = Dictionary(fired.map { ($0.1.rule, $0.1.name) }) { one, _ in one }
        let all = positions.sorted().compactMap { position -> FaultRule? in
            if let rule = given.first(where: { $0.position == position }) { return rule }
            let text = texts[position] ?? ""
            if let rule = ScenarioLoader().fault(text, position: position).rule { return rule }
            remarks.append(
                "The fault '\(text)' fired, and the journal does not say what it does: write it.")
            return nil
        }
        let named = Set(given.flatMap(Self.faultsWaitedFor))
        for rule in all {
            let mine = fired.filter { $0.1.rule == rule.position }
            if Self.isExact(rule) || rule.name.map(named.contains) ?? false {
                rules.append(rule)
            } else {
                rules += mine.map { exact(rule, $0.0, $0.1) }
            }
        }
        let silent = given.filter { !positions.contains($0.position) }
        // What waits for one that never fired would not be read.
        rules += silent.filter { $0.name.map(named.contains) ?? false }.map { rule in
            var rule = rule
            rule.mayMiss = true
            return rule
        }
        for rule in silent { remarks.append("Never fired, and left out: \(rule.text)") }
    }

    private static func faultsWaitedFor(_ rule: FaultRule) -> [String] {
        func names(_ trigger: Trigger) -> [String] {
            switch trigger {
            case .fault(let name, _): [name]
            case .all(let parts): parts.flatMap(names)
            case .task, .result, .wire, .step, .time, .gate: []
            }
        }
        let holds = rule.actions.compactMap { action -> Trigger? in
            if case .hold(let trigger, _) = action { trigger } else { nil }
        }
        return (holds + [rule.selector.filters.since].compactMap { $0 }).flatMap(names)
    }

    /// True where the rule says by itself at which byte it fires, and chance has no part in it.
    private static func isExact(_ rule: FaultRule) -> Bool {
        guard !rule.usesChance else { return false }
        switch rule.phase {
        case .requestBody(.percent), .requestBody(.beforeEnd), .responseBody(.percent): return false
        case .connect, .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead,
            .responseBody, .responseEnd, .idle, .elapsed, .unread:
            return true
        }
    }

    /// One firing, by the request's number among those of its operation.
    private func exact(
        _ rule: FaultRule, _ record: ExchangeRecord, _ fault: FiredFault
    ) -> FaultRule {
        var one = rule
        let number = records.count {
            $0.operation == record.operation && $0.ordinal <= record.ordinal && $0.resendOf == nil
        }
        one.selector = ExchangeSelector(
            operation: .one(record.operation), ordinal: .exactly(max(number, 1)), per: .run)
        one.times = 1
        one.chance = nil
        one.name = nil
        one.phase = Self.exact(rule.phase, record)
        one.actions = rule.actions.map { action in
            if case .delay = action, let time = fault.delays.first { return .delay(.fixed(time)) }
            return action
        }
        return one
    }

    private static func exact(_ phase: FaultPhase, _ record: ExchangeRecord) -> FaultPhase {
        switch phase {
        case .requestBody(let offset):
            let start = record.offset
            guard let place = offset.resolved(length: record.length, start: start) else {
                return .requestBody(.bytes(record.received))
            }
            return .requestBody(place == record.length ? .beforeEnd(0) : .bytes(place))
        // The answer's length is not written; where it broke, so many bytes had been sent.
        case .responseBody(.percent) where record.ending == .disconnected:
            return .responseBody(.bytes(record.sent))
        case .connect, .requestHead, .beforeCommit, .afterCommit, .responseHead, .responseBody,
            .responseEnd, .idle, .elapsed, .unread:
            return phase
        }
    }
}
