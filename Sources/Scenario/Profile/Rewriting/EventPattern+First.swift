import EventMatching
import StorageModel

extension [EventPattern] {
    /// The sequences with their first event replaced, where that is of a kind; the others as they are.
    ///
    /// Exact: of `[resume?, progress+]` both kinds of sequences are kept apart.
    func replacingFirst(
        _ kind: TransferEvent.Kind, by new: [EventPattern]
    ) -> [EventPattern] {
        guard canBegin(with: kind), let head = first else { return self }
        let rest = Array(dropFirst())
        switch head {
        case .atom(.quiet, _): return [head] + rest.replacingFirst(kind, by: new)
        case .atom(.event(let condition), let repetition):
            guard condition.kind == kind else {
                // It may be left out, and then the next one is the first.
                let taken = [.atom(.event(condition), repetition.atLeastOnce)] + rest
                return Self.either(taken, rest.replacingFirst(kind, by: new))
            }
            let more = Self.more(condition, repetition)
            let taken = new + more + rest
            return repetition.lower > 0
                ? taken : Self.either(taken, rest.replacingFirst(kind, by: new))
        case .any(let alternatives):
            return Self.any(alternatives.map { ($0 + rest).replacingFirst(kind, by: new) })
        case .sequence(let inner, let repetition):
            let upper = repetition.upper.map { $0 - 1 }
            let again: [EventPattern] =
                upper == 0
                ? []
                : [
                    .sequence(
                        inner, Repetition(lower: Swift.max(0, repetition.lower - 1), upper: upper))
                ]
            let taken = (inner + again + rest).replacingFirst(kind, by: new)
            return repetition.lower > 0
                ? taken : Self.either(taken, rest.replacingFirst(kind, by: new))
        }
    }

    /// True where a sequence that fits begins with such an event.
    func canBegin(with kind: TransferEvent.Kind) -> Bool {
        for part in self {
            switch part {
            case .atom(.quiet, _): continue
            case .atom(.event(let condition), let repetition):
                if condition.kind == kind, repetition.upper != 0 { return true }
                if repetition.lower > 0 { return false }
            case .any(let alternatives):
                if alternatives.contains(where: { $0.canBegin(with: kind) }) { return true }
                if !alternatives.contains(where: \.canBeEmpty) { return false }
            case .sequence(let inner, let repetition):
                if repetition.upper != 0, inner.canBegin(with: kind) { return true }
                if repetition.lower > 0, !inner.canBeEmpty { return false }
            }
        }
        return false
    }

    /// What is left of a repetition once one of it was taken.
    private static func more(
        _ condition: EventCondition, _ repetition: Repetition
    ) -> [EventPattern] {
        let upper = repetition.upper.map { $0 - 1 }
        if upper == 0 { return [] }
        let lower = Swift.max(0, repetition.lower - 1)
        return [.atom(.event(condition), Repetition(lower: lower, upper: upper))]
    }

    private static func either(
        _ one: [EventPattern], _ other: [EventPattern]
    ) -> [EventPattern] {
        any([one, other])
    }

    /// One of several whole patterns; those that are alike count once, and what all end with stands
    /// behind.
    static func any(_ patterns: [[EventPattern]]) -> [EventPattern] {
        var distinct: [[EventPattern]] = []
        for pattern in patterns where !distinct.contains(pattern) { distinct.append(pattern) }
        guard distinct.count > 1 else { return distinct.first ?? [] }
        var tail: [EventPattern] = []
        while let last = distinct[0].last, distinct.allSatisfy({ $0.last == last }) {
            tail.insert(last, at: 0)
            for index in distinct.indices { distinct[index].removeLast() }
        }
        if let empty = distinct.firstIndex(of: []),
            distinct.contains(where: { !$0.isEmpty && $0.canBeEmpty })
        {
            distinct.remove(at: empty)
            return distinct.count > 1 ? [.any(distinct)] + tail : distinct[0] + tail
        }
        if distinct.count == 2, let empty = distinct.firstIndex(of: []),
            case .atom(let atom, .once)? = distinct[1 - empty].first, distinct[1 - empty].count == 1
        {
            return [.atom(atom, .optional)] + tail
        }
        return [.any(distinct)] + tail
    }
}

extension Repetition {
    var atLeastOnce: Repetition { Repetition(lower: max(1, lower), upper: upper) }
}
