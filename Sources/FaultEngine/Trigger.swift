package import StorageModel

/// A named moment: for `when`, `hold`, `since`, `after` and `before`.
package indirect enum Trigger: Hashable, Sendable {
    case task(TaskTrigger)
    /// `page end`: a step's result is there.
    case result(name: String, ResultMoment)
    /// An exchange that fits reached the phase.
    case wire(ExchangeSelector, FaultPhase)
    /// A named fault fired (for the n-th time, from 1).
    case fault(name: String, ordinal: Int)
    /// A named step was carried out.
    case step(name: String)
    /// On the scenario's clock, from its start.
    case time(Duration)
    /// Released from outside.
    case gate(name: String)
    /// All of them happened, in any order.
    case all([Trigger])
}

/// An event of a task: `up pause#3`, `up progress >= 50%`, `up end`.
package struct TaskTrigger: Hashable, Sendable {
    package enum Moment: Hashable, Sendable {
        case event(TransferEvent.Kind)
        /// Either terminal event.
        case end
    }

    package var task: String
    package var moment: Moment
    /// The n-th of those that fit, from 1.
    package var ordinal: Int
    /// On the completed bytes; nil: any.
    package var bytes: NumberTest?

    package init(task: String, moment: Moment, ordinal: Int = 1, bytes: NumberTest? = nil) {
        self.task = task
        self.moment = moment
        self.ordinal = ordinal
        self.bytes = bytes
    }
}

/// What a result of a step came to.
package enum ResultMoment: String, Hashable, Sendable, CaseIterable {
    case success
    case failure
    /// Either.
    case end
}

extension Trigger {
    /// As the language writes it.
    package var text: String {
        switch self {
        case .task(let trigger): trigger.text
        case .result(let name, let moment): "\(name) \(moment.rawValue)"
        case .wire(let selector, let phase):
            "wire \(selector.operation)\(selector.ordinal)"
                + (selector.filters.path.map { " path=\($0)" } ?? "") + " \(phase.name)"
        case .fault(let name, let ordinal): "fault \(name)\(ordinal > 1 ? "#\(ordinal)" : "")"
        case .step(let name): "step \(name)"
        case .time(let time): "time \(time.exactText)"
        case .gate(let name): "gate \(name)"
        case .all(let parts): parts.map(\.text).joined(separator: " and ")
        }
    }
}

extension TaskTrigger {
    /// As the language writes it.
    package var text: String {
        let word =
            switch moment {
            case .event(let kind): kind.rawValue
            case .end: "end"
            }
        let count = ordinal > 1 ? "#\(ordinal)" : ""
        return "\(task) \(word)\(count)\(bytes.map { " \($0)" } ?? "")"
    }
}

extension Trigger {
    /// The gates that it names.
    package var gates: [String] {
        switch self {
        case .gate(let name): [name]
        case .all(let parts): parts.flatMap(\.gates)
        case .task, .result, .wire, .fault, .step, .time: []
        }
    }
}
