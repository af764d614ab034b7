import EventMatching
import FaultEngine
import StorageModel

/// The waits of trait `retries`: ends come sooner or later than a documented client's.
enum WaitsRewriting {
    /// Where a fault is tried again, the lower bound of an end's time goes, and the upper one makes room
    /// for the client's own waits.
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.retries != Traits.documented.retries else { return }
        let waits = NecessaryWaits(draft)
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard waits.triesAgain(facts) else { return }
            let isExhausted = ExhaustedRewriting.mentionsLimit(task)
            let more = isExhausted ? waits.overrun(of: facts) : waits.longest(of: facts)
            task.times = task.times.compactMap { moved($0, by: more) }
        }
        let facts = draft.facts
        let scenario = draft.scenario
        let limit = scenario.client.maxOperationRetryTime
        let overrun = draft.traits.retries.waits.overrun
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.results.indices {
                let name = set.results[index].name
                let meets = facts.steps.contains { step in
                    step.name == name && scenario.faults.contains { $0.canMeet(step.verb) }
                }
                guard meets else { continue }
                let more = limit * overrun
                set.results[index].times = set.results[index].times.compactMap {
                    moved($0, by: more)
                }
            }
        }
    }

    private static func moved(
        _ time: Placed<TimeTest>, by more: Duration
    ) -> Placed<TimeTest>? {
        guard time.value.moment.isEnd else { return time }
        guard let test = time.value.test.withoutLower else { return nil }
        var time = time
        time.value.test = test.raisingUpper(by: Double(more.nanoseconds))
        return time
    }
}

/// How long the faults of a scenario make a client wait.
struct NecessaryWaits {
    private let scenario: ScenarioFile
    private let habit: RetryHabit
    private let facts: ScenarioFacts

    init(_ draft: RewriteDraft) {
        scenario = draft.scenario
        habit = draft.traits.retries
        facts = draft.facts
    }

    init(_ scenario: ScenarioFile, _ habit: RetryHabit) {
        self.scenario = scenario
        self.habit = habit
        facts = ScenarioFacts(scenario)
    }

    /// True where a fault or the link makes the transfer try again.
    func triesAgain(_ task: TransferFacts) -> Bool {
        !scenario.backend.link.isEmpty || scenario.faults.contains { isTriedAgain($0, by: task) }
    }

    /// How much later than its limit the client gives up, at most.
    func overrun(of task: TransferFacts) -> Duration {
        limit(of: task) * max(0, habit.waits.overrun - 1)
    }

    /// The most that a transfer waits before it gets through: for each fault, or until its limit.
    func longest(of task: TransferFacts) -> Duration {
        let most = limit(of: task) * habit.waits.overrun
        guard scenario.backend.link.isEmpty else { return most }
        var tries = 0
        for rule in scenario.faults where isTriedAgain(rule, by: task) {
            guard let firings = rule.mostFirings else { return most }
            tries += firings
        }
        return min(most, habit.waits.total(tries: tries))
    }

    /// The most that anything waits: the transfers one after the other, and the other operations.
    var total: Duration {
        var sum = facts.transfers.map(longest).reduce(.zero, +)
        let operations = facts.steps.contains { step in
            scenario.faults.contains { $0.canMeet(step.verb) && !$0.symptoms.isEmpty }
        }
        if operations { sum += scenario.client.maxOperationRetryTime * habit.waits.overrun }
        return sum
    }

    private func limit(of task: TransferFacts) -> Duration {
        task.isUpload
            ? scenario.client.maxUploadRetryTime : scenario.client.maxDownloadRetryTime
    }

    private func isTriedAgain(_ rule: FaultRule, by task: TransferFacts) -> Bool {
        guard rule.canMeet(task) else { return false }
        return rule.symptoms.contains { symptom in
            switch symptom {
            case .status(let status, let upload): habit.retries(status) || upload == .active
            case .transport: true
            case .falseBytes, .falseChecksum: false
            }
        }
    }
}
