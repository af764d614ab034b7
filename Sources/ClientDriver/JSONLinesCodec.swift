/// The driver protocol as lines of JSON; `Conformance/PROTOCOL.md` is its page.
///
/// Pure: text in, values out. A message is one line; what is read must be exactly what the page
/// allows, so that a typing mistake in an adapter shows at once and not as a strange verdict.
package enum JSONLinesCodec {
    // MARK: What Squall sends

    /// One line without its end.
    package static func line(_ message: CommandMessage) -> String {
        text(value(message))
    }

    package static func command(_ line: [UInt8]) throws(MessageError) -> CommandMessage {
        try command(parse(line))
    }

    // MARK: What a client sends

    /// One line without its end.
    package static func line(_ message: ReportMessage) -> String {
        text(value(message))
    }

    package static func report(_ line: [UInt8]) throws(MessageError) -> ReportMessage {
        try report(parse(line))
    }

    static func parse(_ line: [UInt8]) throws(MessageError) -> MessageValue {
        guard let value = MessageValue(parsing: line) else {
            throw MessageError(problem: "is not JSON")
        }
        return value
    }

    private static func text(_ members: [String: MessageValue?]) -> String {
        guard let line = MessageValue.object(members.compactMapValues { $0 }).line else {
            preconditionFailure("a message holds a number that JSON cannot say")
        }
        return line
    }

    // MARK: Small parts that both directions share

    static func id(_ fields: MessageFields, _ name: String = "id") throws(MessageError) -> Int {
        Int(try fields.integer(name))
    }

    static func object(_ members: [String: MessageValue?]) -> MessageValue {
        .object(members.compactMapValues { $0 })
    }

    static func texts(_ texts: [String: String]) -> MessageValue {
        .object(texts.mapValues(MessageValue.string))
    }

    static func milliseconds(_ duration: Duration) -> MessageValue {
        .integer(duration.wholeMilliseconds)
    }
}

extension Duration {
    /// Rounded up, so that a limit that is not zero stays one.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

extension JSONLinesCodec {
    /// A command that a person typed: its id may be missing.
    package static func typedCommand(_ line: [UInt8]) throws(MessageError) -> CommandMessage {
        guard case .object(var members) = try parse(line) else { return try command(line) }
        if members["id"] == nil { members["id"] = .integer(0) }
        return try command(.object(members))
    }
}
