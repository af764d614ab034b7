package import StorageModel

/// Reads what `JournalLine` wrote. `Conformance/JOURNAL.md` says what each member means.
package struct JournalReader {
    /// Why a text is no journal that can be read, in one sentence, with the line's number from 1.
    package struct Failure: Error, Hashable, Sendable {
        package let line: Int
        package let sentence: String

        package init(line: Int, sentence: String) {
            self.line = line
            self.sentence = sentence
        }
    }

    /// What wrote it: `squall 0.1.0`.
    package private(set) var tool = ""
    /// The backend and the faults that were served, as a scenario; nil in journals of older versions.
    package private(set) var scenario: String?
    /// In the order of their ordinals; connections stand where they came.
    package private(set) var records: [ExchangeRecord] = []

    /// Reads a whole journal; where a server began anew, what came last.
    package init(_ bytes: [UInt8]) throws(Failure) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1 || lines.first?.isEmpty == false else {
            throw Failure(line: 1, sentence: "the file is empty")
        }
        if lines.last?.isEmpty == false {
            throw Failure(
                line: lines.count,
                sentence: "the journal ends in the middle of this line: it was cut off")
        }
        for (index, line) in lines.dropLast().enumerated() {
            guard let value = JSONValue(parsing: Array(line)), case .object(let members) = value
            else { throw Failure(line: index + 1, sentence: "this is no line of a journal") }
            let fields = Fields(line: index + 1, members)
            if fields["format"] != nil {
                try open(fields)
            } else if index == 0 {
                throw Failure(line: 1, sentence: "this is no journal: the first line has no format")
            } else {
                records.append(try fields.record())
            }
        }
        try sortWhole(lastLine: lines.count - 1)
    }

    private mutating func open(_ fields: Fields) throws(Failure) {
        let format = fields["format"]?.scalarText ?? ""
        guard format == "\(JournalLine.format)" else {
            throw Failure(
                line: fields.line,
                sentence: "the journal has the format \(format), this version reads "
                    + "\(JournalLine.format)")
        }
        tool = fields.text("tool") ?? ""
        scenario = fields.text("scenario")
        records = []
    }

    /// Lines stand in the order in which exchanges ended; one that is missing is told.
    private mutating func sortWhole(lastLine: Int) throws(Failure) {
        let ordinals = Set(records.filter { $0.ordinal > 0 }.map(\.ordinal))
        let last = ordinals.max() ?? 0
        if let missing = (1...max(last, 1)).first(where: { $0 <= last && !ordinals.contains($0) }) {
            throw Failure(
                line: lastLine,
                sentence: "the exchange #\(missing) is missing: lines were cut off, or the server "
                    + "still runs")
        }
        records.sort { $0.start == $1.start ? $0.ordinal < $1.ordinal : $0.start < $1.start }
    }
}

/// The members of one line.
private struct Fields {
    let line: Int
    private let values: [String: JSONValue]

    init(line: Int, _ members: [JSONValue.Member]) {
        self.line = line
        values = Dictionary(members.map { ($0.name, $0.value) }) { one, _ in one }
    }

    subscript(name: String) -> JSONValue? { values[name] }

    func text(_ name: String) -> String? {
        if case .string(let text)? = values[name] { text } else { nil }
    }

    func number(_ name: String) -> Int64? {
        if case .number(let text)? = values[name] { Int64(text) } else { nil }
    }

    func flag(_ name: String) -> Bool { values[name] == .bool(true) }

    /// Milliseconds with decimals.
    func time(_ name: String) -> Duration? {
        guard case .number(let text)? = values[name] else { return nil }
        return ScalarText.duration(text + "ms")
    }

    private func require<Value>(
        _ name: String, _ value: Value?
    ) throws(JournalReader.Failure) -> Value {
        guard let value else {
            throw JournalReader.Failure(
                line: line, sentence: "an exchange has no '\(name)', or a wrong one")
        }
        return value
    }

    func record() throws(JournalReader.Failure) -> ExchangeRecord {
        let word = text("operation").flatMap { Operation(rawValue: $0) }
        var record = ExchangeRecord(
            ordinal: Int(try require("ordinal", number("ordinal"))),
            connection: Int(try require("connection", number("connection"))),
            operation: try require("operation", word), method: text("method") ?? "",
            target: text("target") ?? "", start: try require("start", time("start")))
        record.ending = try require(
            "ending", text("ending").flatMap { ExchangeRecord.Ending(rawValue: $0) })
        record.end = time("end")
        record.isReused = flag("reused")
        record.bucket = text("bucket")
        record.path = text("path")
        record.session = number("session").map { Int($0) }
        record.transfer = number("transfer").map { Int($0) }
        record.hasCredentials = flag("credentials")
        record.status = number("status").map { Int($0) }
        record.resendOf = number("resendOf").map { Int($0) }
        fillBytes(&record)
        if case .array(let faults)? = values["faults"] {
            for fault in faults { record.faults.append(try self.fault(fault)) }
        }
        return record
    }

    private func fillBytes(_ record: inout ExchangeRecord) {
        record.offset = number("offset")
        record.length = number("length")
        record.declaredSize = number("declaredSize")
        record.reported = number("reported")
        record.received = number("received") ?? 0
        record.committed = number("committed") ?? 0
        record.sent = number("sent") ?? 0
    }

    private func fault(_ value: JSONValue) throws(JournalReader.Failure) -> FiredFault {
        guard case .object(let members) = value else {
            return try require("faults", nil)
        }
        let fields = Fields(line: line, members)
        var fault = FiredFault(
            rule: Int(try require("fault", fields.number("fault"))),
            name: try require("name", fields.text("name")), time: fields.time("time") ?? .zero,
            ordinal: Int(fields.number("ordinal") ?? 1))
        if case .array(let delays)? = fields["delays"] {
            fault.delays = delays.compactMap {
                $0.scalarText.flatMap { ScalarText.duration($0 + "ms") }
            }
        }
        return fault
    }
}
