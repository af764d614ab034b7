import EventMatching
import FaultEngine
import StorageModel

/// Trait `start-event`: what is told when a transfer starts.
enum StartEventRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let value = draft.traits.startEvent
        guard value != .resume else { return }
        try draft.changeTasks { (task, transfer) throws(LeftOut) in
            try task.changeEvents { (events) throws(LeftOut) in
                events.replacingFirst(.resume, by: start(value, isSure: true))
            }
            task.times = task.times.compactMap { changed($0, value) }
            // All progress of what is empty looks like its start.
            if value == .zeroProgress, transfer.size != 0 {
                task.progress?.value.leavesOutStart = true
            }
        }
        try draft.changeObservers { (events, observer, task) throws(LeftOut) in
            events = try changed(events, observer, task, value)
        }
        try changeTriggers(&draft, value)
    }

    private static func start(
        _ value: Traits.StartEvent, isSure: Bool
    ) -> [EventPattern] {
        guard value == .zeroProgress else { return [] }
        let none = NumberTest.exactly(0, .size)
        return [
            .event(.progress, bytes: none, Repetition(lower: isSure ? 1 : 0, upper: 2))
        ]
    }

    /// An observer that is there from the start hears the start as its task's recorder does, where it
    /// listens to that kind of event.
    private static func changed(
        _ events: [EventPattern], _ observer: ObserverFacts, _ task: TransferFacts,
        _ value: Traits.StartEvent
    ) throws(LeftOut) -> [EventPattern] {
        switch observer.moment {
        case .running, .paused, .ended: return events
        case .unknown:
            guard events.canBegin(with: .resume) else { return events }
            throw LeftOut(
                "whether an observer of '\(task.name)' is added in time for the start is not told")
        case .start:
            let new =
                observer.kinds.contains(.progress) ? start(value, isSure: false) : []
            return observer.kinds.contains(.resume)
                ? events.replacingFirst(.resume, by: new) : new + events
        }
    }

    // MARK: Times and triggers

    /// The first resume is the start; a later one is the one before.
    private static func changed(
        _ time: Placed<TimeTest>, _ value: Traits.StartEvent
    ) -> Placed<TimeTest>? {
        var time = time
        switch time.value.moment {
        case .event(.resume) where time.value.ordinal > 1: time.value.ordinal -= 1
        case .event(.resume):
            guard value == .zeroProgress else { return nil }
            time.value.moment = .event(.progress)
        case .event(.progress) where value == .zeroProgress:
            time.value.bytes = NumberTest("> 0", unit: .size)
        case .event, .end: break
        }
        return time
    }

    private static func changeTriggers(
        _ draft: inout RewriteDraft, _ value: Traits.StartEvent
    ) throws(LeftOut) {
        try draft.scenario.changeTaskTriggers { (trigger, isOfTest) throws(LeftOut) in
            var trigger = trigger
            switch trigger.moment {
            case .event(.resume) where trigger.ordinal > 1: trigger.ordinal -= 1
            case .event(.resume):
                guard value == .zeroProgress else {
                    throw LeftOut(
                        "\(waiter(isOfTest)) the start event of '\(trigger.task)', "
                            + "which this client does not tell")
                }
                trigger.moment = .event(.progress)
            case .event(.progress) where value == .zeroProgress:
                if let bytes = trigger.bytes {
                    guard bytes.isPercent || !bytes.holds(Int64(0)) else {
                        throw LeftOut("'\(trigger.text)' would fit the start event too")
                    }
                } else {
                    trigger.bytes = NumberTest("> 0", unit: .size)
                }
            case .event, .end: break
            }
            return .task(trigger)
        }
    }

    /// How a sentence about a trigger begins.
    static func waiter(_ isOfTest: Bool) -> String {
        isOfTest ? "a test counts from" : "a step or fault waits for"
    }
}
