import EventMatching
import FaultEngine
import StorageModel

/// Operations that a client does not make: what is expected of them goes, and what waits for them
/// leaves the scenario out.
enum UnsentOperation {
    /// Leaves out a scenario in which a step or a fault waits for such a request.
    static func check(
        _ draft: RewriteDraft, _ operations: [Operation],
        fits: (ExchangeSelector) -> Bool = { _ in true }
    ) throws(LeftOut) {
        for rule in draft.scenario.faults where !rule.mayMiss {
            if isOnly(rule.selector, operations), fits(rule.selector) {
                throw LeftOut(
                    "the fault '\(rule.title)' waits for a request that this client does not make")
            }
        }
        let wires =
            draft.facts.steps.flatMap(\.triggers) + draft.scenario.faults.flatMap(\.triggers)
        for selector in wires.flatMap(\.selectors) where fits(selector) {
            if isOnly(selector, operations) {
                throw LeftOut(
                    "a step or fault waits for '\(selector.operation)', a request that this "
                        + "client does not make")
            }
        }
    }

    /// True where nothing but these operations fits.
    static func isOnly(
        _ selector: ExchangeSelector, _ operations: [Operation]
    ) -> Bool {
        if case .one(let operation) = selector.operation { return operations.contains(operation) }
        return false
    }

    /// Takes an operation out of what is expected of the server's log.
    static func remove(
        _ operation: Operation, _ draft: inout RewriteDraft
    ) throws(LeftOut) {
        try draft.changeSets { (set) throws(LeftOut) in
            for index in (set.requests ?? []).indices {
                guard let pattern = set.requests?[index].value.pattern else { continue }
                set.requests?[index].value.pattern = pattern.without(operation)
            }
            for index in set.exchanges.indices {
                let test = set.exchanges[index].value
                guard test.selector.operation == .one(operation) else { continue }
                var changed = ExchangesTest(test.selector)
                changed.after = test.after
                changed.before = test.before
                changed.count = .exactly(0, .count)
                set.exchanges[index].value = changed
            }
        }
    }
}

extension [RequestPattern] {
    /// Every request of one operation left out.
    func without(_ operation: Operation) -> [RequestPattern] {
        var parts: [RequestPattern] = []
        for part in self {
            switch part {
            case .atom(let condition, _):
                if condition.operation != .one(operation) { parts.append(part) }
            case .any(let alternatives):
                var changed: [[RequestPattern]] = []
                for new in alternatives.map({ $0.without(operation) })
                where !changed.contains(new) { changed.append(new) }
                parts += changed.count == 1 ? changed[0] : [.any(changed)]
            case .sequence(let inner, let repetition):
                let changed = inner.without(operation)
                if !changed.isEmpty { parts.append(.sequence(changed, repetition)) }
            }
        }
        return parts
    }
}
