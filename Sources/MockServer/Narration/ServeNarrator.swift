package import FaultEngine
import StorageModel

/// Tells a person what happens at a served backend: a line for each exchange, a line on what the
/// client did after each fault, and a table of the faults at the end.
///
/// Pure: journal events go in, lines come out.
package struct ServeNarrator: Sendable {
    private var pending: [FaultAftermath] = []
    /// Faults whose consequences are followed at once; of more the oldest are let go.
    private static let followed = 100

    private let control: String?

    /// - Parameter control: where the control API listens: `http://127.0.0.1:9299`; nil: nowhere.
    package init(control: String? = nil) { self.control = control }

    /// One that knows of nothing yet.
    package var anew: ServeNarrator { ServeNarrator(control: control) }

    /// The lines that an event gives.
    package mutating func lines(for event: JournalEvent) -> [String] {
        switch event {
        case .head(let record): return sawHead(record)
        case .fault(let record, let fault):
            if pending.count == Self.followed { pending.removeFirst() }
            pending.append(FaultAftermath(fault, on: record))
            return []
        case .problem(_, let problem): return ["            \(problem.message)"]
        case .held(let record, let trigger, let time): return held(record, trigger, time)
        case .end(let record):
            return [ExchangeLine.text(of: record)] + record.complaints.map(Self.text)
                + ended(record)
        }
    }

    /// Says of which faults nothing has followed for so long.
    ///
    /// - Parameters:
    ///   - now: on the clock of the journal.
    ///   - patience: silence after which a client is taken to have given up.
    package mutating func lines(at now: Duration, patience: Duration = .seconds(60)) -> [String] {
        var lines: [String] = []
        pending.removeAll { aftermath in
            guard let start = aftermath.start, now - start >= patience else { return false }
            lines.append(aftermath.givenUp(after: now - start))
            return true
        }
        return lines
    }

    /// The server stops: what is still open, then the table.
    ///
    /// - Parameter accounts: what became of every fault, in the order of their coming.
    package mutating func lastLines(at now: Duration, _ accounts: [FaultAccount]) -> [String] {
        let open = pending.map { $0.givenUp(after: now - ($0.start ?? now), isStopping: true) }
        pending = []
        let table = Self.table(accounts)
        return open + (open.isEmpty || table.isEmpty ? [] : [""]) + table
    }

    private mutating func sawHead(_ record: ExchangeRecord) -> [String] {
        settle { aftermath in
            guard aftermath.isFollowed(by: record), aftermath.note(record) else { return nil }
            return aftermath.text
        }
    }

    private mutating func ended(_ record: ExchangeRecord) -> [String] {
        settle { aftermath in
            aftermath.isOf(record) ? aftermath.ended(record) : nil
        }
    }

    /// The lines of those that are settled now; the others stay.
    private mutating func settle(_ line: (inout FaultAftermath) -> String?) -> [String] {
        var lines: [String] = []
        var open: [FaultAftermath] = []
        for var aftermath in pending {
            if let line = line(&aftermath) { lines.append(line) } else { open.append(aftermath) }
        }
        pending = open
        return lines
    }

    /// Who stands still is told at once: a client that waits looks like a client that hangs.
    private func held(
        _ record: ExchangeRecord, _ trigger: Trigger, _ time: Duration
    ) -> [String] {
        let path = record.path.map { $0.isEmpty ? "" : "  \($0)" } ?? ""
        let line =
            "\(ExchangeLine.time(time))  #\(record.ordinal) \(record.operation.rawValue)\(path)"
            + "  STANDS STILL until \(trigger.text)"
        return [line]
            + trigger.gates.map { gate in
                guard let control else {
                    return
                        "            nothing can release the gate '\(gate)': start with --control-port"
                }
                return "            release it: curl -X POST \(control)/v1/gates/\(gate)/release"
            }
    }

    private static func text(_ complaint: Complaint) -> String {
        "            the client broke the protocol: \(complaint.name): \(complaint.sentence)"
    }

    private static func table(_ accounts: [FaultAccount]) -> [String] {
        guard !accounts.isEmpty else { return [] }
        var lines = ["fired  fault"]
        for account in accounts {
            let number = String(account.fired)
            let space = String(repeating: " ", count: max(0, 5 - number.count))
            let name = account.rule.name.map { "\($0): " } ?? ""
            let end = account.isRemoved ? "  (removed)" : ""
            lines.append("\(space)\(number)  \(name)\(account.rule.text)\(end)")
            if let reason = account.unfired { lines.append("       \(reason)") }
        }
        return lines
    }
}

extension Int64 {
    /// `629145 bytes`, `512KiB`.
    var bytesText: String {
        let text = sizeText
        guard text.allSatisfy(\.isNumber) else { return text }
        return self == 1 ? "1 byte" : "\(text) bytes"
    }
}

/// The line of one exchange.
enum ExchangeLine {
    static func text(of record: ExchangeRecord) -> String {
        var parts = [time(record.start)]
        if record.operation == .connect {
            parts.append("connection \(record.connection)")
            if let handshake = record.handshake {
                parts.append("TLS: \(handshake)")
            } else {
                parts.append(outcome(of: record))
            }
        } else {
            parts.append("#\(record.ordinal) \(name(of: record))")
            if let path = record.path, !path.isEmpty { parts.append(path) }
            if let bytes = bytes(of: record) { parts.append(bytes) }
            parts.append(outcome(of: record))
        }
        if let resent = record.resendOf {
            parts.append("(sent again by the transport, as #\(resent))")
        }
        if !record.faults.isEmpty {
            parts.append("fault: " + record.faults.map(\.name).joined(separator: ", "))
        }
        return parts.joined(separator: "  ")
    }

    private static func name(of record: ExchangeRecord) -> String {
        if record.method.isEmpty { return "what is no HTTP request" }
        return record.operation == .unknown
            ? "\(record.method) \(record.target) (no such route)" : record.operation.rawValue
    }

    /// Which object bytes the exchange carried.
    private static func bytes(of record: ExchangeRecord) -> String? {
        if record.operation.carriesObjectBytes {
            guard record.received > 0 else { return nil }
            let start = record.offset.map { " from \($0.sizeText)" } ?? ""
            return "\(record.received.bytesText)\(start)"
        }
        guard record.operation.isDownload, record.sent > 0 else { return nil }
        return "\(record.sent.bytesText) from \((record.offset ?? 0).sizeText)"
    }

    private static func outcome(of record: ExchangeRecord) -> String {
        let status = record.status.map { "\($0)" } ?? "no answer"
        switch record.ending {
        case .complete: return status
        case .clientLeft: return "\(status), the client left"
        case .disconnected:
            return record.operation == .connect
                ? "cut at once" : "\(status), cut after \(cutPlace(record))"
        case .open: return "\(status), not over"
        }
    }

    private static func cutPlace(_ record: ExchangeRecord) -> String {
        record.status == nil
            ? "\(record.received.bytesText) of the request"
            : "\(record.sent.bytesText) of the answer"
    }

    /// `  12.345s`
    static func time(_ time: Duration) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let text = "\(milliseconds / 1000).\(fraction)s"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}
