/// Percent-encoding of path segments and query values. Source: RFC 3986 section 2.
package enum PercentEncoding {
    /// Decodes escapes; one that is malformed stays as it is, invalid UTF-8 is repaired.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var out: [UInt8] = []
        let bytes = Array(text.utf8)
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = nibble(bytes[index + 1]), let low = nibble(bytes[index + 2])
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Escapes everything but letters, digits and `-._~`, so that the result is one path segment.
    package static func encodeSegment(_ text: String, keeping extra: String = "") -> String {
        let kept = Set("-._~".utf8).union(extra.utf8)
        var out: [UInt8] = []
        for byte in text.utf8 {
            if isAlphanumeric(byte) || kept.contains(byte) {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static let hex = Array("0123456789ABCDEF".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
