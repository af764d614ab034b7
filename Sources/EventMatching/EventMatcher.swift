package import StorageModel

/// Holds an event pattern against the events of one observer.
package struct EventMatcher: Sendable {
    private let pattern: [EventPattern]
    private let scale: TimeScale

    /// - Parameter pattern: the whole sequence; nothing may come before, between or after.
    package init(_ pattern: [EventPattern], scale: TimeScale = .exact) {
        self.pattern = pattern
        self.scale = scale
    }

    /// Compares; nil when the events are what the pattern describes.
    ///
    /// - Parameters:
    ///   - events: in the order in which the observer was called.
    ///   - begin: when the observer was added, on the scenario's clock.
    ///   - end: until when its silence was watched.
    ///   - exchanges: of the observed task, for the causes beside the events; may be empty.
    package func difference(
        from events: [TransferEvent], begin: Duration = .zero, end: Duration,
        exchanges: [ExchangeRecord] = []
    ) -> Difference? {
        let input = PatternInput<EventAtom>(elements: events, begin: begin, end: end, scale: scale)
        guard let mismatch = SequenceMatch.mismatch(pattern, input) else { return nil }
        let causes = EventCauses(exchanges)
        let rows = DifferenceRows<EventAtom>(
            input, seen: { EventText.seen(events[$0]) },
            run: { EventText.run(events[$0.lowerBound], events[$0.upperBound - 1], $0.count) },
            cause: { causes.cause(of: $0, in: events) })
        let mistake = EventMistake(events: events, mismatch: mismatch, input: input)
        return Difference(sentence: mistake.sentence, rows: rows.rows(of: mismatch))
    }
}
