import StorageModel

extension SequencePattern where Atom == EventAtom {
    /// True where a failure is among the events that it names.
    package var namesFailure: Bool {
        switch self {
        case .atom(.event(let condition), _): condition.kind == .failure
        case .atom(.quiet, _): false
        case .any(let alternatives): alternatives.joined().contains(where: \.namesFailure)
        case .sequence(let parts, _): parts.contains(where: \.namesFailure)
        }
    }
}
