import Glibc
import StorageModel

/// The object bytes of one request on their way in: nothing of it is part of anything until it is
/// committed to a session or made an object.
package final class StagedBody {
    /// The object byte at which it begins.
    package let start: Int64
    let declared: Int64?
    private(set) var pieces = BodyPieces()
    private(set) var digest: ContentDigest
    /// Contents that the whole object may turn out to be; what equals one of them takes no memory.
    private var expected: [any ByteSource]
    private var segment: Segment?
    private let meter: MemoryMeter
    private let sizeLimit: Int64
    /// Why later bytes are not taken; those before it stay.
    package private(set) var refusal: StoreError?

    init(
        start: Int64, declared: Int64?, digest: ContentDigest, expected: [any ByteSource],
        meter: MemoryMeter, sizeLimit: Int64
    ) {
        self.start = start
        self.declared = declared
        self.digest = digest
        self.expected = expected
        self.meter = meter
        self.sizeLimit = sizeLimit
    }

    /// Bytes taken.
    package var count: Int64 { pieces.count }

    /// Takes bytes, in the order of the object; after a refusal they are thrown away.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard refusal == nil, !bytes.isEmpty else { return }
        if start + count + Int64(bytes.count) > sizeLimit {
            refusal = .objectTooLarge(limit: sizeLimit)
            return
        }
        if !matchesExpected(bytes) { store(bytes) }
    }
}

extension StagedBody {
    private static let largestSegment: Int64 = 1 << 20
    private static let smallestSegment: Int64 = 4096

    /// True where the bytes are those of an expected content and were noted as such.
    private func matchesExpected(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let offset = start + count
        if expected.isEmpty { return false }
        expected.removeAll { !$0.holds(bytes, at: offset) }
        guard let source = expected.first else { return false }
        pieces.append(source, at: offset, count: Int64(bytes.count))
        digest.update(bytes)
        return true
    }

    private func store(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            guard let segment = roomySegment(for: rest.count) else {
                refusal = .outOfMemory(limit: meter.limit)
                return
            }
            let position = segment.used
            let size = segment.append(rest)
            digest.update(UnsafeRawBufferPointer(rebasing: rest[..<size]))
            pieces.append(segment, at: position, count: size)
            rest = UnsafeRawBufferPointer(rebasing: rest[size...])
        }
    }

    /// A segment with room; nil where the store's memory is used up.
    private func roomySegment(for size: Int) -> Segment? {
        if let segment, segment.used < segment.capacity { return segment }
        let left = declared.map { max($0 - count, Int64(size)) } ?? max(Int64(size), count)
        let capacity = min(max(left, Self.smallestSegment), Self.largestSegment)
        guard meter.used + capacity <= meter.limit else { return nil }
        let fresh = Segment(capacity: Int(capacity), meter: meter)
        segment = fresh
        return fresh
    }
}

extension ByteSource {
    /// True when the bytes stand in this content from `offset` on.
    fileprivate func holds(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        guard offset + Int64(bytes.count) <= count else { return false }
        var position = 0
        return withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 8) { block in
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
}
