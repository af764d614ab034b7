import FaultEngine
import StorageModel

/// Which step has its moment, without clock or client: what happened goes in, what is due comes out.
struct StepMachine {
    enum State: Hashable {
        /// Its round has not begun.
        case inactive
        /// For its moment.
        case waiting
        /// Its moment came; the time added to it runs.
        case delayed
        case due
        case running
        /// The client carries it out by itself at its moment.
        case armed
        case carriedOut
        /// It can not be carried out any more.
        case lost
    }

    enum Action: Hashable {
        /// The entry began to wait: whoever can see its moment should look now.
        case activated(Int)
        /// After that time, tell `delayPassed`.
        case delay(Int, Duration)
        /// A mark was passed: the step with this name is carried out.
        case passed(Int)
    }

    let entries: [StepList.Entry]
    private(set) var states: [State]

    init(_ list: StepList) {
        entries = list.entries
        states = entries.map { _ in .inactive }
    }

    /// The first entry, in the order of the file, that is to be carried out now.
    var due: Int? { states.firstIndex(of: .due) }

    var isRunning: Bool { states.contains(.running) }

    /// True when nothing is left to be carried out.
    var isDone: Bool { states.allSatisfy { $0 == .carriedOut || $0 == .lost } }

    /// Entries whose moment has not come.
    var waiting: [Int] {
        states.indices.filter { [.waiting, .inactive, .armed].contains(states[$0]) }
    }

    /// Entries whose moment came and which the client has not confirmed.
    var underWay: [Int] {
        states.indices.filter { [.due, .running].contains(states[$0]) }
    }

    /// True when a time that is yet to come is part of the entry's moment.
    func awaitsTime(_ index: Int, now: Duration) -> Bool {
        entries[index].when?.times.contains { $0 > now } ?? false
    }

    /// Entries that were not begun.
    var missed: [Int] {
        states.indices.filter {
            [.waiting, .inactive, .armed, .delayed, .due].contains(states[$0])
        }
    }

    /// Entries that wait for the time added to their moment.
    var isDelayed: Bool { states.contains(.delayed) }

    /// Looks at every entry; call it after anything happened.
    ///
    /// - Parameter happened: whether a trigger has happened.
    mutating func advance(_ happened: (Trigger) -> Bool) -> [Action] {
        var actions: [Action] = []
        var changed = true
        while changed {
            changed = false
            for index in states.indices {
                let before = states[index]
                step(index, happened, &actions)
                if states[index] != before { changed = true }
            }
        }
        return actions
    }

    private mutating func step(
        _ index: Int, _ happened: (Trigger) -> Bool, _ actions: inout [Action]
    ) {
        let entry = entries[index]
        if states[index] == .inactive {
            guard entry.activation.map({ states[$0] == .carriedOut }) ?? true else { return }
            states[index] = .waiting
            actions.append(.activated(index))
        }
        if states[index] == .waiting {
            guard entry.after.allSatisfy({ states[$0] == .carriedOut }),
                entry.when.map(happened) ?? true
            else { return }
            if let delay = entry.delay, delay > .zero {
                states[index] = .delayed
                actions.append(.delay(index, delay))
            } else {
                come(index, &actions)
            }
        }
    }

    private mutating func come(_ index: Int, _ actions: inout [Action]) {
        if case .mark = entries[index].work {
            states[index] = .carriedOut
            actions.append(.passed(index))
        } else {
            states[index] = .due
        }
    }

    /// The time added to an entry's moment has passed.
    mutating func delayPassed(_ index: Int) -> [Action] {
        guard states[index] == .delayed else { return [] }
        var actions: [Action] = []
        come(index, &actions)
        return actions
    }

    mutating func begin(_ index: Int) { states[index] = .running }

    mutating func arm(_ index: Int) { states[index] = .armed }

    mutating func finish(_ index: Int) { states[index] = .carriedOut }

    mutating func lose(_ index: Int) { states[index] = .lost }
}
