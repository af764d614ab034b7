import FaultEngine
import StorageModel

extension FaultRule {
    /// As the language writes it, in the long form.
    var node: YAMLNode {
        .map([
            ("name", name.map(YAMLNode.text)), ("match", selector.matchNode),
            ("where", selector.filters.node.unlessEmpty),
            ("at", phase == usualPhase ? nil : .word(phase.name)), ("commit", commit?.node),
            ("do", doNode), ("times", timesNode), ("per", selector.perNode),
            ("chance", chance.map { .word(($0 * 100).percentText) }),
            ("may-miss", mayMiss ? .flag(true) : nil),
        ])
    }

    private var usualPhase: FaultPhase? {
        guard let first = actions.first else {
            return selector.operation == .one(.connect) ? .connect : .beforeCommit
        }
        return first.defaultPhase(for: selector.operation)
    }

    private var doNode: YAMLNode? {
        switch actions.count {
        case 0: nil
        case 1: actions[0].node
        default: .list(actions.map(\.node))
        }
    }

    private var timesNode: YAMLNode? {
        guard times != Self.defaultTimes(for: selector.ordinal) else { return nil }
        return times.map { .number($0) } ?? .word("always")
    }
}

extension CommitAmount {
    fileprivate var node: YAMLNode {
        switch self {
        case .none: .word("none")
        case .all: .word("all")
        case .bytes(let bytes): .size(bytes)
        case .percent(let percent): .word(percent.percentText)
        case .more(let bytes): .word("+\(bytes.sizeText)")
        case .twice: .word("twice")
        }
    }
}
