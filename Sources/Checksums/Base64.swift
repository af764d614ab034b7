/// Base64 with the standard alphabet and padding. Source: RFC 4648 section 4.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 1
            guard pending == 3 else { continue }
            append(bits, characters: 4, to: &text)
            (bits, pending) = (0, 0)
        }
        if pending > 0 {
            append(bits << UInt32(8 * (3 - pending)), characters: pending + 1, to: &text)
            text += [UInt8](repeating: padding, count: 3 - pending)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil for text that `encode` would not have written: another alphabet, spaces,
    /// missing padding, or bits that are not zero behind the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let digits = characters.prefix { $0 != padding }
        let missing = characters.count - digits.count
        guard missing <= 2, characters[digits.count...].allSatisfy({ $0 == padding }) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        var known: UInt32 = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            known += 6
            guard known >= 8 else { continue }
            known -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> known))
            bits &= (1 << known) - 1
        }
        return bits == 0 ? bytes : nil
    }

    private static func append(_ bits: UInt32, characters: Int, to text: inout [UInt8]) {
        for index in 0..<characters {
            text.append(alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)])
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
