import StorageModel

/// The text of a file, checked to be text, with its lines for messages.
struct SourceText: Sendable {
    /// Larger files are refused: 1 MiB.
    static let limit = 1 << 20

    let file: String
    /// UTF-8 without a byte order mark.
    let bytes: [UInt8]
    /// As libyaml counts them, without their ends.
    let lines: [String]

    /// Reads the bytes of a file.
    ///
    /// - Throws: the `Diagnostic` for a file that is too large, binary or not UTF-8.
    init(bytes: [UInt8], file: String) throws(Diagnostic) {
        guard bytes.count <= Self.limit else { throw Self.tooLarge(file) }
        self.file = file
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
        lines = try Self.lines(of: self.bytes, file)
    }

    static func tooLarge(_ file: String) -> Diagnostic {
        Diagnostic(
            place: SourcePlace(file: file, line: 1, column: 1),
            message: "the file is larger than 1 MiB")
    }

    /// The line with this number (from 1), or nil behind the end.
    func line(_ number: Int) -> String? {
        lines.indices.contains(number - 1) ? lines[number - 1] : nil
    }

    /// The character at a place, or nil at the end of its line.
    func character(at place: SourcePlace) -> Character? {
        guard let line = line(place.line) else { return nil }
        return line.unicodeScalars.dropFirst(place.column - 1).first.map(Character.init)
    }

    /// The text of a place's line from the place on.
    func rest(from place: SourcePlace) -> Substring.UnicodeScalarView {
        let line = line(place.line) ?? ""
        return Substring(line).unicodeScalars.dropFirst(max(place.column - 1, 0))
    }

    private static func lines(of bytes: [UInt8], _ file: String) throws(Diagnostic) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var wasReturn = false
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .emptyInput: break decoding
            case .scalarValue(let scalar):
                let isSecondOfTwo = scalar == "\n" && wasReturn
                wasReturn = scalar == "\r"
                if isSecondOfTwo { continue }
                if isBreak(scalar) {
                    lines.append(String(line))
                    line = String.UnicodeScalarView()
                    continue
                }
                guard isAllowed(scalar) else {
                    throw refusal(file, lines.count, line.count, unallowed(scalar))
                }
                line.append(scalar)
            case .error:
                throw refusal(
                    file, lines.count, line.count, "the file is not text in UTF-8")
            }
        }
        if !line.isEmpty { lines.append(String(line)) }
        return lines
    }

    private static func refusal(
        _ file: String, _ lines: Int, _ columns: Int, _ message: String
    ) -> Diagnostic {
        Diagnostic(
            place: SourcePlace(file: file, line: lines + 1, column: columns + 1), message: message)
    }

    private static func unallowed(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\0" { return "the file is binary: it has a zero byte here" }
        return "the character U+\(hexadecimal(scalar.value)) is not allowed in YAML"
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Source: YAML 1.1 section 4.2, which libyaml follows.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// Source: YAML 1.2.2 section 5.1.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x20...0x7E, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
