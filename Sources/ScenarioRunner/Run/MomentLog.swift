import EventMatching
import FaultEngine
import StorageModel

/// Everything that a trigger can name, in the order in which it happened.
struct MomentLog: Sendable {
    typealias Moment = EventMatching.ExchangeMoment

    private enum Occurrence: Hashable {
        case event(task: String, TransferEvent)
        case result(name: String, isSuccess: Bool)
        case step(name: String)
        case fault(name: String)
        case wire(Trigger)
    }

    private var occurrences: [(what: Occurrence, moment: Moment)] = []
    /// When each request head was read, in their order.
    private var heads: [Duration] = []
    /// The names of each round, for a name given inside `repeat`.
    let rounds: [String: [String]]

    /// - Parameter rounds: for a name given inside `repeat`, those of its rounds.
    init(rounds: [String: [String]] = [:]) { self.rounds = rounds }

    /// How much has happened, requests included.
    var count: Int { occurrences.count + heads.count }

    mutating func noteHead(at time: Duration) { heads.append(time) }

    mutating func note(_ event: TransferEvent, of task: String) {
        note(.event(task: task, event), at: event.time)
    }

    mutating func noteResult(_ name: String, isSuccess: Bool, at time: Duration) {
        note(.result(name: name, isSuccess: isSuccess), at: time)
    }

    mutating func noteStep(_ name: String, at time: Duration) { note(.step(name: name), at: time) }

    mutating func noteFault(_ name: String, at time: Duration) {
        note(.fault(name: name), at: time)
    }

    /// An exchange came to the place that a wire trigger names.
    mutating func noteWire(_ trigger: Trigger, at time: Duration) { note(.wire(trigger), at: time) }

    private mutating func note(_ what: Occurrence, at time: Duration) {
        occurrences.append((what, Moment(ordinal: heads.count, time: time)))
    }

    /// When the trigger happened; nil: not yet.
    ///
    /// - Parameter now: the time up to which it is asked for.
    func lookup(_ trigger: Trigger, now: Duration) -> Moment? {
        switch trigger {
        case .time(let time):
            guard now >= time else { return nil }
            return Moment(ordinal: heads.count { $0 < time }, time: time)
        case .all(let parts): return latest(parts, now: now)
        case .task(let trigger):
            if let names = rounds[trigger.task] {
                return latest(names.map { .task(trigger.with(task: $0)) }, now: now)
            }
            return nth(trigger.ordinal) { occurrence in
                guard case .event(trigger.task, let event) = occurrence else { return false }
                return trigger.fits(event)
            }
        case .result(let name, let moment):
            if let names = rounds[name] {
                return latest(names.map { .result(name: $0, moment) }, now: now)
            }
            return nth(1) { occurrence in
                guard case .result(name, let isSuccess) = occurrence else { return false }
                return moment == .end || (moment == .success) == isSuccess
            }
        case .step(let name):
            if let names = rounds[name] {
                return latest(names.map { .step(name: $0) }, now: now)
            }
            return nth(1) { $0 == .step(name: name) }
        case .fault(let name, let ordinal): return nth(ordinal) { $0 == .fault(name: name) }
        case .wire: return nth(1) { $0 == .wire(trigger) }
        case .gate: return nil
        }
    }

    private func nth(_ ordinal: Int, _ fits: (Occurrence) -> Bool) -> Moment? {
        var count = 0
        for (what, moment) in occurrences where fits(what) {
            count += 1
            if count == ordinal { return moment }
        }
        return nil
    }

    private func latest(_ triggers: [Trigger], now: Duration) -> Moment? {
        var latest = Moment(ordinal: 0, time: .zero)
        for trigger in triggers {
            guard let moment = lookup(trigger, now: now) else { return nil }
            if (moment.time, moment.ordinal) > (latest.time, latest.ordinal) { latest = moment }
        }
        return latest
    }
}

extension TaskTrigger {
    /// The same trigger for another task.
    func with(task: String) -> TaskTrigger {
        var trigger = self
        trigger.task = task
        return trigger
    }
}

extension Trigger {
    /// The wire triggers in it.
    var wires: [(trigger: Trigger, selector: ExchangeSelector, phase: FaultPhase)] {
        switch self {
        case .wire(let selector, let phase): [(self, selector, phase)]
        case .all(let parts): parts.flatMap(\.wires)
        case .task, .result, .fault, .step, .time, .gate: []
        }
    }

    /// The task triggers in it.
    var tasks: [TaskTrigger] {
        switch self {
        case .task(let trigger): [trigger]
        case .all(let parts): parts.flatMap(\.tasks)
        case .wire, .result, .fault, .step, .time, .gate: []
        }
    }

    /// The times in it.
    var times: [Duration] {
        switch self {
        case .time(let time): [time]
        case .all(let parts): parts.flatMap(\.times)
        case .task, .result, .wire, .fault, .step, .gate: []
        }
    }
}
