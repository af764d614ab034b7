package import StorageModel

/// Decides which faults fire on which exchange, and keeps account of them.
///
/// The caller makes a plan for each exchange when its head was read, and asks at each moment that the
/// exchange comes to. Taking a fault and counting it is one step: a budget is never spent twice.
package struct FaultInjector: Sendable {
    /// A fault that fires now.
    package struct Firing: Sendable {
        package let rule: FaultRule
        package let fired: FiredFault
        package let key: CountingKey
        /// Of the exchange among those that fit the rule.
        package let ordinal: Int
        /// Of the exchange among those of its key that were meant and that chance decided for, from 1.
        package let rank: Int
    }

    struct RuleState {
        let rule: FaultRule
        var counter: SelectorCounter
        var spent: [CountingKey: Int] = [:]
        /// Exchanges that were meant and that chance decided for.
        var chosen: [CountingKey: Int] = [:]
        var fired = 0
        /// Exchanges at which chance decided against it.
        var drawnAgainst = 0
        /// The body length of the last exchange that was meant but ended before the fault's place.
        var lastBody: Int64?
        var isRemoved = false
        /// Why it had not fired when it was removed.
        var lastWord: String?
    }

    struct Hold {
        let id: HoldID
        let phase: FaultPhase
        var counter: SelectorCounter
        var isOpen = true
    }

    package let draws: SeededDraw
    package var transfers: TransferTracker
    /// In the order of their coming, removed ones too: plans name them by their index.
    var states: [RuleState]
    /// The indices of those that were not removed.
    var active: [Int] { didSet { candidates = [:] } }
    /// Those of `active` that may fit an exchange at its head, by its operation; filled as they come.
    private var candidates: [Operation: [Int]] = [:]
    var triggers = TriggerLedger()
    var holds: [Hold] = []
    var history = ExchangeHistory()

    package init(
        rules: [FaultRule], seed: UInt64 = 0, scenario: String = "", isServed: Bool = false
    ) {
        draws = SeededDraw(seed: seed, scenario: scenario)
        transfers = TransferTracker(isServed: isServed)
        states = rules.map { RuleState(rule: $0, counter: SelectorCounter($0.selector)) }
        active = Array(states.indices)
        for rule in rules { register(rule) }
    }

    // MARK: An exchange

    /// Counts the exchange for every rule, trigger and hold, in this order of reading heads.
    package mutating func plan(_ facts: ExchangeFacts) -> FaultPlan {
        history.add(facts)
        forgetPast(facts)
        var plan = FaultPlan(facts: facts)
        plan.entries = triggers.plan(facts, now: facts.time)
        let known = triggers
        for index in holds.indices where holds[index].isOpen {
            let match = holds[index].counter.count(facts) {
                known.happened($0, now: facts.time) != nil
            }
            guard let match, match.isMeant else { continue }
            plan.entries.append(
                FaultPlan.Entry(
                    purpose: .hold(holds[index].id), phase: holds[index].phase, key: match.key,
                    ordinal: match.ordinal, draw: nil))
        }
        for index in candidates(for: facts.operation) {
            enter(index, facts, body: nil, known, into: &plan)
        }
        return plan
    }

    private mutating func candidates(for operation: Operation) -> [Int] {
        if let known = candidates[operation] { return known }
        let fitting = active.filter {
            let counter = states[$0].counter
            return !counter.needsBody && counter.selector.operation.matches(operation)
        }
        candidates[operation] = fitting
        return fitting
    }

    /// Counts the exchange for the rules that look at the request's JSON body; call it once, when the
    /// body was read and before `beforeCommit`.
    package mutating func bodyWasRead(_ body: JSONValue?, _ plan: inout FaultPlan) {
        let (known, facts) = (triggers, plan.facts)
        for index in active where states[index].counter.needsBody {
            enter(index, facts, body: body, known, into: &plan)
        }
        plan.entries.sort { $0.purpose.order < $1.purpose.order }
    }

    /// True when somebody waits for something that happens elsewhere.
    package var watchesTriggers: Bool { !triggers.isEmpty }

    /// True when a rule wants to look at JSON bodies.
    package var readsBodies: Bool { active.contains { states[$0].counter.needsBody } }

    /// - Parameter known: what has happened when the rules are asked.
    private mutating func enter(
        _ index: Int, _ facts: ExchangeFacts, body: JSONValue?, _ known: TriggerLedger,
        into plan: inout FaultPlan
    ) {
        // Captured alone: the facts are large, and most rules are done with here.
        let now = facts.time
        let match = states[index].counter.count(facts, body: body) {
            known.happened($0, now: now) != nil
        }
        guard let match, match.isMeant else { return }
        let rule = states[index].rule
        if case .range? = rule.actions.first, facts.headers["Range"] == nil { return }
        if facts.isRedirected, rule.isRedirectChain { return }
        if case .expectContinue? = rule.actions.first, facts.headers["Expect"] == nil { return }
        var draw: Double?
        if let chance = rule.chance {
            let number = draws.number(
                rule: rule.position, key: match.key, ordinal: match.ordinal)
            guard number < chance else {
                states[index].drawnAgainst += 1
                return
            }
            draw = number
        }
        let rank = states[index].chosen[match.key, default: 0] + 1
        states[index].chosen[match.key] = rank
        plan.entries.append(
            FaultPlan.Entry(
                purpose: .rule(index), phase: rule.phase, key: match.key, ordinal: match.ordinal,
                rank: rank, draw: draw))
    }

    /// The exchange has come to a moment: fulfils wire triggers; returns the holds that keep it there.
    package mutating func arrive(
        _ moment: WireMoment, _ plan: inout FaultPlan, at time: Duration
    ) -> [HoldID] {
        var held: [HoldID] = []
        for index in plan.entries.indices {
            let entry = plan.entries[index]
            guard !entry.isSpent, entry.isAt(moment) else { continue }
            switch entry.purpose {
            case .trigger(let leaf):
                triggers.noteWire(leaf, at: time)
                plan.entries[index].isSpent = true
            case .hold(let id):
                plan.entries[index].isSpent = true
                if let place = holds.firstIndex(where: { $0.id == id && $0.isOpen }) {
                    holds[place].isOpen = false
                    held.append(id)
                }
            case .rule: break
            }
        }
        return held
    }

    /// Takes the next fault of this moment, in file order; nil: there is none (left).
    package mutating func take(
        _ moment: WireMoment, _ plan: inout FaultPlan, at time: Duration
    ) -> Firing? {
        for place in plan.entries.indices {
            let entry = plan.entries[place]
            guard case .rule(let index) = entry.purpose, !entry.isSpent, entry.isAt(moment)
            else { continue }
            guard !states[index].isRemoved else { continue }
            let rule = states[index].rule
            let spent = states[index].spent[entry.key, default: 0]
            if !entry.isReserved {
                guard spent < rule.times ?? .max else { continue }
                states[index].spent[entry.key] = spent + 1
            }
            states[index].fired += 1
            plan.entries[place].isSpent = true
            if let name = rule.name { triggers.noteFault(name, at: time) }
            let fired = FiredFault(
                rule: rule.position, name: rule.title, time: time, ordinal: entry.ordinal,
                actions: rule.actions.map(\.name), draw: entry.draw, chance: rule.chance)
            return Firing(
                rule: rule, fired: fired, key: entry.key, ordinal: entry.ordinal,
                rank: entry.rank)
        }
        return nil
    }

    // MARK: Holds of steps

    /// Keeps the next exchange that fits, counted from now on, at the phase; once.
    package mutating func hold(at selector: ExchangeSelector, phase: FaultPhase) -> HoldID {
        let id = HoldID(number: holds.count + 1)
        if let since = selector.filters.since { triggers.register(since) }
        holds.append(Hold(id: id, phase: phase, counter: SelectorCounter(selector)))
        return id
    }

    /// The hold takes nothing any more.
    package mutating func drop(_ id: HoldID) {
        for index in holds.indices where holds[index].id == id { holds[index].isOpen = false }
    }

    // MARK: What happened elsewhere

    /// Begins to watch for a trigger that no rule names.
    package mutating func watch(_ trigger: Trigger) { triggers.register(trigger) }

    package func happened(_ trigger: Trigger, now: Duration) -> Bool {
        triggers.happened(trigger, now: now) != nil
    }

    package mutating func note(_ event: TransferEvent, of task: String, at time: Duration) {
        triggers.note(event, of: task, at: time)
    }

    package mutating func noteResult(_ name: String, isSuccess: Bool, at time: Duration) {
        triggers.noteResult(name, isSuccess: isSuccess, at: time)
    }

    package mutating func noteStep(_ name: String, at time: Duration) {
        triggers.noteStep(name, at: time)
    }

    package mutating func noteGate(_ name: String, at time: Duration) {
        triggers.noteGate(name, at: time)
    }

    /// Forgets the gate's release: whoever comes to it now waits again.
    package mutating func closeGate(_ name: String) { triggers.closeGate(name) }

    /// The gates that a rule or a watched trigger names, with the time of their release, in the order
    /// in which they were first named.
    package var gates: [(name: String, released: Duration?)] { triggers.gates }
}

extension FaultPlan.Purpose {
    /// Triggers first, then holds, then rules in file order.
    fileprivate var order: (Int, Int) {
        switch self {
        case .trigger(let index): (0, index)
        case .hold(let id): (1, id.number)
        case .rule(let index): (2, index)
        }
    }
}
