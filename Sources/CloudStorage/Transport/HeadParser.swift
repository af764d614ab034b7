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
        var end = bytes.endIndex
        while end > 0, bytes[end - 1] == 10 || bytes[end - 1] == 13 { end -= 1 }
        let line = bytes[..<end]
        if line.starts(with: "HTTP/".utf8) {
            isBegun = true
            let status = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
            head = ResponseHead(status: Int(Self.text(status)) ?? 0)
        } else if line.isEmpty {
            guard head.status >= 200 else { return nil }
            isComplete = true
            return head
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            head.headers.add(
                Self.text(line[..<colon]), Self.text(Self.trimmed(line[(colon + 1)...])))
        }
        return nil
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 9 }
        while let last = bytes.last, last == 0x20 || last == 9 { bytes = bytes.dropLast() }
        return bytes
    }
}
