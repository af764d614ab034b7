import EventMatching
import FaultEngine
import StorageModel

/// Trait `cancelled-event`: an observer of failures alone does not hear of a cancel.
enum CancelledEventRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.cancelledEvent == .own else { return }
        try draft.changeObservers { (events, observer, task) throws(LeftOut) in
            guard !observer.hearsAll, observer.kinds.contains(.failure) else { return }
            events = try CancelledFailure.removed(from: events, task)
        }
    }
}

/// Trait `cancel-while-paused`: a cancel of a paused task changes nothing, and it stays paused.
enum CancelWhilePausedRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.cancelWhilePaused == .ignored else { return }
        var ignored: [TransferFacts] = []
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            guard let events = task.events?.value, try isCancelledWhilePaused(events, facts)
            else { return }
            ignored.append(facts)
            task.events?.value.removeLast()
            task.error = nil
            task.times.removeAll { $0.value.moment != .event(.pause) && $0.value.moment.isEnd }
            task.completion = task.completion.map { Placed(.never, $0.place) }
        }
        guard !ignored.isEmpty else { return }
        for task in ignored where draft.facts.isWatched(task) {
            throw LeftOut(
                "what an observer or a snapshot of '\(task.name)', which stays paused, shows is not "
                    + "told")
        }
        draft.ignoredCancels = Set(ignored.map(\.name))
        try checkWaiters(draft, ignored)
        try forgetCommands(&draft)
        try SessionsLeftOpen.add(
            ignored, &draft, "the session of an upload that stays paused stays open")
    }

    /// True for `..., pause, failure(cancelled)` at the end.
    private static func isCancelledWhilePaused(
        _ events: [EventPattern], _ task: TransferFacts
    ) throws(LeftOut) -> Bool {
        guard task.cancels > 0 else { return false }
        let conditions = events.conditions
        let isCancelled = conditions.contains {
            $0.kind == .failure && ($0.codes.isEmpty || $0.codes.contains(.cancelled))
        }
        guard isCancelled, conditions.contains(where: { $0.kind == .pause }) else { return false }
        let told = events.filter { part in
            if case .atom(.quiet, _) = part { false } else { true }
        }
        guard let last = told.last, case .atom(.event(let end), .once) = last,
            end.kind == .failure, events.last == last, let before = told.dropLast().last
        else {
            throw LeftOut("whether '\(task.name)' is paused when it is cancelled is not told")
        }
        guard case .atom(.event(let condition), .once) = before else {
            return try unless(before, task)
        }
        return condition.kind == .pause
    }

    /// A progress right before says that it ran; a group may say anything.
    private static func unless(
        _ before: EventPattern, _ task: TransferFacts
    ) throws(LeftOut) -> Bool {
        if case .atom(.event(let condition), let repetition) = before, condition.kind == .progress,
            repetition.lower > 0
        {
            return false
        }
        throw LeftOut("whether '\(task.name)' is paused when it is cancelled is not told")
    }

    /// A cancel that changes nothing is not told to the server either.
    private static func forgetCommands(_ draft: inout RewriteDraft) throws(LeftOut) {
        let others = draft.facts.uploads.contains {
            $0.cancels > 0 && !draft.ignoredCancels.contains($0.name)
        }
        guard others else {
            try UnsentOperation.check(draft, [.uploadCancel])
            return try UnsentOperation.remove(.uploadCancel, &draft)
        }
        guard !WireTests.name(.uploadCancel, draft.sets) else {
            throw LeftOut("which of the cancels is told to the server is not told")
        }
    }

    private static func checkWaiters(
        _ draft: RewriteDraft, _ tasks: [TransferFacts]
    ) throws(LeftOut) {
        let waited = draft.facts.steps.flatMap(\.triggers).flatMap(\.taskTriggers)
        for trigger in waited where trigger.moment.isEnd {
            if tasks.contains(where: { $0.name == ScenarioFacts.base(trigger.task) }) {
                throw LeftOut(
                    "a step waits for the end of '\(trigger.task)', whose cancel this client "
                        + "ignores while it is paused")
            }
        }
    }
}

/// Trait `cancel-command`: the server is not told of a cancelled upload.
enum CancelCommandRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.cancelCommand == .notSent else { return }
        try UnsentOperation.check(draft, [.uploadCancel])
        try UnsentOperation.remove(.uploadCancel, &draft)
        let ignored = draft.ignoredCancels
        let cancelled = draft.facts.uploads.filter {
            $0.cancels > 0 && !ignored.contains($0.name)
        }
        try SessionsLeftOpen.add(
            cancelled, &draft, "the session of an upload that is cancelled stays open")
    }
}

/// Sessions that the server still has because nobody ended them.
enum SessionsLeftOpen {
    static func add(
        _ tasks: [TransferFacts], _ draft: inout RewriteDraft, _ what: String
    ) throws(LeftOut) {
        let uploads = tasks.filter(\.isUpload)
        guard !uploads.isEmpty else { return }
        try draft.changeSets { (set) throws(LeftOut) in
            guard let open = set.sessions?.open else { return }
            guard open.lowerBound == open.upperBound, let number = open.lowerBound,
                uploads.count == 1, !uploads[0].isRepeated, hasSession(uploads[0], set)
            else {
                throw LeftOut("\(what), and how many there are then is not told")
            }
            set.sessions?.open = .exactly(Int64(number) + 1, .count)
        }
    }

    /// True where progress of the upload is expected before its end: then it had a session.
    private static func hasSession(_ task: TransferFacts, _ set: Expectation) -> Bool {
        let events = set.tasks.first { $0.name == task.name }?.events?.value ?? []
        return events.contains { part in
            if case .atom(.event(let condition), let repetition) = part {
                condition.kind == .progress && repetition.lower > 0
            } else {
                false
            }
        }
    }
}

extension TaskTrigger.Moment {
    /// True for the end, whichever it is.
    var isEnd: Bool {
        switch self {
        case .end: true
        case .event(let kind): kind.isTerminal
        }
    }
}
