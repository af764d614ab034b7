internal import StorageModel

extension InvariantChecks {
    func progressBounds() -> [InvariantViolation] {
        let wrong = task.events.first { event in
            event.completed < 0 || event.completed > event.total ?? .max || event.total ?? 0 < 0
        }
        guard let wrong else { return [] }
        let total = wrong.total.map(ReportText.size) ?? "an unknown total"
        return [
            violation(
                .progressBounds,
                "\(wrong.kind.rawValue) \(Self.at(wrong)) told \(ReportText.size(wrong.completed)) "
                    + "of \(total)", at: wrong.time)
        ]
    }

    func progressTotal() -> [InvariantViolation] {
        var known: TransferEvent?
        for event in task.events {
            guard let total = event.total else { continue }
            if let known, let before = known.total, before != total {
                return [
                    violation(
                        .progressTotal,
                        "the total changed from \(ReportText.size(before)) "
                            + "(\(known.kind.rawValue) \(Self.at(known))) to "
                            + "\(ReportText.size(total)) (\(event.kind.rawValue) \(Self.at(event)))",
                        at: event.time)
                ]
            }
            known = known ?? event
        }
        return []
    }

    /// Completed bytes never go down, but for a server that holds less than was thought.
    func progressMonotone() -> [InvariantViolation] {
        var last: TransferEvent?
        for event in task.events where event.kind == .progress || event.kind == .success {
            if let last, event.completed < last.completed, !mayFall(from: last, to: event) {
                return [
                    violation(
                        .progressMonotone,
                        "\(event.kind.rawValue) went down from \(ReportText.size(last.completed)) "
                            + "\(Self.at(last)) to \(ReportText.size(event.completed)) "
                            + "\(Self.at(event)), and no answer had told less", at: event.time)
                ]
            }
            last = event
        }
        return []
    }

    /// True when between two events an answer told less than the first of them, or a transfer began
    /// again.
    private func mayFall(from last: TransferEvent, to event: TransferEvent) -> Bool {
        let between = answered(after: last, before: event)
        return between.contains { exchange in
            // What was sent of a body that broke or was refused has not come.
            let isKept = exchange.status.map { $0 < 400 } ?? false
            if countsSentBytes, exchange.operation.carriesObjectBytes, !isKept { return true }
            switch exchange.operation {
            case .uploadStart: return exchange.status.map { $0 < 400 } ?? false
            case .uploadQuery, .uploadChunk, .uploadFinalize:
                return exchange.reported.map { $0 < last.completed } ?? false
            case .download, .downloadByURL: return Self.begin(of: exchange) < last.completed
            case .connect, .uploadCancel, .uploadMultipart, .uploadMedia, .metadataGet,
                .metadataUpdate, .delete, .list, .tokenCreate, .tokenDelete, .preflight, .unknown:
                return false
            }
        }
    }

    /// Where a download's answer began: at the first byte where the server took no notice of the
    /// range (200: RFC 9110 section 14.2), else where it was asked to.
    private static func begin(of exchange: ExchangeRecord) -> Int64 {
        exchange.status == 200 ? 0 : exchange.offset ?? 0
    }

    /// Exchanges whose answers may have come between two events.
    ///
    /// A task makes its requests one after the other: of those that had come when the first event
    /// was told, the newest alone can still have been without its answer. The very first download
    /// explains nothing, for it cannot begin again.
    private func answered(
        after last: TransferEvent, before event: TransferEvent
    ) -> [ExchangeRecord] {
        let inTime = exchanges.filter { exchange in
            exchange.start <= event.time && exchange.end ?? event.time >= last.time
                && exchange.cameAfter(event) != true
        }
        guard last.headsBefore != nil else { return inTime }
        let newest = exchanges.last { $0.cameAfter(last) == false }
        let first = exchanges.first { $0.operation.isDownload }
        return inTime.filter { exchange in
            if exchange.cameAfter(last) == true { return true }
            return exchange == newest && !(exchange.operation.isDownload && exchange == first)
        }
    }
}
