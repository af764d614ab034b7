package import StorageModel

// The lines of a file, without the tree of values between: there is one for every exchange.
extension JournalLine {
    /// Appends the line of one exchange, with its end: the bytes of `value(of:)`.
    package static func append(_ record: ExchangeRecord, to bytes: inout [UInt8]) {
        var line = LineWriter(bytes: bytes)
        bytes = []
        write(record, to: &line)
        bytes = line.end()
    }

    /// Members in alphabetical order.
    private static func write(_ record: ExchangeRecord, to line: inout LineWriter) {
        line.text("bucket", record.bucket)
        line.number("committed", record.committed)
        if !record.complaints.isEmpty {
            line.array("complaints", record.complaints) { $1.quote($0.name) }
        }
        line.number("connection", Int64(record.connection))
        line.word("credentials", record.hasCredentials ? "true" : "false")
        line.number("declaredSize", record.declaredSize)
        line.time("end", record.end)
        line.text("ending", record.ending.rawValue)
        if !record.faults.isEmpty {
            line.array("faults", record.faults) { $1.raw(value(of: $0).text) }
        }
        line.text("handshake", record.handshake)
        line.number("length", record.length)
        line.text("method", record.method)
        line.number("offset", record.offset)
        line.text("operation", record.operation.rawValue)
        line.number("ordinal", Int64(record.ordinal))
        if record.overlaps { line.word("overlaps", "true") }
        line.text("path", record.path)
        line.number("received", record.received)
        line.number("reported", record.reported)
        line.number("resendOf", record.resendOf.map(Int64.init))
        if record.isReused { line.word("reused", "true") }
        line.number("sent", record.sent)
        line.number("session", record.session.map(Int64.init))
        line.time("start", record.start)
        line.number("status", record.status.map(Int64.init))
        line.text("target", record.target)
        line.number("transfer", record.transfer.map(Int64.init))
    }
}

/// Writes one JSON object as UTF-8, member by member.
private struct LineWriter {
    private var bytes: [UInt8]
    private var isFirst = true

    /// - Parameter bytes: what the line is appended to.
    init(bytes: [UInt8]) { self.bytes = bytes }

    consuming func end() -> [UInt8] {
        if isFirst { bytes.append(UInt8(ascii: "{")) }
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func name(_ name: StaticString) {
        bytes.append(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ","))
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func word(_ name: StaticString, _ word: StaticString) {
        self.name(name)
        word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        quote(text)
    }

    mutating func number(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        self.name(name)
        decimal(number)
    }

    /// Milliseconds with three decimals.
    mutating func time(_ name: StaticString, _ time: Duration?) {
        guard let time else { return }
        self.name(name)
        let micros = time.nanoseconds / 1000
        decimal(micros / 1000)
        bytes.append(UInt8(ascii: "."))
        let fraction = String(1000 + micros % 1000).utf8.dropFirst()
        bytes.append(contentsOf: fraction)
    }

    mutating func array<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (Element, inout LineWriter) -> Void
    ) {
        self.name(name)
        var separator = UInt8(ascii: "[")
        for element in elements {
            bytes.append(separator)
            write(element, &self)
            separator = UInt8(ascii: ",")
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func decimal(_ number: Int64) {
        if (0..<10).contains(number) {
            bytes.append(UInt8(ascii: "0") + UInt8(number))
        } else {
            bytes.append(contentsOf: String(number).utf8)
        }
    }

    mutating func quote(_ text: String) {
        let needsEscape = text.utf8.contains {
            $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }
        guard !needsEscape else { return raw(JSONValue.string(text).text) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }
}
