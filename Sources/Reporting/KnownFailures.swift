internal import EventMatching
internal import RunModel
internal import StorageModel

/// The failures that a client's list names, under a heading and entry by entry.
struct KnownFailures {
    /// More scenarios of one entry are only counted.
    private static let shown = 10

    private let results: [ScenarioResult]
    private let style: ConsoleStyle

    /// - Parameter results: expected failures, each with its entry.
    init(_ results: [ScenarioResult], _ style: ConsoleStyle) {
        self.results = results
        self.style = style
    }

    /// Empty where there is none.
    var text: String {
        guard !results.isEmpty else { return "" }
        let musts = results.count { $0.level == .must }
        let heading =
            "\(results.count) known to fail, as the client's list says (\(musts) must):"
        var order: [ListedEntry] = []
        var groups: [ListedEntry: [ScenarioResult]] = [:]
        for result in results {
            guard let entry = result.listed else { continue }
            if groups[entry] == nil { order.append(entry) }
            groups[entry, default: []].append(result)
        }
        let blocks = order.flatMap { lines($0, groups[$0] ?? []) }
        return ([style.coloured(heading, .yellow)] + blocks).map { $0 + "\n" }.joined()
    }

    private func lines(_ entry: ListedEntry, _ results: [ScenarioResult]) -> [String] {
        let until = entry.expires.map { ", until \($0)" } ?? ""
        var lines = [
            "  \(entry.pattern): \(entry.reason) (\(entry.link)\(until); \(entry.place))"
        ].map(PlainText.oneLine)
        lines += results.prefix(Self.shown).map { "    \(FailureBlock($0, style).idAndFailure)" }
        if results.count > Self.shown { lines.append("    and \(results.count - Self.shown) more") }
        return lines
    }
}
