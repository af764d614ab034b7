import FaultEngine
import StorageModel

/// A moment of an exchange that a step or a fault waits for.
struct WireMoment {
    let selector: ExchangeSelector
    let phase: FaultPhase

    /// Those of faults that must fire, and of all triggers.
    static func all(_ draft: RewriteDraft) -> [WireMoment] {
        let faults = draft.scenario.faults.filter { !$0.mayMiss }
        let triggers =
            draft.facts.steps.flatMap(\.triggers) + draft.scenario.faults.flatMap(\.triggers)
        return faults.map { WireMoment(selector: $0.selector, phase: $0.phase) }
            + triggers.flatMap(\.moments)
    }

    var text: String { "\(selector.operation)\(selector.ordinal)" }

    func canMean(_ task: TransferFacts) -> Bool {
        selector.filters.path?.matches(task.object.path) ?? true
    }

    /// True where it comes with the new cut of an upload too, and at the same point of its life.
    func isSame(old: ChunkPlan, new: ChunkPlan) -> Bool {
        let length: Int64?
        switch (selector.operation, selector.ordinal) {
        case (.uploadBody, .exactly(let number)):
            guard number <= new.lengths.count else { return false }
            let isLast = number == new.lengths.count
            if isApplied, isLast != (number == old.lengths.count) { return false }
            length = new.lengths[number - 1]
        case (.uploadBody, .all): length = new.lengths.max()
        case (.uploadBody, .last), (.one(.uploadFinalize), _): length = new.lengths.last
        default: length = nil
        }
        guard case .requestBody(.bytes(let bytes)) = phase, let length else { return true }
        return bytes < length
    }

    /// True for a moment at which the server has applied the request: the last body has stored the
    /// object by then.
    var isApplied: Bool {
        switch phase {
        case .afterCommit, .responseHead, .responseBody, .responseEnd, .idle: true
        case .connect, .requestHead, .requestBody, .beforeCommit, .elapsed, .unread: false
        }
    }
}

extension Trigger {
    fileprivate var moments: [WireMoment] {
        switch self {
        case .wire(let selector, let phase): [WireMoment(selector: selector, phase: phase)]
        case .all(let parts): parts.flatMap(\.moments)
        case .task, .result, .fault, .step, .time, .gate: []
        }
    }
}
