import CISAL

/// CRC-32C (Castagnoli) over bytes that come in pieces.
///
/// Source: RFC 3720 appendix B.4.
package struct CRC32C: Hashable, Sendable {
    /// The checksum of everything so far; 0 for no bytes.
    package private(set) var value: UInt32

    /// - Parameter earlier: the checksum of the bytes that come before those to be added.
    package init(continuing earlier: UInt32 = 0) { value = earlier }

    /// Adds bytes; an empty buffer changes nothing.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        // The library counts in a C int, and takes and returns the register without the final
        // complement. It only reads, although its parameter is not const.
        let piece = 1 << 30
        var offset = 0
        while offset < bytes.count {
            let length = min(piece, bytes.count - offset)
            let position = UnsafeMutablePointer(mutating: start + offset)
            value = ~crc32_iscsi(position, CInt(length), ~value)
            offset += length
        }
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The four bytes of the checksum, highest first: the form that the wire carries as Base64.
    package var digest: [UInt8] { Self.bigEndianBytes(of: value) }

    package static func value(of bytes: [UInt8]) -> UInt32 {
        var sum = CRC32C()
        sum.update(bytes)
        return sum.value
    }

    package static func bigEndianBytes(of value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The Base64 of the big-endian bytes, as in `x-goog-hash: crc32c=`; `AAAAAA==` for 0.
    package static func base64(of value: UInt32) -> String {
        Base64.encode(bigEndianBytes(of: value))
    }

    /// Reads what `base64(of:)` writes; nil for anything but four bytes.
    package static func value(ofBase64 text: some StringProtocol) -> UInt32? {
        guard let bytes = Base64.decode(text), bytes.count == 4 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
