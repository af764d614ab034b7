internal import StorageModel

/// Events in the words of messages.
enum EventText {
    /// `progress 256 KiB of 1 MiB`, `failure(unknown, status 503)`.
    static func seen(_ event: TransferEvent) -> String {
        switch event.kind {
        case .failure: named(event)
        case .resume, .progress, .pause, .success: event.kind.rawValue + bytes(event)
        }
    }

    /// The event without its bytes; a failure with its code.
    static func named(_ event: TransferEvent) -> String {
        guard event.kind == .failure, let error = event.error else { return event.kind.rawValue }
        var parts = [
            error.code == .other ? "other '\(Shortened.text(error.name))'" : error.code.rawValue
        ]
        if let status = error.status { parts.append("status \(status)") }
        if let transport = error.transport { parts.append(transport.rawValue) }
        return "failure(\(parts.joined(separator: ", ")))"
    }

    static func bytes(_ event: TransferEvent) -> String {
        if event.kind == .resume, event.completed == 0 { return "" }
        let total = event.total.map { " of \(ReportText.size($0))" } ?? ""
        return " \(ReportText.size(event.completed))\(total)"
    }

    static func run(_ first: TransferEvent, _ last: TransferEvent, _ count: Int) -> String {
        let range = "\(ReportText.size(first.completed)) to \(ReportText.size(last.completed))"
        return "\(first.kind.rawValue) x\(count), \(range)"
    }
}
