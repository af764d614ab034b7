package import StorageModel

extension InvariantChecks {
    func quietWhilePaused() -> [InvariantViolation] {
        var pause: TransferEvent?
        for event in task.events {
            switch event.kind {
            case .pause: pause = event
            case .resume, .failure: pause = nil
            case .progress, .success:
                guard let pause else { continue }
                let sentence =
                    event.kind == .progress
                    ? "progress went on to \(ReportText.size(event.completed)) \(Self.at(event)) "
                        + "after pause \(Self.at(pause)), without a resume between them"
                    : "success came \(Self.at(event)) while paused since "
                        + ReportText.time(pause.time)
                return [violation(.quietWhilePaused, sentence, at: event.time)]
            }
        }
        return []
    }

    func alternation() -> [InvariantViolation] {
        var last: TransferEvent?
        for event in task.events where event.kind == .pause || event.kind == .resume {
            if let last, last.kind == event.kind {
                let other = event.kind == .pause ? "resume" : "pause"
                return [
                    violation(
                        .alternation,
                        "\(event.kind.rawValue) came twice, \(Self.at(last)) and "
                            + "\(Self.at(event)), without a \(other) between them", at: event.time)
                ]
            }
            last = event
        }
        return []
    }

    /// After the failure that a cancel brings, no request with object bytes begins.
    func silentAfterCancel() -> [InvariantViolation] {
        let end = task.events.first { $0.kind == .failure && $0.error?.code == .cancelled }
        guard let end else { return [] }
        let late = exchanges.first { exchange in
            guard exchange.operation.carriesObjectBytes || exchange.operation.isDownload else {
                return false
            }
            return (exchange.cameAfter(end) ?? (exchange.start > end.time))
                && !wasUnderWay(exchange, at: end)
        }
        guard let late else { return [] }
        return [
            violation(
                .silentAfterCancel,
                "\(late.operation.rawValue) (request \(late.ordinal)) began at "
                    + "\(ReportText.time(late.start)), after the cancelled failure \(Self.at(end))",
                at: late.start)
        ]
    }

    /// True when the client may have sent the head before, and gave the request up.
    private func wasUnderWay(_ exchange: ExchangeRecord, at end: TransferEvent) -> Bool {
        exchange.ending == .clientLeft && exchange.start - end.time < grace
    }

    /// The complaints of the server that the scenario does not ask for, and those that it misses.
    package static func complaints(
        in exchanges: [ExchangeRecord], expected: ComplaintsTest = .none
    ) -> [InvariantViolation] {
        let names: Set<String> =
            switch expected {
            case .none: []
            case .names(let names): Set(names)
            }
        var seen: Set<String> = []
        var violations: [InvariantViolation] = []
        for exchange in exchanges.sorted(by: { $0.ordinal < $1.ordinal }) {
            for complaint in exchange.complaints {
                seen.insert(complaint.name)
                guard !names.contains(complaint.name) else { continue }
                violations.append(
                    InvariantViolation(
                        .noComplaint,
                        "the server complains about \(exchange.operation.rawValue) (request "
                            + "\(exchange.ordinal)), \(complaint.name): \(complaint.sentence)",
                        time: exchange.start))
            }
        }
        return violations
            + names.subtracting(seen).sorted().map {
                InvariantViolation(
                    .noComplaint, "the complaint '\($0)' was expected and never came")
            }
    }
}
