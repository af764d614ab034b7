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
        let limit = draft.scenario.client.maxOperationRetryTime
        let overrun = draft.traits.retries.waits.overrun
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.results.indices {
                let name = set.results[index].name
                let meets = facts.steps.contains { step in
                    step.name == name && waits.isTriedAgain(step.verb)
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
