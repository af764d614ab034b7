import EventMatching
import FaultEngine
import StorageModel

/// Trait `checksum`: a client that does not look succeeds where the bytes or their sum are false.
enum ChecksumRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.checksum == .unchecked else { return }
        let falseBytes = draft.scenario.faults.filter { $0.symptoms.contains(.falseBytes) }
        let falseSums = draft.scenario.faults.filter { $0.symptoms.contains(.falseChecksum) }
        guard !falseBytes.isEmpty || !falseSums.isEmpty else { return }
        for step in draft.facts.steps {
            if case .image = step.verb {
                throw LeftOut(
                    "what a client that does not look shows of a damaged image is not told")
            }
        }
        var succeeding: Set<String> = []
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            let meetsBytes = falseBytes.contains { $0.canMeet(facts) }
            let meets = meetsBytes || falseSums.contains { $0.canMeet(facts) }
            guard meets else { return }
            if expectsMismatch(task) { succeeding.insert(facts.name) }
            try change(&task)
            if meetsBytes || succeeding.contains(facts.name) { task.local = nil }
        }
        let facts = draft.facts
        for task in facts.transfers where succeeding.contains(task.name) && facts.isWatched(task) {
            throw LeftOut(
                "what an observer or a snapshot of '\(task.name)', which now succeeds, shows is not "
                    + "told")
        }
        try draft.changeSets { (set) throws(LeftOut) in
            set.stored.removeAll { stored in
                facts.uploads.contains { upload in
                    upload.object == stored.object
                        && (succeeding.contains(upload.name)
                            || falseBytes.contains { $0.canMeet(upload) })
                }
            }
        }
        try waitForSuccess(succeeding, &draft)
        draft.scenario.needs.removeAll { $0 == .checksums && !succeeding.isEmpty }
        if !falseBytes.isEmpty { switchOffStoredBytes(&draft) }
    }

    private static func expectsMismatch(_ task: TaskExpectation) -> Bool {
        (task.events?.value ?? []).conditions.contains { $0.codes == [.nonMatchingChecksum] }
            || task.error?.value.codes == .one(.nonMatchingChecksum)
    }

    private static func change(_ task: inout TaskExpectation) throws(LeftOut) {
        let isExpected = task.error?.value.codes == .one(.nonMatchingChecksum)
        try task.changeEvents { (events) throws(LeftOut) in
            try events.replacing { (condition) throws(LeftOut) in
                guard condition.kind == .failure else { return [.event(condition)] }
                if condition.codes.isEmpty {
                    return isExpected ? [.event(.success)] : [.event(condition)]
                }
                guard condition.codes.contains(.nonMatchingChecksum) else {
                    return [.event(condition)]
                }
                let others = condition.codes.filter { $0 != .nonMatchingChecksum }
                if others.isEmpty { return [.event(.success)] }
                return [
                    .any([
                        [.event(.success)],
                        [.event(.failure, bytes: condition.bytes, codes: others)],
                    ])
                ]
            }
        }
        if isExpected, let place = task.error?.place {
            task.error = Placed(ErrorTest(.none), place)
        }
    }

    private static func waitForSuccess(
        _ tasks: Set<String>, _ draft: inout RewriteDraft
    ) throws(LeftOut) {
        try draft.scenario.changeTaskTriggers { (trigger, _) throws(LeftOut) in
            var trigger = trigger
            if trigger.moment == .event(.failure),
                tasks.contains(ScenarioFacts.base(trigger.task))
            {
                trigger.moment = .event(.success)
            }
            return .task(trigger)
        }
    }

    private static func switchOffStoredBytes(_ draft: inout RewriteDraft) {
        let why = "a fault falsifies the bytes, and the client does not check them"
        let old = draft.scenario.expect.invariants
        var except = old?.value.invariants ?? []
        guard except.insert(.storedBytes).inserted else { return }
        let reasons = [old?.value.why, why].compactMap { $0 }.joined(separator: "; ")
        draft.scenario.expect.invariants = Placed(
            InvariantExceptions(except, why: reasons),
            old?.place ?? draft.scenario.title.place)
    }
}
