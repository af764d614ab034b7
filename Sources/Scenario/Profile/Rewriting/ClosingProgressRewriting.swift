import EventMatching
import StorageModel

/// Trait `closing-progress`: the last progress is told once more before the end.
enum ClosingProgressRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let value = draft.traits.closingProgress
        guard value != .none else { return }
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            let codes = Self.codes(task.error?.value.codes)
            try task.changeEvents { (events) throws(LeftOut) in
                try changed(events, value, facts, codes)
            }
            task.progress?.value.closing =
                value == .success ? .success : .successAndFailure
        }
        try draft.changeObservers { (events, observer, task) throws(LeftOut) in
            guard observer.hears(.progress), observer.moment != .ended else { return }
            let old = events
            events = try changed(events, value, task, [])
            guard observer.moment != .unknown || events == old else {
                throw LeftOut(
                    "whether an observer of '\(task.name)' is added before its end is not told")
            }
        }
    }

    private static func codes(_ codes: ErrorTest.Codes?) -> [ErrorCode] {
        switch codes {
        case .one(let code)?: [code]
        case .allowed(let codes)?: codes
        case .none?, .any?, nil: []
        }
    }

    private static func changed(
        _ events: [EventPattern], _ value: Traits.ClosingProgress, _ task: TransferFacts,
        _ codes: [ErrorCode]
    ) throws(LeftOut) -> [EventPattern] {
        // A task that fails before it starts has sent and received nothing.
        let beginning = events.canBegin(with: .failure) ? events.prefix(1) : []
        let rest = events.dropFirst(beginning.count)
        guard beginning.isEmpty || beginning.first?.kind == .failure else {
            throw LeftOut("whether '\(task.name)' fails before it starts is not told")
        }
        return Array(beginning)
            + (try Array(rest).replacing { (condition) throws(LeftOut) in
                try closed(condition, value, task, codes)
            })
    }

    private static func closed(
        _ condition: EventCondition, _ value: Traits.ClosingProgress, _ task: TransferFacts,
        _ codes: [ErrorCode]
    ) throws(LeftOut) -> [EventPattern] {
        let end: [EventPattern] = [.event(condition)]
        let closing: EventPattern = .event(.progress)
        switch condition.kind {
        case .success: return [closing] + end
        case .failure where value == .successAndFailure: break
        case .failure, .resume, .progress, .pause: return end
        }
        let named = condition.codes.isEmpty ? codes : condition.codes
        let byUser = named.filter(Self.endsByCancel)
        if named.isEmpty, task.cancels == 0 { return [closing] + end }
        if !named.isEmpty, byUser.isEmpty { return [closing] + end }
        if !named.isEmpty, byUser.count == named.count { return end }
        // Both may come: each by itself.
        let others =
            named.isEmpty
            ? ErrorCode.allCases.filter { !endsByCancel($0) }
            : named.filter { !endsByCancel($0) }
        let own = named.isEmpty ? ErrorCode.allCases.filter(endsByCancel) : byUser
        return [
            .any([
                [closing, .event(.failure, bytes: condition.bytes, codes: others)],
                [.event(.failure, bytes: condition.bytes, codes: own)],
            ])
        ]
    }

    /// Failures that the program brings about itself: by a cancel, or by a limit of memory, which
    /// cancels the transfer.
    private static func endsByCancel(_ code: ErrorCode) -> Bool {
        code == .cancelled || code == .downloadSizeExceeded
    }
}
