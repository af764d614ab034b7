import EventMatching
import FaultEngine
import StorageModel

/// Trait `pause-event`: the pause is told at the call, before the durable offset is known.
enum PauseEventRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.pauseEvent == .atCall else { return }
        try draft.changeTasks { (task, _) throws(LeftOut) in
            try task.changeEvents { (events) throws(LeftOut) in earlier(events) }
            task.times = task.times.compactMap { time in
                guard time.value.moment == .event(.pause) else { return time }
                var time = time
                guard let test = time.value.test.withoutLower else { return nil }
                time.value.test = test
                return time
            }
        }
        try draft.changeObservers { (events, _, _) throws(LeftOut) in events = earlier(events) }
    }

    /// What is completed by then is what was told before: at most the durable offset.
    private static func earlier(_ events: [EventPattern]) -> [EventPattern] {
        let changed = try? events.replacing { (condition: EventCondition) throws(LeftOut) in
            condition.kind == .pause
                ? [.event(.pause, bytes: condition.bytes?.withoutLower)] : [.event(condition)]
        }
        return changed ?? events
    }
}
