package import RunModel
import Scenario
import StorageModel

extension BoundLists {
    /// What is wrong with the lists themselves, in the order of the file: entries that overlap, fit
    /// nothing of the whole suite, fit only what was skipped, do not say how many they fit, or have
    /// expired; and more forgiven tries than a run may have.
    ///
    /// - Parameter results: of the run, judged.
    package func problems(_ results: [ScenarioResult]) -> [RunReport.Problem] {
        let skipped = Dictionary(
            results.map { (suiteID($0.id), $0) }, uniquingKeysWith: { one, _ in one })
        var problems: [RunReport.Problem] = []
        for (index, one) in bound.enumerated() {
            let mistakes = [
                unmatched(one), growth(one, skipped), onlySkipped(one, skipped), expiry(one),
            ]
            let sentences =
                bound[..<index].compactMap { overlap(one, $0) } + mistakes.compactMap(\.self)
            problems += sentences.map { .init(.listEntry, $0, place: one.entry.place) }
        }
        return problems.sorted { ($0.line, $0.sentence) < ($1.line, $1.sentence) }
            + tooManyTries(results)
    }

    /// Whether the entry fits no scenario of the suite; never true where not all of it is known.
    func isUnmatched(_ bound: Bound) -> Bool { isWhole && bound.positions.isEmpty }

    func hasExpired(_ entry: KnownEntry) -> Bool { entry.expires.map { $0 < today } ?? false }

    /// Whether everything that the entry fits was to run, and was skipped.
    func fitsOnlySkipped(_ bound: Bound, _ results: [String: ScenarioResult]) -> Bool {
        !bound.positions.isEmpty
            && bound.positions.allSatisfy { results[ids[$0]]?.verdict == .skipped }
    }

    /// Says that an earlier entry fits a scenario which this one fits too; nil where none is.
    func overlap(_ one: Bound, _ earlier: Bound) -> String? {
        let mine = Set(one.positions)
        guard let shared = earlier.positions.first(where: mine.contains) else { return nil }
        return "'\(one.entry.pattern)' and '\(earlier.entry.pattern)' of "
            + "\(earlier.list.rawValue) (\(earlier.entry.place)) both fit '\(ids[shared])': "
            + "one entry must be the only one"
    }

    private func unmatched(_ bound: Bound) -> String? {
        guard isUnmatched(bound) else { return nil }
        let text = bound.entry.pattern.text
        let sentence = "'\(text)' fits no scenario of the suite"
        if ids.contains(where: { $0.hasPrefix(text + "[") }) {
            return sentence + ": its rows are '\(text)[*]'"
        }
        return Spelling.nearest(to: text, among: ids).map { sentence + "; did you mean '\($0)'?" }
            ?? sentence
    }

    /// Says that an entry does not stand for as many scenarios as it counts, or that one with a
    /// wildcard counts none.
    private func growth(_ bound: Bound, _ results: [String: ScenarioResult]) -> String? {
        guard !bound.positions.isEmpty, !fitsOnlySkipped(bound, results) else { return nil }
        let name = "'\(bound.entry.pattern)'"
        let number = count(of: bound.positions)
        guard let count = bound.entry.count else {
            guard bound.list == .failing, canGrow(bound) else { return nil }
            let advice = number.map { "write 'count: \($0)'" } ?? "a run tells the number"
            return "\(name) has a wildcard and no 'count', so that it would cover what is added to "
                + "the suite: \(advice)"
        }
        guard let number, count != number else { return nil }
        return "\(name) fits \(number) scenarios that this client runs, and the entry counts "
            + "\(count): look at them again, then write 'count: \(number)'"
    }

    private func onlySkipped(_ bound: Bound, _ results: [String: ScenarioResult]) -> String? {
        guard fitsOnlySkipped(bound, results), let first = bound.positions.first else { return nil }
        let reason = results[ids[first]]?.reason.map { ": \($0)" } ?? ""
        return "'\(bound.entry.pattern)' fits only what was skipped, and claims what nobody has "
            + "seen\(reason)"
    }

    private func expiry(_ bound: Bound) -> String? {
        guard let expires = bound.entry.expires else { return nil }
        let name = "'\(bound.entry.pattern)'"
        if hasExpired(bound.entry) { return "\(name) expired on \(expires): look at it again" }
        guard bound.list == .flaky, expires > today.nextYear else { return nil }
        return "\(name) expires on \(expires): a flaky scenario is looked at within a year"
    }

    private func tooManyTries(_ results: [ScenarioResult]) -> [RunReport.Problem] {
        let flaky = results.filter { $0.verdict == .flaky }
        let tries = flaky.reduce(0) { $0 + $1.failedTries }
        guard tries > flakyLimit else { return [] }
        let names = flaky.map(\.id).joined(separator: ", ")
        return [
            .init(
                .flakyLimit,
                "\(tries) failed tries were forgiven and the file allows \(flakyLimit): \(names)")
        ]
    }
}

extension RunReport.Problem {
    fileprivate var line: Int { place?.line ?? 0 }
}
