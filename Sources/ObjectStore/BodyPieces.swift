import Glibc
import StorageModel

/// Memory that is written once, from its start on; what was written never changes.
///
/// `@unchecked Sendable`: only its one writer appends, and readers are given ranges that were
/// written before.
final class Segment: @unchecked Sendable {
    let bytes: UnsafeMutableRawPointer
    let capacity: Int
    private(set) var used = 0
    private let meter: MemoryMeter

    init(capacity: Int, meter: MemoryMeter) {
        bytes = .allocate(byteCount: capacity, alignment: 64)
        self.capacity = capacity
        self.meter = meter
        meter.add(Int64(capacity))
    }

    deinit {
        bytes.deallocate()
        meter.add(-Int64(capacity))
    }

    /// Copies as much as fits; returns how many bytes.
    func append(_ more: UnsafeRawBufferPointer) -> Int {
        let size = min(more.count, capacity - used)
        if size > 0, let source = more.baseAddress { memcpy(bytes + used, source, size) }
        used += size
        return size
    }
}

/// A row of pieces that read as one content: segments, parts of other sources, zeros.
struct BodyPieces: ByteSource {
    struct Piece: Sendable {
        enum Origin: Sendable {
            case segment(Segment, at: Int)
            case source(any ByteSource, at: Int64)
        }

        var origin: Origin
        /// Where it begins in the whole.
        var start: Int64
        var count: Int64
    }

    private(set) var pieces: [Piece] = []
    private(set) var count: Int64 = 0

    init() {}

    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        var done = 0
        var index = piece(at: offset)
        while done < buffer.count, index < pieces.count {
            let piece = pieces[index]
            let inside = offset + Int64(done) - piece.start
            let size = Int(min(Int64(buffer.count - done), piece.count - inside))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + size])
            switch piece.origin {
            case .segment(let segment, let at):
                let from = UnsafeRawPointer(segment.bytes + at + Int(inside))
                part.copyMemory(from: UnsafeRawBufferPointer(start: from, count: size))
            case .source(let source, let at):
                let copied = source.copy(from: at + inside, into: part)
                if copied < size { return done + copied }
            }
            done += size
            index += 1
        }
        return done
    }

    /// Appends bytes that were just written at the end of a segment.
    mutating func append(_ segment: Segment, at position: Int, count size: Int) {
        guard size > 0 else { return }
        if let last = pieces.last, case .segment(let same, let at) = last.origin,
            same === segment, at + Int(last.count) == position
        {
            pieces[pieces.count - 1].count += Int64(size)
        } else {
            add(.segment(segment, at: position), Int64(size))
            return
        }
        count += Int64(size)
    }

    /// Appends a part of a source.
    mutating func append(_ source: any ByteSource, at position: Int64, count size: Int64) {
        guard size > 0 else { return }
        add(.source(source, at: position), size)
    }

    /// Appends the first bytes of other pieces; no byte is copied.
    mutating func append(_ other: BodyPieces, first limit: Int64) {
        for piece in other.pieces where piece.start < limit {
            add(piece.origin, min(piece.count, limit - piece.start))
        }
    }

    /// Drops everything from a length on.
    mutating func truncate(to length: Int64) {
        while let last = pieces.last, last.start >= length { pieces.removeLast() }
        if let last = pieces.last, last.start + last.count > length {
            pieces[pieces.count - 1].count = length - last.start
        }
        count = min(count, length)
    }

    private mutating func add(_ origin: Piece.Origin, _ size: Int64) {
        pieces.append(Piece(origin: origin, start: count, count: size))
        count += size
    }

    /// The piece that holds an offset below `count`.
    private func piece(at offset: Int64) -> Int {
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if pieces[middle].start <= offset { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
