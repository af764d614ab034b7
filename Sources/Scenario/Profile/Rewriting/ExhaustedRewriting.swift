import EventMatching
import FaultEngine
import StorageModel

/// Trait `exhausted`: the error once no try is left.
enum ExhaustedRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        guard draft.traits.exhausted == .lastError else { return }
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.tasks.indices where mentionsLimit(set.tasks[index]) {
                try set.tasks[index].changeEvents { (events) throws(LeftOut) in
                    try changed(events)
                }
                set.tasks[index].error = set.tasks[index].error.map(changed)
                set.tasks[index].times = set.tasks[index].times.compactMap(withoutLower)
            }
            for index in set.observers.indices {
                guard let events = set.observers[index].events else { continue }
                set.observers[index].events = Placed(try changed(events.value), events.place)
            }
            for index in set.results.indices {
                guard let error = set.results[index].error, changed(error) != error else {
                    continue
                }
                set.results[index].error = changed(error)
                set.results[index].times = set.results[index].times.compactMap(withoutLower)
            }
        }
    }

    /// True where the task is expected to end because no try is left.
    static func mentionsLimit(_ task: TaskExpectation) -> Bool {
        let byEvents = (task.events?.value ?? []).conditions.contains {
            $0.codes.contains(.retryLimitExceeded)
        }
        return byEvents
            || task.error.map { CodeList.of($0.value.codes) }?
                .contains(.retryLimitExceeded) ?? false
    }

    private static func changed(_ events: [EventPattern]) throws(LeftOut) -> [EventPattern] {
        try events.replacing { (condition) throws(LeftOut) in
            [.event(condition.kind, bytes: condition.bytes, codes: changed(condition.codes))]
        }
    }

    /// Statuses and breaks that are tried again have no code of their own.
    private static func changed(_ codes: [ErrorCode]) -> [ErrorCode] {
        CodeList.distinct(codes.map { $0 == .retryLimitExceeded ? .unknown : $0 })
    }

    private static func changed(_ error: Placed<ErrorTest>) -> Placed<ErrorTest> {
        var error = error
        error.value.codes = CodeList.changed(error.value.codes) { changed([$0]) }
        return error
    }

    private static func withoutLower(_ time: Placed<TimeTest>) -> Placed<TimeTest>? {
        guard time.value.moment.isEnd else { return time }
        guard let test = time.value.test.withoutLower else { return nil }
        var time = time
        time.value.test = test
        return time
    }
}

/// Error codes of tests.
enum CodeList {
    static func of(_ codes: ErrorTest.Codes) -> [ErrorCode] {
        switch codes {
        case .none, .any: []
        case .one(let code): [code]
        case .allowed(let codes): codes
        }
    }

    static func distinct(_ codes: [ErrorCode]) -> [ErrorCode] {
        var distinct: [ErrorCode] = []
        for code in codes where !distinct.contains(code) { distinct.append(code) }
        return distinct
    }

    /// Every code replaced by those that may come instead.
    static func changed(
        _ codes: ErrorTest.Codes, _ change: (ErrorCode) -> [ErrorCode]
    ) -> ErrorTest.Codes {
        switch codes {
        case .none, .any: return codes
        case .one(let code):
            let new = distinct(change(code))
            return new.count == 1 ? .one(new[0]) : .allowed(new)
        case .allowed(let codes): return .allowed(distinct(codes.flatMap(change)))
        }
    }
}
