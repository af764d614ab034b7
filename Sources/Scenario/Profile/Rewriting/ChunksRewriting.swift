import EventMatching
import FaultEngine
import StorageModel

/// Trait `chunks`: a client that cuts uploads in its own way, whatever the scenario sets.
enum ChunksRewriting {
    static func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        let chunks = draft.traits.chunks
        guard chunks != .settable else { return }
        let settings = draft.scenario.backend.settings
        draft.scenario.expectsOwnChunks = true
        for task in draft.facts.uploads
        where !isOneRequest(task, draft.traits) && draft.starts(task) {
            let old = ChunkPlan(
                size: task.size, chunk: draft.scenario.client.chunkSize, settings.granularity)
            let new = ChunkPlan(size: task.size, chunks, settings.granularity)
            guard let old, let new else {
                throw LeftOut("how large the upload '\(task.name)' is, is not told")
            }
            guard old.lengths != new.lengths else { continue }
            guard !task.isContinued else {
                throw LeftOut(
                    "how far the session that '\(task.name)' goes on with is, is not told")
            }
            try ChunkChange(task: task, old: old, new: new).apply(&draft)
            try CountOfRequests.check(
                draft, "sends '\(task.name)' in \(new.lengths.count) requests")
        }
    }

    /// An upload that has no session is not cut.
    private static func isOneRequest(_ task: TransferFacts, _ traits: Traits) -> Bool {
        switch traits.smallUpload {
        case .resumable: false
        case .multipart(let limit): !task.isStream && task.size.map { $0 <= limit } ?? false
        case .media: true
        }
    }
}

/// The bodies of an upload, if nothing comes in between.
struct ChunkPlan: Hashable {
    /// Bytes of each body; the last one finishes.
    let lengths: [Int64]

    /// As a scenario sets it: nil is the whole in one request.
    init?(size: Int64?, chunk: Int64?, _ granularity: Int64) {
        guard let size else { return nil }
        let length = chunk.map { max(granularity, $0 / granularity * granularity) }
        lengths = Self.cut(size) { _ in length ?? max(size, 1) }
    }

    init?(size: Int64?, _ chunks: Traits.Chunks, _ granularity: Int64) {
        guard let size else { return nil }
        switch chunks {
        case .settable, .whole: lengths = [size]
        case .fixed(let length):
            lengths = Self.cut(size) { _ in max(granularity, length / granularity * granularity) }
        case .doubling(let first, let most):
            lengths = Self.cut(size) { index in
                min(index < 40 ? first << Int64(index) : most, most)
            }
        }
    }

    private static func cut(_ size: Int64, _ length: (Int) -> Int64) -> [Int64] {
        var lengths: [Int64] = []
        var left = size
        while left > 0, lengths.count < 10_000 {
            let next = min(left, length(lengths.count))
            lengths.append(next)
            left -= next
        }
        return lengths.isEmpty ? [0] : lengths
    }

    /// Bytes that are there after each body.
    var ends: [Int64] {
        var sum: Int64 = 0
        return lengths.map { length in
            sum += length
            return sum
        }
    }

    var starts: [Int64] { zip(ends, lengths).map { $0 - $1 } }
}

extension Traits.Chunks {
    /// True where each chunk but the last is as large as the others.
    var areEqual: Bool { if case .doubling = self { false } else { true } }
}

/// An upload that is cut otherwise than the scenario sets it.
private struct ChunkChange {
    let task: TransferFacts
    let old: ChunkPlan
    let new: ChunkPlan

    func apply(_ draft: inout RewriteDraft) throws(LeftOut) {
        try checkWire(draft)
        let isPlain =
            task.pauses == 0 && task.cancels == 0
            && !draft.scenario.faults.contains { $0.canMeet(task) && !$0.symptoms.isEmpty }
            && draft.scenario.backend.link.isEmpty
        try checkProgress(draft, isPlain)
        try checkSnapshots(draft)
        let sent = draft.traits.progressUnit == .sent
        try draft.changeTasks { (expected, facts) throws(LeftOut) in
            // Progress of what is sent is told in pieces of any size anyway.
            guard facts.name == task.name, !sent else { return }
            guard expected.times.allSatisfy({ $0.value.moment != .event(.progress) }) else {
                throw LeftOut(
                    "when '\(task.name)', cut in its own way, tells its progress is not told")
            }
            try change(&expected, isPlain)
        }
        let observing = draft.facts.observers.filter { $0.value.task == task.name }.map(\.key)
        let own = self
        let isAlone = draft.facts.uploads.count == 1
        try draft.changeSets { (set) throws(LeftOut) in
            for observer in set.observers where observing.contains(observer.name) && !sent {
                guard !(observer.events?.value ?? []).countsProgress else {
                    throw LeftOut(
                        "which progress of '\(task.name)', cut in its own way, an observer hears "
                            + "is not told")
                }
            }
            try own.changeLog(&set, isPlain && isAlone)
        }
    }

    // MARK: What waits

    private func checkWire(_ draft: RewriteDraft) throws(LeftOut) {
        for moment in WireMoment.all(draft) where moment.canMean(task) {
            guard isFree(moment.selector), moment.isSame(old: old, new: new) else {
                throw LeftOut(
                    "a step or fault is bound to '\(moment.text)' of '\(task.name)', which this "
                        + "client cuts in its own way")
            }
        }
    }

    /// True where it means the same request, whatever the cut.
    private func isFree(_ selector: ExchangeSelector) -> Bool {
        switch (selector.operation, selector.ordinal) {
        case (.one(.uploadChunk), _): false
        case (.uploadBody, .exactly(1)), (.uploadBody, .all): true
        case (.uploadBody, .exactly(let number)): number <= new.lengths.count
        case (.uploadBody, .last), (.one, _): true
        case (.uploadBody, _): false
        case (.prefix, .all), (.everything, .all), (.prefix, .exactly(1)),
            (.everything, .exactly(1)):
            true
        case (.prefix, _), (.everything, _): false
        }
    }

    /// A step that waits for bytes needs a progress that tells them before the end.
    private func checkProgress(_ draft: RewriteDraft, _ isPlain: Bool) throws(LeftOut) {
        guard draft.traits.progressUnit == .acknowledged else { return }
        let triggers =
            draft.facts.steps.flatMap(\.triggers) + draft.scenario.faults.flatMap(\.triggers)
        let waited = triggers.flatMap(\.taskTriggers).filter {
            ScenarioFacts.base($0.task) == task.name && $0.moment == .event(.progress)
        }
        // After a break or a second pause a client that doubles may begin with its first size anew.
        let isCertain = draft.traits.chunks.areEqual || isPlain || isUndisturbed(draft)
        for trigger in waited {
            let ends = isCertain ? new.ends.dropLast() : new.ends.dropLast().prefix(1)
            let told = ends.filter { bytes in
                trigger.bytes?.holds(bytes, whole: task.size) ?? true
            }
            guard told.count >= trigger.ordinal else {
                throw LeftOut(
                    "a step or fault waits for '\(trigger.text)', which this client, with its own "
                        + "chunks, does not tell before the end")
            }
        }
    }

    private func isUndisturbed(_ draft: RewriteDraft) -> Bool {
        task.pauses <= 1 && draft.scenario.backend.link.isEmpty
            && !draft.scenario.faults.contains { $0.canMeet(task) && !$0.symptoms.isEmpty }
    }

    /// How far an upload is at a moment depends on its cut.
    private func checkSnapshots(_ draft: RewriteDraft) throws(LeftOut) {
        guard draft.traits.progressUnit == .acknowledged else { return }
        for result in draft.sets.flatMap(\.results) {
            guard let snapshot = draft.facts.snapshots[result.name],
                ScenarioFacts.base(snapshot.task) == task.name, snapshot.moment != .ended,
                result.values.contains(where: { $0.key == "completed" })
            else { continue }
            throw LeftOut(
                "how many bytes of '\(task.name)', cut in its own way, there are when "
                    + "'\(result.name)' is taken is not told")
        }
    }

    // MARK: Events

    private func change(
        _ expected: inout TaskExpectation, _ isPlain: Bool
    ) throws(LeftOut) {
        let events = expected.events?.value ?? []
        let counts = events.countsProgress
        let countsTest =
            expected.progress?.value.count != nil || expected.progress?.value.first != nil
        guard isPlain else {
            guard !counts, !countsTest else {
                throw LeftOut(
                    "which progress of '\(task.name)', cut in its own way, comes around a fault, a "
                        + "pause or a cancel is not told")
            }
            return
        }
        if counts { expected.events?.value = try recounted(events) }
        if let count = expected.progress?.value.count {
            guard count.holds(Int64(old.lengths.count)) else {
                throw LeftOut("how much progress '\(task.name)' tells is not told")
            }
            if !count.holds(Int64(new.lengths.count)) {
                expected.progress?.value.count = .exactly(Int64(new.lengths.count), .count)
            }
        }
        if let first = expected.progress?.value.first, !first.holds(new.ends[0], whole: task.size) {
            expected.progress?.value.first = .exactly(new.ends[0], .size)
        }
    }

    /// One run of progress, each body of the old cut once, becomes one with each of the new.
    private func recounted(_ events: [EventPattern]) throws(LeftOut) -> [EventPattern] {
        let first = events.firstIndex { $0.kind == .progress } ?? 0
        let last = events.lastIndex { $0.kind == .progress } ?? 0
        let run = events[first...last]
        var count = 0
        var hasBytes = false
        for part in run {
            guard case .atom(.event(let condition), let repetition) = part,
                condition.kind == .progress, repetition.lower == repetition.upper
            else { throw LeftOut("which progress of '\(task.name)' is meant is not told") }
            count += repetition.lower
            hasBytes = hasBytes || condition.bytes != nil
        }
        let rest = events[..<first] + events[(last + 1)...]
        guard count == old.lengths.count, !Array(rest).countsProgress else {
            throw LeftOut("which progress of '\(task.name)' is meant is not told")
        }
        let number = new.lengths.count
        let told: [EventPattern] =
            hasBytes
            ? new.ends.map { .event(.progress, bytes: .exactly($0, .size)) }
            : [.event(.progress, Repetition(lower: number, upper: number))]
        return Array(events[..<first]) + told + Array(events[(last + 1)...])
    }

    // MARK: The log

    private func changeLog(_ set: inout Expectation, _ isPlain: Bool) throws(LeftOut) {
        let bodies: [Operation] = [.uploadChunk, .uploadFinalize]
        let touches = { (pattern: OperationPattern) in bodies.contains(where: pattern.matches) }
        for index in (set.requests ?? []).indices {
            guard let part = set.requests?[index].value,
                part.pattern.operations.contains(where: touches),
                part.path.map({ $0 == task.object.path }) ?? true
            else { continue }
            guard isPlain || part.pattern.leavesCutOpen(new) else {
                throw LeftOut(
                    "which bodies of '\(task.name)', cut in its own way, are sent is not told")
            }
            if isPlain { set.requests?[index].value.pattern = try recut(part.pattern) }
        }
        for index in set.exchanges.indices
        where touches(set.exchanges[index].value.selector.operation) {
            try change(&set.exchanges[index].value, isPlain)
        }
    }

    /// The bodies of the old cut, wherever they stand, become those of the new one.
    private func recut(_ pattern: [RequestPattern]) throws(LeftOut) -> [RequestPattern] {
        if pattern.leavesCutOpen(new) { return pattern }
        var parts: [RequestPattern] = []
        var isThere = false
        for part in pattern {
            guard case .atom(let condition, _) = part else {
                throw LeftOut("which bodies of '\(task.name)' are meant is not told")
            }
            guard
                condition.operation == .one(.uploadChunk)
                    || condition.operation == .one(.uploadFinalize)
            else {
                guard condition.operation != .uploadBody else {
                    throw LeftOut("which bodies of '\(task.name)' are meant is not told")
                }
                parts.append(part)
                continue
            }
            guard condition.status == nil else {
                throw LeftOut("which answer the bodies of '\(task.name)' get is not told")
            }
            if !isThere { parts += bodies }
            isThere = true
        }
        return parts
    }

    private var bodies: [RequestPattern] {
        new.lengths.indices.map { index in
            let isLast = index == new.lengths.count - 1
            var condition = RequestCondition(.one(isLast ? .uploadFinalize : .uploadChunk))
            condition.offset = .exactly(new.starts[index], .size)
            condition.length = .exactly(new.lengths[index], .size)
            return .atom(condition, .once)
        }
    }

    private func change(
        _ test: inout ExchangesTest, _ isPlain: Bool
    ) throws(LeftOut) {
        let isOpen =
            test.offset == nil && test.length == nil && test.count == nil && test.gap == nil
            && test.growth == nil && test.connections == nil
        if isOpen || test.selector.operation == .one(.uploadFinalize) && test.length == nil {
            return
        }
        let chunks = Int64(new.lengths.count - 1)
        guard isPlain, test.after == nil, test.before == nil, test.offset == nil,
            test.gap == nil, test.growth == nil, test.connections == nil, test.length == nil
        else {
            throw LeftOut(
                "what holds for the bodies of '\(task.name)', cut in its own way, is not told")
        }
        switch test.selector.operation {
        case .one(.uploadChunk): test.count = test.count.map { _ in .exactly(chunks, .count) }
        case .uploadBody: test.count = test.count.map { _ in .exactly(chunks + 1, .count) }
        case .prefix, .everything, .one:
            throw LeftOut("how many requests '\(task.name)' makes is not told")
        }
    }
}

extension [RequestPattern] {
    /// True where any number of chunks fits, or the one request that there is.
    fileprivate func leavesCutOpen(_ plan: ChunkPlan) -> Bool {
        guard plan.lengths.count == 1 || !operations.contains(.one(.uploadFinalize)) || namesChunks
        else { return false }
        return allSatisfy { part in
            switch part {
            case .atom(let condition, let repetition):
                switch condition.operation {
                case .one(.uploadChunk), .uploadBody:
                    condition.offset == nil && condition.length == nil && repetition.upper == nil
                        && repetition.lower == 0
                case .one(.uploadFinalize): condition.offset == nil && condition.length == nil
                case .one, .prefix, .everything: true
                }
            case .any, .sequence: false
            }
        }
    }

    private var namesChunks: Bool { operations.contains { $0.matches(.uploadChunk) } }
}
