import FaultEngine
import StorageModel

extension PlannedScenario {
    /// On the wall clock the scenario is not called too late before this: the waits of the client
    /// itself for the faults of the file, and 20 s for everything else; nil: nothing is known of them.
    ///
    /// - Parameter limitScale: the factor on the limits that the client is given; its waits between two
    ///   tries are its own.
    package func leastDeadline(limitScale: Double) -> Duration? {
        retryHabit.map { habit in
            NecessaryWaits(scenario, habit, limitScale: limitScale).total + .seconds(20)
        }
    }
}

/// How long the faults of a scenario make a client wait.
struct NecessaryWaits {
    private let scenario: ScenarioFile
    private let habit: RetryHabit
    private let facts: ScenarioFacts
    private let limitScale: Double

    init(_ draft: RewriteDraft) {
        scenario = draft.scenario
        habit = draft.traits.retries
        facts = draft.facts
        limitScale = 1
    }

    init(_ scenario: ScenarioFile, _ habit: RetryHabit, limitScale: Double) {
        self.scenario = scenario
        self.habit = habit
        facts = ScenarioFacts(scenario)
        self.limitScale = limitScale
    }

    /// True where a fault or the link makes the transfer try again.
    func triesAgain(_ task: TransferFacts) -> Bool {
        !scenario.backend.link.isEmpty || scenario.faults.contains { isTriedAgain($0, by: task) }
    }

    /// True where a fault makes a step with a result try again.
    func isTriedAgain(_ verb: StepVerb) -> Bool {
        scenario.faults.contains { $0.canMeet(verb) && isTriedAgain($0) }
    }

    /// How much later than its limit the client gives up, at most.
    ///
    /// Where exchanges end in silence, each of its tries takes that long too.
    func overrun(of task: TransferFacts) -> Duration {
        let more = limit(of: task) * max(0, habit.waits.overrun - 1)
        let isSilent = scenario.faults.contains { rule in
            isTriedAgain(rule, by: task) && rule.symptoms.contains(.transport([.timedOut]))
        }
        guard isSilent, more > .zero else { return more }
        return more + scenario.client.idleTimeout
            * habit.waits.tries(within: limit(of: task) + more)
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
            isTriedAgain(step.verb)
        }
        if operations {
            sum += scenario.client.maxOperationRetryTime * habit.waits.overrun * limitScale
        }
        return sum
    }

    private func limit(of task: TransferFacts) -> Duration {
        let limit =
            task.isUpload
            ? scenario.client.maxUploadRetryTime : scenario.client.maxDownloadRetryTime
        return limit * limitScale
    }

    private func isTriedAgain(_ rule: FaultRule, by task: TransferFacts) -> Bool {
        rule.canMeet(task) && isTriedAgain(rule)
    }

    private func isTriedAgain(_ rule: FaultRule) -> Bool {
        rule.symptoms.contains { symptom in
            switch symptom {
            case .status(let status, let upload): habit.retries(status) || upload == .active
            case .transport(let faults): faults.contains(where: habit.retries)
            case .falseBytes, .falseChecksum: false
            }
        }
    }
}
