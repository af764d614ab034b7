import EventMatching
import StorageModel

/// Trait `error-names`: codes that a client gives instead of the documented ones.
enum ErrorNamesRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let names = draft.traits.errorNames
        guard !names.isEmpty else { return }
        try draft.changeTasks { (task, facts) throws(LeftOut) in
            let subject: ErrorNames.Subject = facts.isUpload ? .uploads : .downloads
            try task.changeEvents { (events) throws(LeftOut) in
                try changed(events, names, subject)
            }
            if let codes = task.error?.value.codes {
                task.error?.value.codes = changed(codes, names, subject)
            }
        }
        try draft.changeObservers { (events, _, task) throws(LeftOut) in
            events = try changed(events, names, task.isUpload ? .uploads : .downloads)
        }
        try draft.changeSets { (set) throws(LeftOut) in
            for index in set.results.indices {
                guard let codes = set.results[index].error?.value.codes else { continue }
                set.results[index].error?.value.codes = changed(codes, names, .operations)
            }
        }
    }

    private static func changed(
        _ events: [EventPattern], _ names: ErrorNames, _ subject: ErrorNames.Subject
    ) throws(LeftOut) -> [EventPattern] {
        try events.replacing { (condition) throws(LeftOut) in
            let codes = CodeList.distinct(
                condition.codes.flatMap { names.codes(for: $0, of: subject) })
            return [.event(condition.kind, bytes: condition.bytes, codes: codes)]
        }
    }

    private static func changed(
        _ codes: ErrorTest.Codes, _ names: ErrorNames, _ subject: ErrorNames.Subject
    ) -> ErrorTest.Codes {
        CodeList.changed(codes) { names.codes(for: $0, of: subject) }
    }
}
