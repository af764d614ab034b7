/// Content that is a function of (seed, offset): of any size, seekable, and no memory is held for it.
///
/// Byte `n` is byte `n % 8`, lowest first, of the SplitMix64 output for word `n / 8` of the seed's
/// stream. Equal seeds give equal bytes at equal offsets, whatever the sizes.
package struct SyntheticContent: ByteSource, Hashable {
    package let count: Int64
    package let seed: UInt64

    /// - Parameters:
    ///   - size: length in bytes; 0 or more.
    ///   - seed: any number; other seeds give other bytes.
    package init(size: Int64, seed: UInt64) {
        precondition(size >= 0)
        count = size
        self.seed = seed
    }

    package func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = Int(min(Int64(buffer.count), count - offset))
        guard length > 0 else { return 0 }
        var position = 0
        var word = UInt64(offset) / 8
        let skipped = Int(offset % 8)
        if skipped > 0 {
            position = copyPart(of: word, from: skipped, to: buffer, at: 0, limit: length)
            word += 1
        }
        while position + 8 <= length {
            buffer.storeBytes(
                of: value(of: word).littleEndian, toByteOffset: position, as: UInt64.self)
            position += 8
            word += 1
        }
        if position < length {
            position += copyPart(of: word, from: 0, to: buffer, at: position, limit: length)
        }
        return position
    }

    /// True when `bytes` stand in this content from `offset` on.
    package func matches(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        guard offset >= 0, offset + Int64(bytes.count) <= count else { return false }
        var position = 0
        return withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 8) { block in
            while position < bytes.count {
                let size = min(block.count, bytes.count - position)
                let part = UnsafeMutableRawBufferPointer(rebasing: block[..<size])
                guard copy(from: offset + Int64(position), into: part) == size else { return false }
                let given = UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
                guard given.elementsEqual(part) else { return false }
                position += size
            }
            return true
        }
    }

    private func value(of word: UInt64) -> UInt64 {
        SplitMix64.mix(seed &* 0xD6E8_FEB8_6659_FD93 &+ (word &+ 1) &* SplitMix64.increment)
    }

    private func copyPart(
        of word: UInt64, from first: Int, to buffer: UnsafeMutableRawBufferPointer, at start: Int,
        limit: Int
    ) -> Int {
        let value = value(of: word)
        var copied = 0
        for index in first..<8 where start + copied < limit {
            buffer[start + copied] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
            copied += 1
        }
        return copied
    }
}

/// Zero bytes.
package struct ZeroContent: ByteSource, Hashable {
    package let count: Int64

    /// - Parameter size: length in bytes; 0 or more.
    package init(size: Int64) {
        precondition(size >= 0)
        count = size
    }

    package func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = Int(min(Int64(buffer.count), count - offset))
        guard length > 0 else { return 0 }
        buffer[..<length].initializeMemory(as: UInt8.self, repeating: 0)
        return length
    }
}
