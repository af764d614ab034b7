import EventMatching
import FaultEngine
import StorageModel

/// Trait `progress-total`: the metadata that begins an upload is part of its bytes.
///
/// How many they are is seen in the request that begins the upload, and they are taken off before
/// anything is compared: so nothing is loosened.
enum ProgressTotalRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.progressTotal == .objectAndMetadata else { return }
        try EarlyProgress.check(draft)
        if let task = draft.facts.uploads.first(where: \.isContinued) {
            throw LeftOut(
                "how many bytes of metadata '\(task.name)' counts, whose session an earlier process "
                    + "began, is not told")
        }
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard facts.isUpload else { return }
            task.countsMetadata = task.events != nil || task.progress != nil
            try task.changeEvents { (events) throws(LeftOut) in
                events.replacingFirst(.resume, by: [.event(.resume), metadataAlone])
                    .absorbingMetadata()
            }
            // Of an upload of no bytes there is no other progress.
            let isEmpty = task.progress?.value.last?.holds(Int64(0)) ?? false
            task.progress?.value.leavesOutStart = !isEmpty
        }
        try draft.changeObservers { (events, observer, task) throws(LeftOut) in
            guard task.isUpload, observer.kinds.contains(.progress), observer.moment == .start
            else {
                return
            }
            events.insert(metadataAlone, at: events.first?.kind == .resume ? 1 : 0)
            events = events.absorbingMetadata()
        }
        let facts = draft.facts
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.observers.indices {
                let task = facts.observers[set.observers[index].name]?.task
                guard let task, facts.transfer(task)?.isUpload ?? false else { continue }
                set.observers[index].countsMetadata = true
            }
            for index in set.results.indices {
                guard let snapshot = facts.snapshots[set.results[index].name],
                    facts.transfer(snapshot.task)?.isUpload ?? false
                else { continue }
                set.results[index].metadataTask = snapshot.task
            }
        }
    }

    /// The metadata is sent before any byte of the object.
    private static var metadataAlone: EventPattern {
        .event(.progress, bytes: NumberTest.exactly(0, .size), .any)
    }
}

extension [EventPattern] {
    /// Progress of the metadata alone is part of a run of progress that follows it.
    fileprivate func absorbingMetadata() -> [EventPattern] {
        guard count > 2, self[0].kind == .resume, self[1].kind == .progress,
            case .atom(.event(let condition), let repetition) = self[2],
            condition.kind == .progress, condition.bytes == nil, repetition.upper == nil
        else { return self }
        return [self[0]] + dropFirst(2)
    }
}
