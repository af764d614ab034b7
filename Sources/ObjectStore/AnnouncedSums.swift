/// Checksums that a client announces for the content it sends.
package struct AnnouncedSums: Hashable, Sendable {
    /// 16 bytes.
    package var md5: [UInt8]?
    package var crc32c: UInt32?

    package init(md5: [UInt8]? = nil, crc32c: UInt32? = nil) {
        self.md5 = md5
        self.crc32c = crc32c
    }

    /// What these do not say is taken from others.
    package func merging(_ others: AnnouncedSums) -> AnnouncedSums {
        AnnouncedSums(md5: md5 ?? others.md5, crc32c: crc32c ?? others.crc32c)
    }

    /// True unless a sum was announced and is another; unknown sums fit everything.
    package func fit(_ sums: ContentDigest.Sums) -> Bool {
        if sums == .none { return true }
        return (md5 == nil || md5 == sums.md5) && (crc32c == nil || crc32c == sums.crc32c)
    }
}
