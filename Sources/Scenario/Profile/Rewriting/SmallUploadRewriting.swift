import EventMatching
import FaultEngine
import StorageModel

/// Trait `small-upload`: uploads that are one request and have no session.
enum SmallUploadRewriting {
    private static let ofSessions: [Operation] = [
        .uploadStart, .uploadChunk, .uploadFinalize, .uploadQuery, .uploadCancel,
    ]

    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let operation: Operation
        let limit: Int64
        switch draft.traits.smallUpload {
        case .resumable: return
        case .multipart(let size): (operation, limit) = (.uploadMultipart, size)
        case .media: (operation, limit) = (.uploadMedia, .max)
        }
        var small: [TransferFacts] = []
        for task in draft.facts.uploads where draft.starts(task) {
            // Nobody knows that it is small before its end.
            if limit != .max, task.isStream { continue }
            guard limit == .max || task.size != nil else {
                throw LeftOut("how large the upload '\(task.name)' is, is not told")
            }
            if task.size ?? 0 <= limit { small.append(task) }
        }
        guard !small.isEmpty else { return }
        try checkFaults(draft, small)
        try check(draft, small)
        for task in small { try checkCut(draft, task) }
        if operation == .uploadMedia { try checkMetadata(draft) }
        let change = OneRequest(operation: operation, uploads: small, facts: draft.facts)
        try draft.changeSets { (set) throws(LeftOut) in try change.apply(&set) }
        try CountOfRequests.check(draft, "sends '\(small[0].name)' in one request")
    }

    /// True where an exchange of a small upload fits, if its operation does.
    private static func fits(_ selector: ExchangeSelector, _ small: [TransferFacts]) -> Bool {
        small.contains { selector.filters.path?.matches($0.object.path) ?? true }
    }

    private static func checkFaults(
        _ draft: RewriteDraft, _ small: [TransferFacts]
    ) throws(LeftOut) {
        // Where larger uploads make such requests, the fault or step may be meant for those.
        try UnsentOperation.check(draft, ofSessions) { fits($0, small) }
        for rule in draft.scenario.faults {
            guard !rule.symptoms.isEmpty, small.contains(where: rule.canMeet) else { continue }
            let isBefore = rule.keepsNothing(.max) && rule.phase != .connect
            guard isBefore || rule.selector.operation == .one(.connect),
                rule.selector.ordinal == .exactly(1) || rule.selector.ordinal == .all
            else {
                throw LeftOut(
                    "what the fault '\(rule.title)' does to an upload of one request is not told")
            }
        }
    }

    /// What depends on the chunks that the scenario sets.
    private static func checkCut(
        _ draft: RewriteDraft, _ task: TransferFacts
    ) throws(LeftOut) {
        let granularity = draft.scenario.backend.settings.granularity
        let old = ChunkPlan(
            size: task.size, chunk: draft.scenario.client.chunkSize, granularity)
        guard let old, old.lengths.count > 1 else { return }
        let one = ChunkPlan(size: task.size, .whole, granularity) ?? old
        for moment in WireMoment.all(draft) where moment.canMean(task) {
            guard moment.isSame(old: old, new: one) else {
                throw LeftOut(
                    "a step or fault is bound to '\(moment.text)' of '\(task.name)', which is one "
                        + "request")
            }
        }
        let expected = draft.sets.flatMap(\.tasks).filter {
            ScenarioFacts.base($0.name) == task.name
        }
        let counts = expected.contains { task in
            (task.events?.value ?? []).countsProgress || task.progress?.value.count != nil
        }
        guard !counts || draft.traits.progressUnit == .sent else {
            throw LeftOut(
                "how much progress '\(task.name)', which is one request, tells is not told")
        }
    }

    /// A request that is the object alone has room for its type, and for nothing else.
    private static func checkMetadata(_ draft: RewriteDraft) throws(LeftOut) {
        for case .upload(let upload) in draft.facts.steps.map(\.verb) {
            let others = upload.metadata.fields.keys.filter { $0 != "contentType" }
            guard others.isEmpty, upload.metadata.custom.isEmpty else {
                throw LeftOut(
                    "an upload has metadata, and a request that is the object alone carries none")
            }
        }
    }

    private static func check(
        _ draft: RewriteDraft, _ small: [TransferFacts]
    ) throws(LeftOut) {
        for task in small {
            guard task.pauses == 0 || !WireTests.name(.uploadQuery, draft.sets) else {
                throw LeftOut(
                    "what '\(task.name)', an upload of one request, sends after a pause is not told"
                )
            }
            let waits = draft.facts.steps.flatMap(\.triggers).flatMap(\.taskTriggers).contains {
                ScenarioFacts.base($0.task) == task.name && $0.moment == .event(.progress)
            }
            guard !waits || draft.traits.progressUnit == .sent else {
                throw LeftOut(
                    "a step waits for progress of '\(task.name)', an upload of one request that "
                        + "is told at its end alone")
            }
        }
    }
}

/// What is expected of the log where uploads are one request each.
private struct OneRequest {
    let operation: Operation
    let uploads: [TransferFacts]
    let facts: ScenarioFacts

    private var areAll: Bool { uploads.count == facts.uploads.count }

    func apply(_ set: inout Expectation) throws(LeftOut) {
        for index in (set.requests ?? []).indices {
            guard let part = set.requests?[index].value,
                part.pattern.operations.contains(where: isOfUpload)
            else { continue }
            guard isAbout(part.path) else { continue }
            set.requests?[index].value.pattern = try joined(part.pattern)
        }
        for index in set.exchanges.indices { try change(&set.exchanges[index].value) }
        if let sessions = set.sessions {
            let isRight = areAll && uploads.count == 1
            guard
                isRight
                    || [sessions.open, sessions.started, sessions.fed].allSatisfy({ $0 == nil })
            else { throw LeftOut("how many sessions there are without small uploads is not told") }
            set.sessions?.started = sessions.started.map { _ in .exactly(0, .count) }
            set.sessions?.open = sessions.open.map { _ in .exactly(0, .count) }
            set.sessions?.fed = sessions.fed.map { _ in .exactly(0, .count) }
        }
    }

    /// True where the part of the log is that of a small upload.
    private func isAbout(_ path: String?) -> Bool {
        path.map { path in uploads.contains { $0.object.path == path } } ?? true
    }

    private func isOfUpload(_ pattern: OperationPattern) -> Bool {
        if case .everything = pattern { return true }
        return Operation.allCases.contains { $0.isUpload && pattern.matches($0) }
    }

    /// The requests of the one upload become one; several uploads are not told apart.
    private func joined(_ pattern: [RequestPattern]) throws(LeftOut) -> [RequestPattern] {
        let isPlain = pattern.allSatisfy { part in
            if case .atom(let condition, _) = part {
                !isOfUpload(condition.operation) || Self.isNamed(condition.operation)
            } else {
                false
            }
        }
        guard isPlain, facts.uploads.count == 1, !uploads[0].isRepeated else {
            throw LeftOut("which requests belong to which upload is not told")
        }
        var parts: [RequestPattern] = []
        var isThere = false
        for part in pattern {
            guard case .atom(let condition, _) = part, isOfUpload(condition.operation) else {
                parts.append(part)
                continue
            }
            if condition.status != nil, condition.status != StatusTest("200") {
                throw LeftOut("which answer an upload of one request gets is not told")
            }
            if !isThere { parts.append(.atom(RequestCondition(.one(operation)), .once)) }
            isThere = true
        }
        return parts
    }

    private static func isNamed(_ pattern: OperationPattern) -> Bool {
        if case .one = pattern { true } else { false }
    }

    private func change(_ test: inout ExchangesTest) throws(LeftOut) {
        guard isOfUpload(test.selector.operation) else { return }
        let meets = uploads.contains { test.selector.filters.path?.matches($0.object.path) ?? true }
        guard meets else { return }
        let isAboutBytes =
            [
                test.offset, test.length, test.declared, test.uploaded, test.gap, test.growth,
            ].contains { $0 != nil } || !test.json.isEmpty || test.connections != nil
        switch test.selector.operation {
        case .one(.uploadStart), .one(.uploadFinalize):
            guard areAll, !isAboutBytes, uploads.count == 1 || test.count == nil else {
                throw LeftOut("how many requests of small uploads there are is not told")
            }
            test.selector.operation = .one(operation)
        case .one(.uploadChunk), .one(.uploadQuery), .one(.uploadCancel):
            guard areAll else {
                throw LeftOut("which requests belong to which upload is not told")
            }
            var changed = ExchangesTest(test.selector)
            changed.count = .exactly(0, .count)
            test = changed
        case .uploadBody, .prefix, .everything:
            guard !isAboutBytes, test.count == nil else {
                throw LeftOut(
                    "how many requests and bytes small uploads make is not told for "
                        + "'\(test.selector.operation)'")
            }
        case .one: break
        }
    }
}

/// Times that follow from the number of requests.
enum CountOfRequests {
    static func check(_ draft: RewriteDraft, _ what: String) throws(LeftOut) {
        let settings = draft.scenario.backend.settings
        guard settings.latency > .zero else { return }
        let isTimed = draft.sets.contains { set in
            set.tasks.contains { task in
                !task.times.isEmpty && draft.facts.transfer(task.name)?.isUpload ?? false
            }
        }
        guard !isTimed else {
            throw LeftOut(
                "each answer takes its time, and this client \(what): when it ends is not told")
        }
    }
}
