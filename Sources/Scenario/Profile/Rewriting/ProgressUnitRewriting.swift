import EventMatching
import FaultEngine
import StorageModel

/// Trait `progress-unit`: an upload's progress is what was sent, not what the server has confirmed.
///
/// Such progress may come at any time between the start and the next pause or end, as often as the
/// client likes, and runs ahead of the acknowledged bytes.
enum ProgressUnitRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.progressUnit == .sent else { return }
        try EarlyProgress.check(draft)
        try checkConnections(draft)
        draft.scenario.expect.countsSentBytes = true
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard facts.isUpload else { return }
            try task.changeEvents { (events) throws(LeftOut) in anyNumber(events) }
            if let progress = task.progress {
                task.progress = Placed(loosened(progress.value), progress.place)
            }
        }
        try draft.changeObservers { (events, observer, task) throws(LeftOut) in
            guard task.isUpload, observer.kinds.contains(.progress) else { return }
            events = anyNumber(events)
        }
        try SnapshotBytes.change(&draft)
    }

    /// Bytes may go into a connection that the server never reads: no log shows that they were sent.
    private static func checkConnections(_ draft: RewriteDraft) throws(LeftOut) {
        guard draft.traits.smallUpload != .resumable else { return }
        for rule in draft.scenario.faults where rule.phase == .connect && !rule.symptoms.isEmpty {
            guard draft.facts.uploads.contains(where: rule.canMeet) else { continue }
            throw LeftOut(
                "the fault '\(rule.title)' breaks a connection, and how much of an upload of one "
                    + "request was sent into it is not told")
        }
    }

    private static func anyNumber(_ events: [EventPattern]) -> [EventPattern] {
        let some = try? events.replacing { (condition: EventCondition) throws(LeftOut) in
            switch condition.kind {
            case .resume: [.event(condition), .event(.progress, .any)]
            case .pause:
                [.event(.pause, bytes: condition.bytes?.withoutUpper)]
            case .progress, .success, .failure: [.event(condition)]
            }
        }
        return (some ?? events).joiningProgress()
    }

    /// Sent bytes come in pieces of any size, and fall where the server kept less.
    private static func loosened(_ test: ProgressTest) -> ProgressTest {
        var test = test
        test.count = test.count.flatMap { count in
            count.holds(Int64(0)) ? nil : NumberTest("1..", unit: .count)
        }
        test.first = test.first.flatMap { $0.lowerBound ?? 0 > 0 ? nil : $0.withoutUpper }
        test.falls = nil
        return test
    }
}

/// Progress that comes earlier than that of a client that counts acknowledged bytes.
enum EarlyProgress {
    /// Leaves out what depends on how far the server was when such a progress came.
    static func check(_ draft: RewriteDraft) throws(LeftOut) {
        let bodies: [Operation] = [.uploadChunk, .uploadFinalize, .uploadQuery]
        guard let waiter = waiter(draft),
            bodies.contains(where: { WireTests.name($0, draft.sets) })
        else { return }
        throw LeftOut(
            "a step or fault waits for '\(waiter.text)', and the requests that are expected depend "
                + "on what the server has by then: this client does not count acknowledged bytes")
    }

    private static func waiter(_ draft: RewriteDraft) -> TaskTrigger? {
        let triggers =
            draft.facts.steps.flatMap(\.triggers) + draft.scenario.faults.flatMap(\.triggers)
        return triggers.flatMap(\.taskTriggers).first { trigger in
            trigger.moment == .event(.progress)
                && draft.facts.transfer(trigger.task)?.isUpload ?? false
        }
    }
}

/// Tests on the bytes of a snapshot that is taken while an upload runs.
enum SnapshotBytes {
    static func change(_ draft: inout RewriteDraft) throws(LeftOut) {
        let facts = draft.facts
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.results.indices {
                guard let snapshot = facts.snapshots[set.results[index].name],
                    facts.transfer(snapshot.task)?.isUpload ?? false, snapshot.moment != .ended
                else { continue }
                for value in set.results[index].values.indices
                where set.results[index].values[value].key == "completed" {
                    guard let least = least(snapshot.when) else {
                        throw LeftOut(
                            "how many bytes of '\(snapshot.task)' this client has sent when "
                                + "'\(set.results[index].name)' is taken is not told")
                    }
                    set.results[index].values[value].test = .number(
                        NumberTest.range(least, nil, .size))
                }
            }
        }
    }

    /// The bytes that its moment asks for.
    private static func least(_ when: Trigger?) -> Int64? {
        guard case .task(let trigger)? = when, trigger.moment == .event(.progress) else {
            return nil
        }
        return trigger.bytes.map { $0.leastWholeNumber } ?? 0
    }
}
