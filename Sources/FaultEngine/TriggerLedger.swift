package import StorageModel

/// What has happened so far, of the moments that triggers name.
struct TriggerLedger {
    private struct Leaf {
        let trigger: Trigger
        var count = 0
        var happenedAt: Duration?
        /// For `wire`: counts the exchanges.
        var counter: SelectorCounter?
    }

    private var leaves: [Leaf] = []
    private var places: [Trigger: Int] = [:]

    var isEmpty: Bool { leaves.isEmpty }

    /// Begins to watch for the trigger; what happened before is not known to it.
    mutating func register(_ trigger: Trigger) {
        if case .all(let parts) = trigger {
            for part in parts { register(part) }
            return
        }
        guard places[trigger] == nil else { return }
        places[trigger] = leaves.count
        var leaf = Leaf(trigger: trigger)
        if case .wire(let selector, _) = trigger { leaf.counter = SelectorCounter(selector) }
        leaves.append(leaf)
        if case .wire(let selector, _) = trigger, let since = selector.filters.since {
            register(since)
        }
    }

    /// When it happened; nil: not yet.
    func happened(_ trigger: Trigger, now: Duration) -> Duration? {
        switch trigger {
        case .time(let time): return now >= time ? time : nil
        case .all(let parts):
            var latest = Duration.zero
            for part in parts {
                guard let time = happened(part, now: now) else { return nil }
                latest = max(latest, time)
            }
            return latest
        case .task, .result, .wire, .fault, .step, .gate:
            return places[trigger].flatMap { leaves[$0].happenedAt }
        }
    }

    mutating func note(_ event: TransferEvent, of task: String, at time: Duration) {
        for index in leaves.indices {
            guard case .task(let wanted) = leaves[index].trigger, wanted.task == task,
                wanted.fits(event)
            else { continue }
            leaves[index].count += 1
            if leaves[index].count >= wanted.ordinal { mark(index, at: time) }
        }
    }

    mutating func noteResult(_ name: String, isSuccess: Bool, at time: Duration) {
        for index in leaves.indices {
            guard case .result(name, let moment) = leaves[index].trigger else { continue }
            if moment == .end || (moment == .success) == isSuccess { mark(index, at: time) }
        }
    }

    mutating func noteStep(_ name: String, at time: Duration) { note(.step(name: name), at: time) }

    mutating func noteGate(_ name: String, at time: Duration) { note(.gate(name: name), at: time) }

    /// The gates that some trigger names, with the time of their release.
    var gates: [(name: String, released: Duration?)] {
        leaves.compactMap { leaf in
            guard case .gate(let name) = leaf.trigger else { return nil }
            return (name, leaf.happenedAt)
        }
    }

    /// Forgets a release: whoever comes to the gate now waits again.
    mutating func closeGate(_ name: String) {
        if let index = places[.gate(name: name)] { leaves[index].happenedAt = nil }
    }

    mutating func noteFault(_ name: String, at time: Duration) {
        for index in leaves.indices {
            guard case .fault(name, let ordinal) = leaves[index].trigger else { continue }
            leaves[index].count += 1
            if leaves[index].count >= ordinal { mark(index, at: time) }
        }
    }

    /// Counts the exchange for all wire triggers; what it may fulfil later goes into its plan.
    mutating func plan(_ facts: ExchangeFacts, now: Duration) -> [FaultPlan.Entry] {
        var entries: [FaultPlan.Entry] = []
        for index in leaves.indices {
            guard case .wire(_, let phase) = leaves[index].trigger,
                leaves[index].happenedAt == nil, var counter = leaves[index].counter
            else { continue }
            let match = counter.count(facts) { happened($0, now: now) != nil }
            leaves[index].counter = counter
            guard let match, match.isMeant else { continue }
            entries.append(
                FaultPlan.Entry(
                    purpose: .trigger(index), phase: phase, key: match.key,
                    ordinal: match.ordinal, draw: nil))
        }
        return entries
    }

    mutating func forget(_ key: CountingKey) {
        for index in leaves.indices { leaves[index].counter?.forget(key) }
    }

    mutating func noteWire(_ index: Int, at time: Duration) { mark(index, at: time) }

    private mutating func note(_ trigger: Trigger, at time: Duration) {
        if let index = places[trigger] { mark(index, at: time) }
    }

    private mutating func mark(_ index: Int, at time: Duration) {
        if leaves[index].happenedAt == nil { leaves[index].happenedAt = time }
    }
}

extension TaskTrigger {
    /// True for an event of the task that this trigger counts.
    package func fits(_ event: TransferEvent) -> Bool {
        switch moment {
        case .event(let kind) where kind != event.kind: return false
        case .end where !event.kind.isTerminal: return false
        case .event, .end: return bytes?.holds(event.completed, whole: event.total) ?? true
        }
    }
}
