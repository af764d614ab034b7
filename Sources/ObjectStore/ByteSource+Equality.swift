import Glibc
package import StorageModel

extension ByteSource {
    /// True when the bytes stand in this content from `offset` on.
    package func holds(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        guard offset >= 0, offset + Int64(bytes.count) <= count else { return false }
        var position = 0
        return withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { block in
            while position < bytes.count {
                let size = min(block.count, bytes.count - position)
                let part = UnsafeMutableRawBufferPointer(rebasing: block[..<size])
                guard copy(from: offset + Int64(position), into: part) == size,
                    let ours = part.baseAddress, let theirs = bytes.baseAddress,
                    memcmp(ours, theirs + position, size) == 0
                else { return false }
                position += size
            }
            return true
        }
    }

    /// The offset of the first byte that differs, or where the shorter one ends; nil for equal
    /// contents. Content that was checked as it came (`keep: verify`) is not read again.
    package func firstDifference(from other: any ByteSource) -> Int64? {
        if count == other.count, isSamePart(as: other) { return nil }
        let shared = min(count, other.count)
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { block.deallocate() }
        var offset: Int64 = 0
        while offset < shared {
            let size = Int(min(Int64(block.count), shared - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: block[..<size])
            let copied = UnsafeRawBufferPointer(rebasing: part[..<copy(from: offset, into: part)])
            guard copied.count == size, other.holds(copied, at: offset) else {
                return offset + Int64(other.firstUnequal(copied, at: offset))
            }
            offset += Int64(size)
        }
        return count == other.count ? nil : shared
    }

    private func firstUnequal(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        let ours = self.bytes(in: offset..<min(count, offset + Int64(bytes.count)))
        return zip(ours, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? ours.count
    }

    /// True where this is one piece that begins at the start of an interchangeable source.
    private func isSamePart(as other: any ByteSource) -> Bool {
        guard let pieces = self as? BodyPieces, pieces.pieces.count == 1,
            case .source(let source, at: 0) = pieces.pieces[0].origin
        else { return false }
        return source.isInterchangeable(with: other)
    }

    /// True for sources that surely read alike where both have bytes.
    func isInterchangeable(with other: any ByteSource) -> Bool {
        switch (self, other) {
        case (let one as SyntheticContent, let other as SyntheticContent): one.seed == other.seed
        case (is ZeroContent, is ZeroContent): true
        default: false
        }
    }
}
