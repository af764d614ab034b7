import EventMatching
import FaultEngine
import StorageModel

/// Trait `progress-events`: a client that tells no progress.
enum ProgressEventsRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.progressEvents == .none else { return }
        try draft.scenario.changeTaskTriggers { (trigger, isOfTest) throws(LeftOut) in
            guard trigger.moment != .event(.progress) else {
                throw LeftOut(
                    "\(StartEventRewriting.waiter(isOfTest)) progress of '\(trigger.task)', "
                        + "which this client does not tell")
            }
            return .task(trigger)
        }
        try draft.changeTasks { (task, _) throws(LeftOut) in
            try task.changeEvents { (events) throws(LeftOut) in without(events) }
            task.progress = nil
            task.times.removeAll { $0.value.moment == .event(.progress) }
        }
        try draft.changeObservers { (events, _, _) throws(LeftOut) in events = without(events) }
    }

    /// A client that tells no progress tells no bytes with other events either.
    private static func without(_ events: [EventPattern]) -> [EventPattern] {
        let changed = try? events.replacing { (condition: EventCondition) throws(LeftOut) in
            condition.kind == .progress
                ? [] : [.event(condition.kind, codes: condition.codes)]
        }
        return changed ?? events
    }
}
