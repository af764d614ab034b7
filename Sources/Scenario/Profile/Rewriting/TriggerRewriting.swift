import EventMatching
import FaultEngine
import StorageModel

// Triggers wherever they stand: steps, faults, and the moments of expectations.
extension ScenarioFile {
    /// Every trigger on an event of a task replaced.
    ///
    /// - Parameters:
    ///   - change: what is waited for instead.
    ///   - isOfTest: told with it: true for a moment of an expectation, false for what is waited for.
    mutating func changeTaskTriggers(
        _ change: (TaskTrigger, _ isOfTest: Bool) throws(LeftOut) -> Trigger
    ) throws(LeftOut) {
        for index in steps.indices {
            try steps[index].changeTriggers { (trigger) throws(LeftOut) in
                try change(trigger, false)
            }
        }
        for index in faults.indices {
            try faults[index].changeTriggers { (trigger) throws(LeftOut) in
                try change(trigger, false)
            }
        }
        try expect.changeTriggers { (trigger) throws(LeftOut) in try change(trigger, true) }
        for index in expect.outcomes.indices {
            try expect.outcomes[index].changeTriggers { (trigger) throws(LeftOut) in
                try change(trigger, true)
            }
        }
    }
}

typealias TriggerChange = (TaskTrigger) throws(LeftOut) -> Trigger

extension Trigger {
    func changed(_ change: TriggerChange) throws(LeftOut) -> Trigger {
        switch self {
        case .task(let event): return try change(event)
        case .wire(var selector, let phase):
            try selector.changeTriggers(change)
            return .wire(selector, phase)
        case .all(let parts):
            var changed: [Trigger] = []
            for part in parts { changed.append(try part.changed(change)) }
            return .all(changed)
        case .result, .fault, .step, .time, .gate: return self
        }
    }

    /// The events of tasks in it.
    var taskTriggers: [TaskTrigger] {
        switch self {
        case .task(let event): [event]
        case .wire(let selector, _): selector.filters.since?.taskTriggers ?? []
        case .all(let parts): parts.flatMap(\.taskTriggers)
        case .result, .fault, .step, .time, .gate: []
        }
    }
}

extension ExchangeSelector {
    mutating func changeTriggers(_ change: TriggerChange) throws(LeftOut) {
        if let since = filters.since { filters.since = try since.changed(change) }
    }
}

extension FaultRule {
    fileprivate mutating func changeTriggers(_ change: TriggerChange) throws(LeftOut) {
        try selector.changeTriggers(change)
        for index in actions.indices {
            if case .hold(let trigger, let atMost) = actions[index] {
                actions[index] = .hold(until: try trigger.changed(change), atMost: atMost)
            }
        }
    }

    /// What it waits for.
    var triggers: [Trigger] {
        let holds = actions.compactMap { action -> Trigger? in
            if case .hold(let trigger, _) = action { trigger } else { nil }
        }
        return holds + [selector.filters.since].compactMap { $0 }
    }
}

extension Step {
    fileprivate mutating func changeTriggers(_ change: TriggerChange) throws(LeftOut) {
        if let when { self.when = try when.changed(change) }
        switch verb {
        case .wait(.trigger(let trigger)): verb = .wait(.trigger(try trigger.changed(change)))
        case .burst(let steps): verb = .burst(try Self.changed(steps, change))
        case .parallel(let steps): verb = .parallel(try Self.changed(steps, change))
        case .repeat(let loop):
            var rounds: [[Step]] = []
            for round in 0..<loop.count {
                rounds.append(try Self.changed(loop.steps(ofRound: round + 1), change))
            }
            guard loop.count > 0 else { return }
            verb = .repeat(RepeatStep(count: loop.count, gaps: loop.gaps, rounds: rounds))
        case .upload, .download, .pause, .resume, .cancel, .snapshot, .observe, .unobserve,
            .getMetadata, .updateMetadata, .delete, .url, .list, .listAll, .fetch, .image,
            .reference, .local, .token, .backend, .release, .restartClient, .wait:
            break
        }
    }

    private static func changed(
        _ steps: [Step], _ change: TriggerChange
    ) throws(LeftOut) -> [Step] {
        var changed = steps
        for index in changed.indices { try changed[index].changeTriggers(change) }
        return changed
    }

    /// What it waits for; not what steps inside it do.
    var triggers: [Trigger] {
        var triggers = [when].compactMap { $0 }
        if case .wait(.trigger(let trigger)) = verb { triggers.append(trigger) }
        return triggers
    }
}

extension Expectation {
    fileprivate mutating func changeTriggers(_ change: TriggerChange) throws(LeftOut) {
        for task in tasks.indices {
            for index in tasks[task].times.indices {
                try tasks[task].times[index].value.changeTriggers(change)
            }
        }
        for result in results.indices {
            for index in results[result].times.indices {
                try results[result].times[index].value.changeTriggers(change)
            }
        }
        for index in (requests ?? []).indices {
            if let after = requests?[index].value.after {
                requests?[index].value.after = try after.changed(change)
            }
            if let before = requests?[index].value.before {
                requests?[index].value.before = try before.changed(change)
            }
        }
        for index in exchanges.indices {
            try exchanges[index].value.selector.changeTriggers(change)
            if let after = exchanges[index].value.after {
                exchanges[index].value.after = try after.changed(change)
            }
            if let before = exchanges[index].value.before {
                exchanges[index].value.before = try before.changed(change)
            }
        }
    }
}

extension TimeTest {
    fileprivate mutating func changeTriggers(_ change: TriggerChange) throws(LeftOut) {
        if let since { self.since = try since.changed(change) }
    }
}
