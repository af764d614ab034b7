/// Bytes of a known length that can be read at any offset, as often as wanted.
package protocol ByteSource: Sendable {
    /// The length in bytes; 0 or more.
    var count: Int64 { get }

    /// Copies bytes from `offset` on; returns how many, which is all that fit or all that are left.
    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int
}

extension ByteSource {
    /// The bytes of a range as an array: for small ranges.
    package func bytes(in range: Range<Int64>) -> [UInt8] {
        let length = Int(range.upperBound - range.lowerBound)
        // All empty arrays are one object, and its count would be written.
        guard length > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            filled = copy(from: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// All bytes as an array: for small sources.
    package var allBytes: [UInt8] { bytes(in: 0..<count) }
}

/// Bytes in memory.
package struct ByteArraySource: ByteSource, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var count: Int64 { Int64(bytes.count) }

    package func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = min(buffer.count, bytes.count - Int(offset))
        guard length > 0 else { return 0 }
        bytes.withUnsafeBytes { all in
            let part = UnsafeRawBufferPointer(rebasing: all[Int(offset)..<Int(offset) + length])
            buffer.copyMemory(from: part)
        }
        return length
    }
}

/// A part of another source.
package struct SliceSource: ByteSource {
    private let base: any ByteSource
    private let start: Int64
    package let count: Int64

    /// - Parameter range: inside `0..<base.count`.
    package init(_ base: any ByteSource, _ range: Range<Int64>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= base.count)
        self.base = base
        start = range.lowerBound
        count = range.upperBound - range.lowerBound
    }

    package func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = min(Int64(buffer.count), count - offset)
        guard length > 0 else { return 0 }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(length)])
        return base.copy(from: start + offset, into: part)
    }
}
