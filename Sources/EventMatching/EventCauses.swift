internal import StorageModel

/// Says what the server did before an event, where that is worth a word.
struct EventCauses {
    private let exchanges: [ExchangeRecord]

    /// - Parameter exchanges: of the task, in any order.
    init(_ exchanges: [ExchangeRecord]) {
        self.exchanges = exchanges.sorted { $0.ordinal < $1.ordinal }
    }

    /// The last two faults and bad ends since the event before; nil without any.
    func cause(of index: Int, in events: [TransferEvent]) -> String? {
        let event = events[index]
        let after = index > 0 ? events[index - 1].time : Duration.zero
        let isFirst = index == 0 || after == event.time
        let found = exchanges.compactMap { exchange -> String? in
            let moment = exchange.end ?? exchange.faults.last?.time ?? exchange.start
            guard moment <= event.time, moment > after || (isFirst && moment == event.time),
                Self.isBelieved(exchange, before: event, since: index > 0 ? events[index - 1] : nil)
            else { return nil }
            return Self.text(exchange)
        }
        return found.isEmpty ? nil : found.suffix(2).joined(separator: "; ")
    }

    /// Where heads were counted, an exchange that came before the last event explains nothing new.
    private static func isBelieved(
        _ exchange: ExchangeRecord, before event: TransferEvent, since last: TransferEvent?
    ) -> Bool {
        if exchange.cameAfter(event) == true { return false }
        guard let heads = last?.headsBefore else { return true }
        return exchange.arrival ?? exchange.ordinal >= heads
    }

    static func text(_ exchange: ExchangeRecord) -> String? {
        let faults = exchange.faults.map { "fault '\($0.name)'" }
        let isBad = exchange.status.map { $0 >= 400 } ?? true
        guard isBad || !faults.isEmpty else { return nil }
        let status = exchange.status.map(String.init) ?? ending(exchange)
        let bytes = exchange.status == nil ? bytes(exchange) : ""
        let because = faults.isEmpty ? "" : " by \(ReportText.list(faults))"
        return
            "\(exchange.operation.rawValue) (request \(exchange.ordinal)): \(status)\(bytes)\(because)"
    }

    private static func ending(_ exchange: ExchangeRecord) -> String {
        switch exchange.ending {
        case .complete, .open: "no answer"
        case .clientLeft: "the client left"
        case .disconnected: "disconnected"
        }
    }

    private static func bytes(_ exchange: ExchangeRecord) -> String {
        if exchange.operation.isDownload { return " after \(ReportText.size(exchange.sent))" }
        guard exchange.operation.carriesObjectBytes else { return "" }
        return " after \(ReportText.size(exchange.received))"
    }
}
