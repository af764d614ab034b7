import StorageModel

/// What became of one rule so far.
package struct FaultAccount: Hashable, Sendable {
    package let rule: FaultRule
    /// How often it fired.
    package let fired: Int
    /// Exchanges that fit it, whatever their ordinal.
    package let fitting: Int
    /// True: it was taken away and fires no more.
    package let isRemoved: Bool
    /// Why it has not fired: what did not come, the nearest that did; nil: it has.
    package let unfired: String?

    package init(
        _ rule: FaultRule, fired: Int, fitting: Int = 0, isRemoved: Bool = false,
        unfired: String? = nil
    ) {
        self.rule = rule
        self.fired = fired
        self.fitting = fitting
        self.isRemoved = isRemoved
        self.unfired = unfired
    }
}

/// There are too many rules for one run.
package struct TooManyFaults: Error, Hashable, Sendable, CustomStringConvertible {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package var description: String {
        "one run has at most \(limit) faults, removed ones included"
    }
}

// Rules that come and go while exchanges are under way.
extension FaultInjector {
    /// Rules of one run, those included that were removed: their accounts stay.
    package static let ruleLimit = 10_000

    /// The position for the next rule that is added: none is ever given twice.
    package var nextPosition: Int { (states.map(\.rule.position).max() ?? 0) + 1 }

    /// Adds rules behind those that there are; all or none. They count the exchanges whose heads are
    /// read from now on, and know nothing of what happened before.
    package mutating func add(_ rules: [FaultRule]) throws(TooManyFaults) {
        guard states.count + rules.count <= Self.ruleLimit else {
            throw TooManyFaults(limit: Self.ruleLimit)
        }
        for rule in rules {
            active.append(states.count)
            states.append(RuleState(rule: rule, counter: SelectorCounter(rule.selector)))
            register(rule)
        }
    }

    /// Takes a rule away: it fires no more, also on exchanges whose heads were read before. What it
    /// has begun goes on.
    ///
    /// - Returns: its last account; nil where there is no rule at this position.
    package mutating func remove(position: Int) -> FaultAccount? {
        guard let place = active.firstIndex(where: { states[$0].rule.position == position })
        else { return nil }
        let index = active.remove(at: place)
        states[index].lastWord = account(of: states[index]).unfired
        states[index].isRemoved = true
        states[index].spent = [:]
        return account(of: states[index])
    }

    /// Every rule, in the order of their coming; removed ones too.
    package var accounts: [FaultAccount] { states.map(account) }

    private func account(of state: RuleState) -> FaultAccount {
        let unfired =
            state.fired > 0 ? nil : state.isRemoved ? state.lastWord : reason(for: state)
        return FaultAccount(
            state.rule, fired: state.fired, fitting: state.counter.fitting,
            isRemoved: state.isRemoved, unfired: unfired)
    }

    /// Begins to watch for the triggers that a rule names.
    mutating func register(_ rule: FaultRule) {
        if let since = rule.selector.filters.since { triggers.register(since) }
        for case .hold(let trigger, _) in rule.actions { triggers.register(trigger) }
    }
}
