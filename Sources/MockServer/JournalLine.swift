package import StorageModel

/// The journal as lines of JSON. `Conformance/JOURNAL.md` says what each member means.
package enum JournalLine {
    /// Of the lines; a change that a reader could trip over makes it larger.
    package static let format = 1

    /// The line that begins a journal.
    ///
    /// - Parameters:
    ///   - tool: who writes it: `squall 1.2.0`.
    ///   - scenario: backend and faults as a scenario file; nil: not told.
    package static func opening(tool: String, scenario: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["format": .number("\(format)"), "tool": .string(tool)]
        members["scenario"] = text(scenario)
        return object(members)
    }

    /// One exchange, or a connection on which a fault of `connect` fired; members in alphabetical order.
    package static func value(of record: ExchangeRecord) -> JSONValue {
        var members: [String: JSONValue?] = [
            "ordinal": number(record.ordinal), "connection": number(record.connection),
            "reused": record.isReused ? .bool(true) : nil,
            "operation": .string(record.operation.rawValue), "method": .string(record.method),
            "target": .string(record.target), "credentials": .bool(record.hasCredentials),
            "bucket": text(record.bucket), "path": text(record.path),
            "transfer": number(record.transfer), "session": number(record.session),
            "overlaps": record.overlaps ? .bool(true) : nil,
            "resendOf": number(record.resendOf),
        ]
        members.merge(bytes(of: record)) { one, _ in one }
        members["handshake"] = text(record.handshake)
        members["status"] = number(record.status)
        members["start"] = time(record.start)
        members["end"] = record.end.map(time)
        members["ending"] = .string(record.ending.rawValue)
        if !record.faults.isEmpty { members["faults"] = .array(record.faults.map(value)) }
        if !record.complaints.isEmpty {
            members["complaints"] = .array(record.complaints.map { .string($0.name) })
        }
        return object(members.compactMapValues { $0 })
    }

    private static func bytes(of record: ExchangeRecord) -> [String: JSONValue?] {
        [
            "offset": number(record.offset), "length": number(record.length),
            "declaredSize": number(record.declaredSize), "received": number(record.received),
            "committed": number(record.committed), "sent": number(record.sent),
            "reported": number(record.reported),
        ]
    }

    static func value(of fault: FiredFault) -> JSONValue {
        var members: [String: JSONValue] = [
            "fault": .number("\(fault.rule)"), "name": .string(fault.name),
            "ordinal": .number("\(fault.ordinal)"),
            "actions": .array(fault.actions.map(JSONValue.string)), "time": time(fault.time),
        ]
        members["draw"] = fault.draw.map { .number("\($0)") }
        members["chance"] = fault.chance.map { .number("\($0)") }
        if !fault.delays.isEmpty { members["delays"] = .array(fault.delays.map(time)) }
        return object(members)
    }

    private static func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(
            members.sorted { $0.key < $1.key }.map {
                JSONValue.Member(name: $0.key, value: $0.value)
            })
    }

    private static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }

    private static func number(_ number: (some BinaryInteger)?) -> JSONValue? {
        number.map { .number("\($0)") }
    }

    /// Milliseconds with as many decimals as are needed, three at most.
    private static func time(_ time: Duration) -> JSONValue {
        let micros = time.nanoseconds / 1000
        let fraction = String(1000 + micros % 1000).dropFirst()
        return .number("\(micros / 1000).\(fraction)")
    }
}
