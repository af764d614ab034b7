import EventMatching
import StorageModel

/// How patterns are rewritten: exactly, on the set of sequences that they describe.
extension SequencePattern where Atom == EventAtom {
    static func event(
        _ kind: TransferEvent.Kind, bytes: NumberTest? = nil, codes: [ErrorCode] = [],
        _ repetition: Repetition = .once
    ) -> EventPattern {
        .atom(.event(EventCondition(kind, bytes: bytes, codes: codes)), repetition)
    }

    /// The event that it stands for; nil for a group and for a silence.
    var condition: EventCondition? {
        if case .atom(.event(let condition), _) = self { condition } else { nil }
    }

    var kind: TransferEvent.Kind? { condition?.kind }
}

extension [EventPattern] {
    /// Every event replaced; what stands in groups too.
    ///
    /// - Parameter change: the parts for one event, which are then repeated as it was.
    func replacing(
        _ change: (EventCondition) throws(LeftOut) -> [EventPattern]
    ) throws(LeftOut) -> [EventPattern] {
        var parts: [EventPattern] = []
        for part in self {
            switch part {
            case .atom(.quiet, _): parts.append(part)
            case .atom(.event(let condition), let repetition):
                parts += Self.repeated(try change(condition), repetition)
            case .any(let alternatives):
                var changed: [[EventPattern]] = []
                for alternative in alternatives {
                    let new = try alternative.replacing(change)
                    if !changed.contains(new) { changed.append(new) }
                }
                parts += changed.count == 1 ? changed[0] : [.any(changed)]
            case .sequence(let inner, let repetition):
                parts += Self.repeated(try inner.replacing(change), repetition)
            }
        }
        return parts
    }

    /// The parts so many times, in the shortest way.
    static func repeated(_ parts: [EventPattern], _ repetition: Repetition) -> [EventPattern] {
        if parts.isEmpty { return [] }
        if repetition == .once { return parts }
        if parts.count == 1, case .atom(let atom, .once) = parts[0] {
            return [.atom(atom, repetition)]
        }
        return [.sequence(parts, repetition)]
    }

    /// Every event of a kind left out.
    func without(_ kind: TransferEvent.Kind) -> [EventPattern] {
        (try? replacing { (condition: EventCondition) throws(LeftOut) in
            condition.kind == kind ? [] : [.event(condition)]
        }) ?? self
    }

    /// Runs of progress, whatever their number and bytes, as one: at least one, or any number where
    /// none need come.
    func joiningProgress() -> [EventPattern] {
        var parts: [EventPattern] = []
        for part in self {
            switch part {
            case .atom(.event(let condition), let repetition) where condition.kind == .progress:
                let needs = repetition.lower > 0
                if let last = parts.last, last.kind == .progress,
                    case .atom(_, let before) = last
                {
                    parts[parts.count - 1] = .event(
                        .progress, needs || before.lower > 0 ? .some : .any)
                } else {
                    parts.append(.event(.progress, needs ? .some : .any))
                }
            case .atom: parts.append(part)
            case .any(let alternatives):
                var joined: [[EventPattern]] = []
                for new in alternatives.map({ $0.joiningProgress() })
                where !joined.contains(new) { joined.append(new) }
                parts += joined.count == 1 ? joined[0] : [.any(joined)]
            case .sequence(let inner, let repetition):
                parts += Self.repeated(inner.joiningProgress(), repetition)
            }
        }
        return parts
    }

    /// True where the number or the bytes of progress events are told.
    var countsProgress: Bool {
        contains { part in
            switch part {
            case .atom(.event(let condition), let repetition):
                condition.kind == .progress
                    && (condition.bytes != nil || repetition.upper != nil)
            case .atom(.quiet, _): false
            case .any(let alternatives): alternatives.contains(where: \.countsProgress)
            case .sequence(let parts, _): parts.countsProgress
            }
        }
    }

    /// Every condition in it, those in groups too.
    var conditions: [EventCondition] {
        flatMap { part -> [EventCondition] in
            switch part {
            case .atom(.event(let condition), _): [condition]
            case .atom(.quiet, _): []
            case .any(let alternatives): alternatives.flatMap(\.conditions)
            case .sequence(let parts, _): parts.conditions
            }
        }
    }

    /// True where a sequence of no event at all fits.
    var canBeEmpty: Bool {
        allSatisfy { part in
            switch part {
            case .atom(.quiet, _): true
            case .atom(_, let repetition): repetition.lower == 0
            case .any(let alternatives): alternatives.contains(where: \.canBeEmpty)
            case .sequence(let parts, let repetition): repetition.lower == 0 || parts.canBeEmpty
            }
        }
    }
}

extension SequencePattern where Atom == EventAtom {
    static func event(_ condition: EventCondition) -> EventPattern {
        .atom(.event(condition), .once)
    }
}
