import Checksums
package import StorageModel

/// MD5 and CRC-32C of a content, computed as the bytes come.
///
/// A value: a copy is a checkpoint to which one can go back.
package struct ContentDigest: Sendable {
    /// The sums of one content.
    package struct Sums: Hashable, Sendable {
        /// 16 bytes; empty where the content is too large to be summed.
        package var md5: [UInt8]
        package var crc32c: UInt32

        /// For content whose sums nobody computes.
        package static let none = Sums(md5: [], crc32c: 0)
    }

    /// Bytes taken so far.
    package private(set) var count: Int64 = 0
    private var md5 = MD5()
    private var crc = CRC32C()

    package init() {}

    /// The digest of a whole content.
    package init(of source: any ByteSource) {
        self.init()
        advance(over: source, to: source.count)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += Int64(bytes.count)
        md5.update(bytes)
        crc.update(bytes)
    }

    /// Takes the bytes of a content from where this digest stands.
    mutating func advance(over source: any ByteSource, to end: Int64) {
        guard count < end else { return }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { block.deallocate() }
        while count < end {
            let size = Int(min(Int64(block.count), end - count))
            let part = UnsafeMutableRawBufferPointer(rebasing: block[..<size])
            let copied = source.copy(from: count, into: part)
            guard copied > 0 else { return }
            update(UnsafeRawBufferPointer(rebasing: part[..<copied]))
        }
    }

    /// The sums of what was taken so far.
    package var sums: Sums { Sums(md5: md5.digest, crc32c: crc.value) }
}
