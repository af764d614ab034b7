// Faults of an answer's body of which its head has to know: those after which it has another length, or
// that want it in chunks.
extension FaultInjector {
    /// A fault that will fire at a place of the answer's body, if the answer gets so far.
    package struct Reserved: Sendable {
        package let rule: FaultRule
        /// Bytes of the body sent before.
        package let place: Int64
        package let key: CountingKey
        package let ordinal: Int
    }

    /// Takes such faults from their budgets, so that no other exchange can use them up between the head
    /// and their place. `finish` gives back those whose place never came.
    ///
    /// - Returns: by place, and in file order where two have the same.
    package mutating func reserveForBody(_ plan: inout FaultPlan) -> [Reserved] {
        var found: [Reserved] = []
        for place in plan.entries.indices {
            let entry = plan.entries[place]
            guard case .rule(let index) = entry.purpose, case .responseBody = entry.phase,
                let offset = entry.place, !entry.isSpent, !entry.isReserved,
                !states[index].isRemoved
            else { continue }
            let rule = states[index].rule
            guard rule.actions.contains(where: \.shapesBody) else { continue }
            let spent = states[index].spent[entry.key, default: 0]
            guard spent < rule.times ?? .max else { continue }
            states[index].spent[entry.key] = spent + 1
            plan.entries[place].isReserved = true
            found.append(
                Reserved(rule: rule, place: offset, key: entry.key, ordinal: entry.ordinal))
        }
        return found.enumerated().sorted {
            ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
        }
        .map(\.element)
    }
}

extension FaultAction {
    /// The head of an answer has to know of it.
    fileprivate var shapesBody: Bool { if case .framing = self { true } else { changesLength } }

    /// A corruption after which a body is longer or shorter.
    var changesLength: Bool {
        guard case .corrupt(let corruption) = self else { return false }
        return switch corruption {
        case .drop, .duplicate, .insert: true
        case .flip, .zero, .random: false
        }
    }
}
