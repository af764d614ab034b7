import FaultEngine
import StorageModel

extension Trigger {
    /// The trigger as the language writes it, as far as a message needs it.
    var words: String {
        switch self {
        case .task(let trigger): trigger.words
        case .result(let name, let moment): "\(name) \(moment.rawValue)"
        case .wire(let selector, let phase):
            "wire \(selector.operation)\(selector.ordinal)"
                + (selector.filters.path.map { " path=\($0)" } ?? "") + " \(phase.name)"
        case .fault(let name, let ordinal): "fault \(name)" + (ordinal == 1 ? "" : "#\(ordinal)")
        case .step(let name): "step \(name)"
        case .time(let time): "time \(time.scenarioText)"
        case .gate(let name): "gate \(name)"
        case .all(let parts): parts.map(\.words).joined(separator: " and ")
        }
    }
}

extension TaskTrigger {
    var words: String {
        let name =
            switch moment {
            case .event(let kind): kind.rawValue
            case .end: "end"
            }
        return "\(task) \(name)" + (ordinal == 1 ? "" : "#\(ordinal)")
            + (bytes.map { " \($0)" } ?? "")
    }
}
