package import RunModel
import Scenario

extension BoundLists {
    /// Whether a scenario that failed is tried once more: its flaky entry knows this failure and has
    /// tries left.
    package func wantsAnotherTry(_ result: ScenarioResult) -> Bool {
        guard result.verdict == .failed, let bound = entry(for: result.id), bound.list == .flaky,
            let limit = bound.entry.limit, bound.entry.firstUnknown(of: result.failures) == nil
        else { return false }
        return result.failedTries + 1 < limit
    }

    /// The result as the lists see it.
    ///
    /// Only what failed or passed is judged anew: a void, errored, skipped, pending or unrun scenario
    /// shows nothing of what the list claims, and stays what it is.
    package func judged(_ result: ScenarioResult) -> ScenarioResult {
        guard let bound = entry(for: result.id) else { return result }
        var result = result
        result.listed = ListedEntry(bound)
        switch (bound.list, result.verdict) {
        case (.failing, .failed): Self.judgeFailure(&result, bound.entry)
        case (.failing, .passed):
            result.verdict = .unexpectedPass
            result.reason = Self.deletion(bound.entry)
        case (.flaky, .failed): result.reason = Self.flakyFailure(result, bound.entry)
        case (.flaky, .passed) where result.failedTries > 0:
            result.verdict = .flaky
            result.reason = bound.entry.why
        case (.flaky, .passed), (_, .errored), (_, .void), (_, .skipped), (_, .pending),
            (_, .notRun), (_, .expectedFailure), (_, .unexpectedPass), (_, .flaky):
            break
        }
        return result
    }

    private static func judgeFailure(_ result: inout ScenarioResult, _ entry: KnownEntry) {
        if let unknown = entry.firstUnknown(of: result.failures) {
            result.reason = entry.otherwise(unknown)
        } else {
            result.verdict = .expectedFailure
            result.reason = entry.why
        }
    }

    private static func deletion(_ entry: KnownEntry) -> String {
        entry.pattern.isWild
            ? "known-failing '\(entry.pattern)' (\(entry.place)) fits it: narrow the entry to what "
                + "fails, or delete it where all of it passes"
            : "delete its entry of known-failing: \(entry.place)"
    }

    private static func flakyFailure(_ result: ScenarioResult, _ entry: KnownEntry) -> String {
        if let unknown = entry.firstUnknown(of: result.failures) { return entry.otherwise(unknown) }
        return
            "known-flaky (\(entry.place)), and it never passed in \(result.failedTries + 1) tries"
    }
}

extension ScenarioResult {
    /// Tries before this one that failed.
    package var failedTries: Int { earlierTries.count { $0.verdict == .failed } }

    /// The result as it was before lists judged it.
    var beforeLists: ScenarioResult {
        guard listed != nil || verdict.isOfLists else { return self }
        var result = self
        switch verdict {
        case .expectedFailure: result.verdict = .failed
        case .unexpectedPass, .flaky: result.verdict = .passed
        case .passed, .failed, .errored, .void, .skipped, .pending, .notRun: break
        }
        result.listed = nil
        // Of a scenario that did not pass or fail it says why.
        if result.verdict == .passed || result.verdict == .failed { result.reason = nil }
        return result
    }
}

extension Verdict {
    /// Whether only a list gives it.
    fileprivate var isOfLists: Bool {
        switch self {
        case .expectedFailure, .unexpectedPass, .flaky: true
        case .passed, .failed, .errored, .void, .skipped, .pending, .notRun: false
        }
    }
}

extension ListedEntry {
    init(_ bound: BoundLists.Bound) {
        self.init(
            bound.list, pattern: bound.entry.pattern.text, reason: bound.entry.reason,
            link: bound.entry.link, expires: bound.entry.expires?.description,
            place: bound.entry.place)
    }
}

extension KnownEntry {
    var why: String { "\(reason); \(link)" }

    /// The first failure that the entry does not know; nil where it knows them all.
    ///
    /// Without `failure` every failure is known, but for that of a client which hung, was not done in
    /// time, died or could not be understood: what it would have done is not known at all. A fault that never fired and
    /// a step that never came beside another failure follow from that one.
    func firstUnknown(of failures: [Failure]) -> Failure? {
        failures.first { failure in
            if failure.kind == .unfiredFault || failure.kind == .missedStep { return false }
            if self.failure.isEmpty { return [.client, .deadline].contains(failure.kind) }
            return !self.failure.contains(where: failure.line.contains)
        }
    }

    func otherwise(_ unknown: Failure) -> String {
        let known = failure.map { "'\($0)'" }.joined(separator: ", ")
        return failure.isEmpty
            ? "known (\(place)), but not that the client breaks off or does not end: only an entry "
                + "with 'failure: \"\(unknown.kind.rawValue):\"' covers that"
            : "known (\(place)) to fail with \(known), and not with '\(unknown.line)'"
    }
}
