import EventMatching
import FaultEngine
import StorageModel

/// What expectations say about the server's log.
enum WireTests {
    /// True where a test of the log names the operation, by itself or in a group.
    static func name(_ operation: Operation, _ sets: [Expectation]) -> Bool {
        sets.contains { set in
            (set.requests ?? []).contains {
                $0.value.pattern.operations.contains { $0.matches(operation) }
            } || set.exchanges.contains { $0.value.selector.operation.matches(operation) }
        }
    }
}

extension [RequestPattern] {
    /// Every operation that is named in it.
    var operations: [OperationPattern] {
        flatMap { part -> [OperationPattern] in
            switch part {
            case .atom(let condition, _): [condition.operation]
            case .any(let alternatives): alternatives.flatMap(\.operations)
            case .sequence(let parts, _): parts.operations
            }
        }
    }

    /// Every request replaced, those in groups too.
    func replacing(
        _ change: (RequestCondition) throws(LeftOut) -> RequestCondition
    ) throws(LeftOut) -> [RequestPattern] {
        var parts: [RequestPattern] = []
        for part in self {
            switch part {
            case .atom(let condition, let repetition):
                parts.append(.atom(try change(condition), repetition))
            case .any(let alternatives):
                var changed: [[RequestPattern]] = []
                for alternative in alternatives {
                    changed.append(try alternative.replacing(change))
                }
                parts.append(.any(changed))
            case .sequence(let inner, let repetition):
                parts.append(.sequence(try inner.replacing(change), repetition))
            }
        }
        return parts
    }
}
