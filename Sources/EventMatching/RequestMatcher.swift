package import StorageModel

/// Holds a request pattern against a log of requests.
package struct RequestMatcher: Sendable {
    private let pattern: [RequestPattern]

    /// - Parameter pattern: the whole log; nothing may come before, between or after.
    package init(_ pattern: [RequestPattern]) { self.pattern = pattern }

    /// Compares; nil when the requests are what the pattern describes.
    ///
    /// - Parameter log: in the order in which the server read the heads.
    package func difference(from log: [ExchangeRecord]) -> Difference? {
        let end = log.last?.end ?? log.last?.start ?? .zero
        let input = PatternInput<RequestCondition>(elements: log, begin: .zero, end: end)
        guard let mismatch = SequenceMatch.mismatch(pattern, input) else { return nil }
        let text = RequestText(log)
        let rows = DifferenceRows<RequestCondition>(
            input, seen: { text.seen(log[$0]) },
            run: { text.run(log[$0.lowerBound], log[$0.upperBound - 1], $0.count) },
            cause: { text.cause(log[$0]) })
        let mistake = RequestMistake(log: log, mismatch: mismatch)
        return Difference(sentence: mistake.sentence, rows: rows.rows(of: mismatch))
    }
}
