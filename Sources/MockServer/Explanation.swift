import StorageModel

/// The field `X-Squall-Fault`, by which an answer says which faults have fired on its exchange so far.
enum Explanation {
    static let field = "X-Squall-Fault"

    /// Adds a field for each fault, and lets pages of another origin read them.
    static func add(
        _ faults: [FiredFault], of record: ExchangeRecord, to headers: inout HTTPHeaders
    ) {
        guard !faults.isEmpty else { return }
        for fault in faults { headers.add(field, text(fault, exchange: record.ordinal)) }
        let exposed = "Access-Control-Expose-Headers"
        if let names = headers[exposed] { headers[exposed] = "\(names), \(field)" }
    }

    /// `fault=1; exchange=3; ordinal=2; action="delay, disconnect"; name="slow"`
    private static func text(_ fault: FiredFault, exchange: Int) -> String {
        let actions = fault.actions.joined(separator: ", ")
        return "fault=\(fault.rule); exchange=\(exchange); ordinal=\(fault.ordinal); "
            + "action=\"\(actions)\"; name=\"\(safe(fault.name))\""
    }

    /// What a quoted text in a field can hold: anything else is escaped as in a URL.
    private static func safe(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "%"), 0..<0x20, 0x7F...:
                let digits = String(byte, radix: 16, uppercase: true)
                out += "%" + (digits.count < 2 ? "0" : "") + digits
            default: out.unicodeScalars.append(UnicodeScalar(byte))
            }
        }
        return out
    }
}
