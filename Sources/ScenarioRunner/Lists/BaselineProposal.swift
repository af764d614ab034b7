package import RunModel
package import Scenario

/// The change of a client's lists that a finished run suggests.
///
/// It deletes entries that say what is no longer so, and adds entries for what failed and is not
/// listed; whoever applies it has to say why. It never widens an entry, and it lists nothing that is
/// void or errored.
package struct BaselineProposal: Sendable {
    package let edit: KnownListsEdit
    /// What a person must look at, a sentence each.
    package let remarks: [String]

    /// - Parameter results: of the run, whatever lists they were judged by.
    package init(_ lists: BoundLists, results: [ScenarioResult]) {
        var draft = BaselineDraft(lists, results)
        draft.reviewEntries()
        draft.reviewResults()
        edit = draft.edit
        remarks = draft.remarks
    }
}

/// A proposal in the making.
struct BaselineDraft {
    private let lists: BoundLists
    /// As the client ended, the lists left aside.
    private let results: [ScenarioResult]
    private let verdicts: [String: ScenarioResult]
    private(set) var edit = KnownListsEdit()
    private(set) var remarks: [String] = []

    init(_ lists: BoundLists, _ results: [ScenarioResult]) {
        self.lists = lists
        self.results = results.map(\.beforeLists)
        verdicts = Dictionary(
            self.results.map { (lists.suiteID($0.id), $0) }, uniquingKeysWith: { one, _ in one })
    }

    // MARK: Entries that there are

    mutating func reviewEntries() {
        for (index, bound) in lists.bound.enumerated() {
            let isTwice = lists.bound[..<index].contains {
                $0.list == bound.list && $0.entry.pattern == bound.entry.pattern
            }
            if isTwice || lists.isUnmatched(bound) || lists.hasExpired(bound.entry)
                || lists.fitsOnlySkipped(bound, verdicts)
            {
                edit.deletions.insert(bound.place)
            } else {
                if bound.list == .failing { reviewPasses(bound) }
                reviewCount(bound)
            }
        }
        let kept = lists.bound.filter { !edit.deletions.contains($0.place) }
        for (index, bound) in kept.enumerated() {
            remarks += kept[..<index].compactMap { lists.overlap(bound, $0) }
        }
    }

    /// Takes out of an entry what passes.
    private mutating func reviewPasses(_ bound: BoundLists.Bound) {
        let ids = bound.positions.map { lists.ids[$0] }
        guard ids.contains(where: { verdicts[$0]?.verdict == .passed }) else { return }
        let kept = ids.filter { id in
            let verdict = verdicts[id]?.verdict
            return verdict != .passed && verdict != .skipped
        }
        if kept.isEmpty {
            edit.deletions.insert(bound.place)
        } else {
            edit.narrowings[bound.place] = grouped(kept.map { ($0, []) }).map {
                KnownListsEdit.Part($0.pattern, count: $0.count)
            }
        }
    }

    /// Has an entry count what it stands for. One that stands for more than it counts is for people:
    /// what has come to it is not known.
    private mutating func reviewCount(_ bound: BoundLists.Bound) {
        guard !edit.deletions.contains(bound.place), edit.narrowings[bound.place] == nil,
            let number = lists.count(of: bound.positions), number > 0,
            bound.entry.count != number
        else { return }
        guard let count = bound.entry.count else {
            if bound.list == .failing, lists.canGrow(bound) { edit.counts[bound.place] = number }
            return
        }
        if number < count {
            edit.counts[bound.place] = number
            return
        }
        remarks.append(
            "'\(bound.entry.pattern)' (\(bound.entry.place)) counts \(count), and fits \(number) "
                + "scenarios now: look at what came to it, then write 'count: \(number)'")
    }

    // MARK: What the run shows

    mutating func reviewResults() {
        var failing: [(String, [String])] = []
        var flaky: [String] = []
        for result in results {
            let id = lists.suiteID(result.id)
            if let bound = cover(of: id) {
                if result.verdict == .failed { remark(result, bound) }
            } else if result.verdict == .failed {
                failing.append((id, result.labels))
            } else if result.verdict == .passed, result.failedTries > 0 {
                flaky.append(id)
            }
        }
        if showsNoClient {
            remarks.append("the client broke off in every scenario: nothing is proposed for that")
            return remarkOthers()
        }
        edit.additions = grouped(failing).map { group in
            KnownListsEdit.Addition(
                .failing, pattern: group.pattern, comment: comment(group.first),
                failure: group.labels, count: group.count)
        }
        edit.additions += flaky.map {
            KnownListsEdit.Addition(.flaky, pattern: $0, comment: comment($0))
        }
        remarkOthers()
    }

    /// The entry of the changed lists that fits a scenario.
    private func cover(of id: String) -> BoundLists.Bound? {
        lists.bound.first { bound in
            guard !edit.deletions.contains(bound.place) else { return false }
            guard let patterns = edit.narrowings[bound.place] else {
                return bound.positions.contains { lists.ids[$0] == id }
            }
            return patterns.contains { ScenarioPattern($0.pattern).matches(id) }
        }
    }

    /// Whether what the run shows is a client that does not run, and not what it can do.
    private var showsNoClient: Bool {
        results.contains { $0.verdict == .failed }
            && results.allSatisfy { result in
                switch result.verdict {
                case .failed: result.failures.contains { $0.kind == .client }
                case .skipped, .notRun, .pending: true
                case .passed, .errored, .void, .expectedFailure, .unexpectedPass, .flaky: false
                }
            }
    }

    private mutating func remark(_ result: ScenarioResult, _ bound: BoundLists.Bound) {
        switch bound.list {
        case .flaky:
            remarks.append(
                "'\(result.id)' is known-flaky (\(bound.entry.place)) and never passed: look at it")
        case .failing:
            guard let unknown = bound.entry.firstUnknown(of: result.failures) else { return }
            remarks.append("'\(result.id)' is \(bound.entry.otherwise(unknown)): look at it")
        }
    }

    private mutating func remarkOthers() {
        let summary = Summary(results)
        let others = [Verdict.void, .errored, .notRun].filter { summary[$0] > 0 }
            .map { "\(summary[$0]) \($0.text)" }
        guard !others.isEmpty else { return }
        remarks.append("\(others.joined(separator: ", ")): nothing is proposed for these")
    }

    private func comment(_ id: String) -> String {
        guard let result = verdicts[id] else { return "" }
        let tries = result.failedTries
        if result.verdict == .passed {
            return "passed in try \(tries + 1)"
                + (result.earlierTries.first?.sentence.map { ": \($0)" } ?? "")
        }
        return result.failures.first?.line ?? ""
    }

    // MARK: Rows

    private struct Group {
        var pattern: String
        /// The first id that it stands for.
        var first: String
        var labels: [String]
        /// How many ids, where it stands for several.
        var count: Int?
    }

    /// One group for all rows of a matrix, where every row of it is there and all say the same.
    private func grouped(_ ids: [(id: String, labels: [String])]) -> [Group] {
        var groups: [Group] = []
        var done: Set<String> = []
        let given = Dictionary(ids.map { ($0.id, $0.labels) }, uniquingKeysWith: { one, _ in one })
        for (id, labels) in ids where !done.contains(id) {
            let base = id.prefix { $0 != "[" }
            let rows = base.count == id.count ? [] : lists.ids.filter { $0.hasPrefix(base + "[") }
            if lists.isWhole, rows.count > 1, rows.allSatisfy({ given[$0] == labels }) {
                done.formUnion(rows)
                let pattern = ScenarioPattern(base + "[*]")
                let count = lists.count(of: pattern.positions(in: lists.ids)) ?? rows.count
                groups.append(
                    Group(pattern: pattern.text, first: id, labels: labels, count: count))
            } else {
                done.insert(id)
                groups.append(Group(pattern: id, first: id, labels: labels))
            }
        }
        return groups
    }
}

extension BoundLists.Bound {
    /// Where the entry stands in its file.
    fileprivate var place: KnownListsEdit.Position {
        KnownListsEdit.Position(list == .failing ? .failing : .flaky, index)
    }
}

extension ScenarioResult {
    /// The labels of its failures, each once, without what only follows from them.
    package var labels: [String] {
        let own = failures.filter { $0.kind != .unfiredFault && $0.kind != .missedStep }
        return own.map(\.label).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
