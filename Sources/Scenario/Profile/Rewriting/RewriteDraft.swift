import EventMatching
import FaultEngine
import StorageModel

/// Why a profile leaves a scenario out: what it should expect instead cannot be computed.
struct LeftOut: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A scenario on its way from what `documented` is expected to do to what another client is.
struct RewriteDraft {
    var scenario: ScenarioFile
    let traits: Traits
    /// Of the scenario as its file says it.
    let facts: ScenarioFacts
    /// Uploads and downloads whose cancel changes nothing, because they are paused.
    var ignoredCancels: Set<String> = []

    init(_ scenario: ScenarioFile, _ traits: Traits) {
        self.scenario = scenario
        self.traits = traits
        facts = ScenarioFacts(scenario)
    }

    // MARK: Walking through what is expected

    /// Changes the block `expect` and each of its outcomes.
    mutating func changeSets(_ change: (inout Expectation) throws(LeftOut) -> Void) throws(LeftOut)
    {
        try change(&scenario.expect)
        for index in scenario.expect.outcomes.indices {
            try change(&scenario.expect.outcomes[index])
        }
    }

    /// Changes what is expected of each task, with what is known of it.
    mutating func changeTasks(
        _ change: (inout TaskExpectation, TransferFacts) throws(LeftOut) -> Void
    ) throws(LeftOut) {
        let facts = facts
        try changeSets { (set: inout Expectation) throws(LeftOut) in
            for index in set.tasks.indices {
                guard let task = facts.transfer(set.tasks[index].name) else { continue }
                try change(&set.tasks[index], task)
            }
        }
    }

    /// Changes what is expected of each observer, with what is known of it and of its task.
    mutating func changeObservers(
        _ change: (inout [EventPattern], ObserverFacts, TransferFacts) throws(LeftOut) -> Void
    ) throws(LeftOut) {
        let facts = facts
        try changeSets { (set: inout Expectation) throws(LeftOut) in
            for index in set.observers.indices {
                guard let observer = facts.observers[set.observers[index].name],
                    let task = facts.transfer(observer.task),
                    var events = set.observers[index].events?.value
                else { continue }
                try change(&events, observer, task)
                set.observers[index].events?.value = events
            }
        }
    }

    /// False for a transfer that is expected to fail before it starts: it makes no request.
    func starts(_ task: TransferFacts) -> Bool {
        let events = sets.flatMap(\.tasks).filter { $0.name == task.name }.compactMap(
            \.events?.value)
        return events.isEmpty || events.contains { $0.canBegin(with: .resume) }
    }

    /// Every set that is tested: `expect` and its outcomes.
    var sets: [Expectation] { [scenario.expect] + scenario.expect.outcomes }
}

extension TaskExpectation {
    /// Changes the events, where they are tested.
    mutating func changeEvents(
        _ change: ([EventPattern]) throws(LeftOut) -> [EventPattern]
    ) throws(LeftOut) {
        guard let old = events else { return }
        events = Placed(try change(old.value), old.place)
    }
}
