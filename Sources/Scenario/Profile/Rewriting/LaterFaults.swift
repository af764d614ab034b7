import FaultEngine
import StorageModel

/// Faults that wait for a request which a client no longer makes, because another fault ended what it
/// was doing: they may miss.
struct LaterFaults {
    /// The fault that ends it.
    let rule: FaultRule
    /// Which of the exchanges that fit meets it; nil where that is not certain.
    let number: Int?

    /// - Parameter isMeant: whether an exchange of what ends can meet a fault, and of nothing else.
    func excuse(_ draft: inout RewriteDraft, isMeant: (FaultRule) -> Bool) {
        for index in draft.scenario.faults.indices {
            let other = draft.scenario.faults[index]
            guard other.position != rule.position, isMeant(other), neverComes(other) else {
                continue
            }
            draft.scenario.faults[index].mayMiss = true
        }
    }

    /// True where it is certain that nothing which fits comes before the end.
    private func neverComes(_ other: FaultRule) -> Bool {
        guard let first = Self.firstNumber(other.selector.ordinal) else { return false }
        let isSame =
            other.selector.operation == rule.selector.operation
            && other.selector.per == rule.selector.per
            && other.selector.filters == rule.selector.filters
        if isSame { return number.map { first > $0 } ?? false }
        guard let own = Self.end(rule), let stage = Self.stage(other.selector.operation) else {
            return false
        }
        return stage > own
    }

    /// The stage of an upload that is its last; nil where a fault does not tell which that is.
    private static func end(_ rule: FaultRule) -> Int? {
        switch rule.selector.operation {
        case .one(.connect): rule.selector.ordinal == .exactly(1) ? 0 : nil
        case .one(.uploadStart): 1
        case .one(.uploadChunk): 2
        case .one, .uploadBody, .prefix, .everything: nil
        }
    }

    /// The order in which the requests of an upload come; nil for those that come at any time.
    private static func stage(_ operation: OperationPattern) -> Int? {
        switch operation {
        case .one(.uploadStart): 1
        case .one(.uploadChunk), .one(.uploadQuery), .uploadBody: 2
        case .one(.uploadFinalize): 3
        case .one(.download): 1
        case .one, .prefix, .everything: nil
        }
    }

    static func firstNumber(_ ordinal: OrdinalPattern) -> Int? {
        switch ordinal {
        case .all: 1
        case .exactly(let number): number
        case .range(let first, _): first
        case .every(let step): step
        case .last: nil
        }
    }
}
