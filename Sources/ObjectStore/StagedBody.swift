import StorageModel

/// The object bytes of one request on their way in: nothing of it is part of anything until it is
/// committed to a session or made an object.
package final class StagedBody {
    /// The object byte at which it begins.
    package let start: Int64
    private(set) var pieces = BodyPieces()
    /// Of everything up to the end of this body; nil where nobody had the sums of what is before it.
    private(set) var digest: ContentDigest?
    /// Why later bytes are not taken; those before it stay.
    package private(set) var refusal: StoreError?

    private let declared: Int64?
    /// Contents that the whole object may turn out to be; what equals one of them takes no memory.
    private var expected: [any ByteSource]
    private var segment: Segment?
    private let meter: MemoryMeter
    private let sizeLimit: Int64
    /// Frees memory; true where there is now room for so many bytes.
    private let makeRoom: (Int64) -> Bool

    init(
        start: Int64, declared: Int64?, digest: ContentDigest?, expected: [any ByteSource],
        meter: MemoryMeter, sizeLimit: Int64, makeRoom: @escaping (Int64) -> Bool
    ) {
        self.start = start
        self.declared = declared
        self.digest = digest
        self.expected = expected
        self.meter = meter
        self.sizeLimit = sizeLimit
        self.makeRoom = makeRoom
    }

    /// Bytes taken.
    package var count: Int64 { pieces.count }

    /// The sums of everything up to its end; `.none` where they are not known yet.
    package var sums: ContentDigest.Sums { digest?.sums ?? .none }

    /// Takes bytes, in the order of the object; after a refusal they are thrown away.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard refusal == nil, !bytes.isEmpty else { return }
        if start + count + Int64(bytes.count) > sizeLimit {
            refusal = .objectTooLarge(limit: sizeLimit)
        } else if !takeAsExpected(bytes) {
            store(bytes)
        }
    }
}

extension StagedBody {
    private static let largestSegment: Int64 = 1 << 20
    private static let smallestSegment: Int64 = 4096

    /// True where the bytes are those of an expected content and were noted as such.
    private func takeAsExpected(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let offset = start + count
        expected.removeAll { !$0.holds(bytes, at: offset) }
        guard let source = expected.first else { return false }
        pieces.append(source, at: offset, count: Int64(bytes.count))
        digest?.update(bytes)
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
            digest?.update(UnsafeRawBufferPointer(rebasing: rest[..<size]))
            pieces.append(segment, at: position, count: size)
            rest = UnsafeRawBufferPointer(rebasing: rest[size...])
        }
    }

    /// A segment with room; nil where the store's memory is used up.
    private func roomySegment(for size: Int) -> Segment? {
        if let segment, segment.used < segment.capacity { return segment }
        let wanted = declared.map { max($0 - count, Int64(size)) } ?? max(Int64(size), count)
        let least = declared == nil ? Self.smallestSegment : 1
        let capacity = min(max(wanted, least), Self.largestSegment)
        if meter.used + capacity > meter.limit, !makeRoom(capacity) { return nil }
        let fresh = Segment(capacity: Int(capacity), meter: meter)
        segment = fresh
        return fresh
    }
}
