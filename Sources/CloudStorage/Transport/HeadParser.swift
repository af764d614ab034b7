internal import StorageModel

/// Reads the head lines that libcurl hands over one at a time. Heads of interim answers (1xx) and the
/// trailers behind a body are dropped.
struct HeadParser {
    private var head = ResponseHead(status: 0)
    private(set) var isBegun = false
    private(set) var isComplete = false

    /// Takes one line with its line end; returns the final answer's head with its last line.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> ResponseHead? {
        guard !isComplete else { return nil }
        var line = Substring(String(decoding: bytes, as: UTF8.self)).utf8
        while let last = line.last, last == 10 || last == 13 { line = line.dropLast() }
        if line.starts(with: "HTTP/".utf8) {
            isBegun = true
            let status = line.split(separator: 0x20).dropFirst().first
            head = ResponseHead(status: status.flatMap { Int(Substring($0)) } ?? 0)
        } else if line.isEmpty {
            guard head.status >= 200 else { return nil }
            isComplete = true
            return head
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let value = line[line.index(after: colon)...]
            head.headers.add(String(Substring(line[..<colon])), Self.trimmed(value))
        }
        return nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        var text = text
        while let first = text.first, first == 0x20 || first == 9 { text = text.dropFirst() }
        while let last = text.last, last == 0x20 || last == 9 { text = text.dropLast() }
        return String(Substring(text))
    }
}
