/// The words and signs of a text.
enum Tokens {
    /// Runs of letters, digits and what stands inside of names; each sign by itself; no blanks.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        for (index, byte) in bytes.enumerated() {
            if isWord(byte) {
                start = start ?? index
                continue
            }
            if let first = start { ranges.append(first..<index) }
            start = nil
            if byte > 0x20 { ranges.append(index..<(index + 1)) }
        }
        if let first = start { ranges.append(first..<bytes.count) }
        return ranges
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"): true
        default: false
        }
    }
}
