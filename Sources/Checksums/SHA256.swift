import CNettle

/// SHA-256 over bytes that come in pieces. A copy of a value goes its own way from there.
///
/// Source: FIPS 180-4 section 6.2.
package struct SHA256: Sendable {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    /// Adds bytes; an empty buffer changes nothing.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        nettle_sha256_update(&context, bytes.count, start)
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The 32 bytes of the digest of everything so far; more may be added afterwards.
    package var digest: [UInt8] {
        var copy = context
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            nettle_sha256_digest(&copy, 32, buffer.baseAddress)
            count = 32
        }
    }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest
    }
}
