import Glibc

/// Cuts a stream of bytes into lines, and refuses one that does not end.
struct LineBuffer {
    /// Bytes that a line may have.
    let limit: Int
    /// The bytes after the last end of line.
    private(set) var unfinished: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Takes bytes and hands out the lines that they complete, without their ends (LF or CRLF).
    ///
    /// - Returns: false when a line is too long; nothing can be read any more then.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ line: ([UInt8]) -> Void
    ) -> Bool {
        var start = 0
        while start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        {
            let end = UnsafeRawPointer(found) - base
            guard unfinished.count + (end - start) <= limit else { return false }
            unfinished.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            if unfinished.last == 0x0D { unfinished.removeLast() }
            let whole = unfinished
            unfinished.removeAll()
            start = end + 1
            line(whole)
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard unfinished.count + rest.count <= limit else { return false }
        unfinished.append(contentsOf: rest)
        return true
    }
}

extension LineBuffer {
    /// A line as messages quote it: at most 200 characters, control characters escaped.
    static func quoted(_ line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(800), as: UTF8.self)
        var quoted = ""
        for scalar in text.unicodeScalars.prefix(200) {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            quoted += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        let isWhole = line.count <= 800 && text.unicodeScalars.count <= 200
        return isWhole ? quoted : quoted + "... (\(line.count) bytes)"
    }
}
