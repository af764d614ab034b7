import EventMatching
import StorageModel

/// Trait `late-observer`: what an observer hears of what was before it.
enum LateObserverRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let value = draft.traits.lateObserver
        guard value != .replayEnd else { return }
        try draft.changeObservers { (events, observer, task) throws(LeftOut) in
            switch observer.moment {
            case .ended: events = try afterEnd(events, task, value)
            case .unknown:
                throw LeftOut(
                    "what '\(task.name)' is about when an observer is added to it is not told")
            case .running where value != .nothing: events = running(observer) + events
            case .paused where value != .nothing:
                events = (observer.kinds.contains(.pause) ? [.event(.pause)] : []) + events
            case .start where value != .nothing: events = starting(observer) + events
            case .start, .running, .paused: break
            }
        }
    }

    private static func afterEnd(
        _ events: [EventPattern], _ task: TransferFacts, _ value: Traits.LateObserver
    ) throws(LeftOut) -> [EventPattern] {
        switch value {
        case .replayEnd, .replay: return events
        case .nothing: return []
        case .replayButCancel:
            return try CancelledFailure.removed(from: events, task)
        }
    }

    /// A transfer that runs is told as resumed, as making progress, or as both.
    private static func running(_ observer: ObserverFacts) -> [EventPattern] {
        switch (observer.kinds.contains(.resume), observer.kinds.contains(.progress)) {
        case (true, true):
            [.any([[.event(.resume), .event(.progress, .optional)], [.event(.progress)]])]
        case (true, false): [.event(.resume, .optional)]
        case (false, true): [.event(.progress, .optional)]
        case (false, false): []
        }
    }

    /// Whether it already runs is not known so early.
    private static func starting(_ observer: ObserverFacts) -> [EventPattern] {
        (observer.kinds.contains(.resume) ? [.event(.resume, .optional)] : [])
            + (observer.kinds.contains(.progress) ? [.event(.progress, .optional)] : [])
    }
}

/// The failure that a cancel brings about, among the events of an observer.
enum CancelledFailure {
    /// The events without it.
    static func removed(
        from events: [EventPattern], _ task: TransferFacts
    ) throws(LeftOut) -> [EventPattern] {
        try events.replacing { (condition) throws(LeftOut) in
            guard condition.kind == .failure else { return [.event(condition)] }
            if condition.codes.isEmpty {
                guard task.cancels == 0 else {
                    throw LeftOut("whether '\(task.name)' fails by its cancel is not told")
                }
                return [.event(condition)]
            }
            let others = condition.codes.filter { $0 != .cancelled }
            if others.count == condition.codes.count { return [.event(condition)] }
            if others.isEmpty { return [] }
            return [.event(.failure, bytes: condition.bytes, codes: others, .optional)]
        }
    }
}
