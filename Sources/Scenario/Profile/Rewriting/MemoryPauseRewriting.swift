import EventMatching
import FaultEngine
import StorageModel

/// Trait `memory-pause`: a pause of a download into memory is told to nobody.
enum MemoryPauseRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.memoryPause == .untold else { return }
        let paused = draft.facts.downloads.filter { $0.isInMemory && $0.pauses > 0 }
        guard !paused.isEmpty else { return }
        for task in paused { try check(task, draft) }
        let names = Set(paused.map(\.name))
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard names.contains(facts.name) else { return }
            try task.changeEvents { (events) throws(LeftOut) in events.without(.pause) }
            task.times.removeAll { $0.value.moment == .event(.pause) }
        }
        try draft.changeObservers { (events, _, task) throws(LeftOut) in
            if names.contains(task.name) { events = events.without(.pause) }
        }
    }

    private static func check(_ task: TransferFacts, _ draft: RewriteDraft) throws(LeftOut) {
        let triggers =
            draft.facts.steps.flatMap(\.triggers) + draft.scenario.faults.flatMap(\.triggers)
        let isAwaited = triggers.flatMap(\.taskTriggers).contains {
            ScenarioFacts.base($0.task) == task.name && $0.moment == .event(.pause)
        }
        guard !isAwaited else {
            throw LeftOut(
                "a step or fault waits for the pause of '\(task.name)', a download into memory, which "
                    + "this client does not tell")
        }
        guard task.resumes == 0 else {
            throw LeftOut(
                "'\(task.name)', a download into memory, goes on after a pause that this client does "
                    + "not tell")
        }
    }
}
