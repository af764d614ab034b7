import StorageModel

/// A row of pieces that read as one content: segments, parts of other sources, zeros.
struct BodyPieces: ByteSource {
    struct Piece: Sendable {
        enum Origin: Sendable {
            case segment(Segment, at: Int)
            case source(any ByteSource, at: Int64)

            func moved(by offset: Int64) -> Origin {
                switch self {
                case .segment(let segment, let at): .segment(segment, at: at + Int(offset))
                case .source(let source, let at): .source(source, at: at + offset)
                }
            }
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
            extendLast(by: Int64(size))
        } else {
            add(.segment(segment, at: position), Int64(size))
        }
    }

    /// Appends a part of a source.
    mutating func append(_ source: any ByteSource, at position: Int64, count size: Int64) {
        guard size > 0 else { return }
        if let last = pieces.last, case .source(let same, let at) = last.origin,
            at + last.count == position, same.isInterchangeable(with: source)
        {
            extendLast(by: size)
        } else {
            add(.source(source, at: position), size)
        }
    }

    /// Appends a range of other pieces; no byte is copied.
    mutating func append(_ other: BodyPieces, _ range: Range<Int64>) {
        for piece in other.pieces {
            let first = max(piece.start, range.lowerBound)
            let end = min(piece.start + piece.count, range.upperBound)
            guard first < end else { continue }
            add(piece.origin.moved(by: first - piece.start), end - first)
        }
    }

    /// Appends zeros, for which no memory is taken.
    mutating func appendZeros(_ size: Int64) {
        append(ZeroContent(size: max(0, size)), at: 0, count: size)
    }

    /// Drops everything from a length on.
    mutating func truncate(to length: Int64) {
        while let last = pieces.last, last.start >= length { pieces.removeLast() }
        if let last = pieces.last, last.start + last.count > length {
            pieces[pieces.count - 1].count = length - last.start
        }
        count = min(count, length)
    }

    private mutating func extendLast(by size: Int64) {
        pieces[pieces.count - 1].count += size
        count += size
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
