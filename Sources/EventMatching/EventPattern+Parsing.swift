internal import StorageModel

extension SequencePattern where Atom == EventAtom {
    /// Reads the text form: `progress@262144`, `progress@>=50% x2..5`, `failure(a|b)`, `pause?`.
    package init(parsing text: String) throws(PatternError) {
        let (body, repetition) = try Quantifier.split(Array(text))
        let nameLength = body.prefix { $0.isLetter || $0 == "-" }.count
        guard !body.isEmpty else {
            throw PatternError(.empty, at: 0, "an event is missing: \(Self.names) would be right")
        }
        let kind = try Self.kind(String(body[..<nameLength]), whole: String(body))
        var scan = nameLength
        let bytes = try Self.bytes(body, &scan)
        let codes = try Self.codes(body, &scan, kind)
        guard scan == body.count else {
            let rest = String(body[scan...])
            throw PatternError(
                .unexpectedText, at: scan,
                "'\(rest)' is no part of an event pattern: @TEST, (CODE), ?, *, + or ' x2..5' is")
        }
        self = .atom(.event(EventCondition(kind, bytes: bytes, codes: codes)), repetition)
        if size > Self.limit { throw Quantifier.tooLarge(at: body.count) }
    }

    private static var names: String {
        TransferEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func kind(
        _ name: String, whole: String
    ) throws(PatternError) -> TransferEvent.Kind {
        if let kind = TransferEvent.Kind(rawValue: name) { return kind }
        let shown = name.isEmpty ? whole : name
        throw PatternError(
            .unknownName, at: 0, "unknown event '\(shown)': \(names) are known",
            suggestion: Spelling.nearest(
                to: name, among: TransferEvent.Kind.allCases.map(\.rawValue)))
    }

    private static func bytes(
        _ body: [Character], _ scan: inout Int
    ) throws(PatternError) -> NumberTest? {
        guard scan < body.count, body[scan] == "@" else { return nil }
        let start = scan + 1
        let end = body[start...].firstIndex(of: "(") ?? body.count
        let text = String(body[start..<end])
        guard let test = NumberTest(text, unit: .size) else {
            throw PatternError(
                .badNumber, at: start,
                "'\(text)' is no test on bytes: 262144, 256KiB, >=50% or 1MiB..2MiB would be right")
        }
        scan = end
        return test
    }

    private static func codes(
        _ body: [Character], _ scan: inout Int, _ kind: TransferEvent.Kind
    ) throws(PatternError) -> [ErrorCode] {
        guard scan < body.count, body[scan] == "(" else { return [] }
        guard kind == .failure else {
            throw PatternError(
                .misplaced, at: scan, "only a failure has codes, \(kind.rawValue) has none")
        }
        guard let end = body[scan...].firstIndex(of: ")") else {
            throw PatternError(.badCode, at: scan, "the '(' is never closed by ')'")
        }
        var codes: [ErrorCode] = []
        var start = scan + 1
        let parts = body[start..<end].split(separator: "|", omittingEmptySubsequences: false)
        for part in parts {
            codes.append(try code(String(part), at: start))
            start += part.count + 1
        }
        scan = end + 1
        return codes
    }

    private static func code(_ text: String, at offset: Int) throws(PatternError) -> ErrorCode {
        let name = text.filter { $0 != " " }
        if let code = ErrorCode(rawValue: name) { return code }
        let names = ErrorCode.allCases.map(\.rawValue)
        guard !name.isEmpty else {
            throw PatternError(
                .badCode, at: offset,
                "an error code is missing: one of \(names.joined(separator: ", "))")
        }
        throw PatternError(
            .badCode, at: offset + text.prefix { $0 == " " }.count,
            "unknown error code '\(name)': \(names.joined(separator: ", ")) are known",
            suggestion: Spelling.nearest(to: name, among: names))
    }
}
