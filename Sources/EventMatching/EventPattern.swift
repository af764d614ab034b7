package import StorageModel

/// A pattern over the events of one observer: `progress+`, `failure(cancelled)`, `{any: ...}`.
package typealias EventPattern = SequencePattern<EventAtom>

/// A condition on one event, or a silence between two.
package enum EventAtom: PatternAtom {
    case event(EventCondition)
    /// No event for that long.
    case quiet(Duration)

    package var silence: Duration? {
        switch self {
        case .event: nil
        case .quiet(let duration): duration
        }
    }

    package func accepts(_ element: TransferEvent) -> Bool {
        switch self {
        case .event(let condition): condition.holds(element)
        case .quiet: false
        }
    }

    package func resembles(_ element: TransferEvent) -> Bool {
        switch self {
        case .event(let condition): condition.kind == element.kind
        case .quiet: false
        }
    }

    package static func time(of element: TransferEvent) -> Duration { element.time }

    package var description: String {
        switch self {
        case .event(let condition): condition.description
        case .quiet(let duration): "{quiet: \(duration.scenarioText)}"
        }
    }
}

/// What an event must be.
package struct EventCondition: Hashable, Sendable, CustomStringConvertible {
    package let kind: TransferEvent.Kind
    /// On the completed bytes; percentages are of the event's own total.
    package let bytes: NumberTest?
    /// Codes of a failure, one of which it must have; empty: any.
    package let codes: [ErrorCode]

    package init(
        _ kind: TransferEvent.Kind, bytes: NumberTest? = nil, codes: [ErrorCode] = []
    ) {
        self.kind = kind
        self.bytes = bytes
        self.codes = codes
    }

    package func holds(_ event: TransferEvent) -> Bool {
        guard event.kind == kind else { return false }
        if let bytes, !bytes.holds(event.completed, whole: event.total) { return false }
        guard !codes.isEmpty else { return true }
        return event.error.map { codes.contains($0.code) } ?? false
    }

    package var description: String {
        var text = kind.rawValue
        if let bytes { text += "@\(bytes)" }
        if !codes.isEmpty { text += "(" + codes.map(\.rawValue).joined(separator: "|") + ")" }
        return text
    }
}
