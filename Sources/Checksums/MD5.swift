import CNettle

/// MD5 over bytes that come in pieces. A copy of a value goes its own way from there.
///
/// Source: RFC 1321.
package struct MD5: Sendable {
    private var context = md5_ctx()

    package init() { nettle_md5_init(&context) }

    /// Adds bytes; an empty buffer changes nothing.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        nettle_md5_update(&context, bytes.count, start)
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The 16 bytes of the digest of everything so far; more may be added afterwards.
    package var digest: [UInt8] {
        var copy = context
        return [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            nettle_md5_digest(&copy, 16, buffer.baseAddress)
            count = 16
        }
    }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = MD5()
        hash.update(bytes)
        return hash.digest
    }
}
