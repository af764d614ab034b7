internal import Foundation

/// The part of a stream that is held: bytes are added at its end and dropped at its start.
struct ByteWindow {
    /// Offset of the first byte that is held.
    private(set) var start: Int64 = 0
    private(set) var end: Int64 = 0
    /// In order, the first one beginning at or before `start`.
    private var pieces: [(start: Int64, bytes: Data)] = []

    /// Pieces smaller than this are put together, so that their number stays small.
    private static let smallPiece = 65_536
    private static let joinedPiece = 262_144

    mutating func append(_ piece: Data) {
        guard !piece.isEmpty else { return }
        if piece.count < Self.smallPiece, let last = pieces.last,
            last.bytes.count + piece.count <= Self.joinedPiece
        {
            pieces[pieces.count - 1].bytes.append(piece)
        } else {
            pieces.append((end, piece))
        }
        end += Int64(piece.count)
    }

    /// Drops what is before `offset`, as far as it is there.
    mutating func drop(before offset: Int64) {
        guard offset > start else { return }
        start = min(offset, end)
        let gone = pieces.prefix { $0.start + Int64($0.bytes.count) <= start }.count
        pieces.removeFirst(gone)
    }

    /// Copies from `offset` on; returns how many bytes, fewer only at the end, or nil where they are
    /// not held.
    func copy(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard offset >= start, offset <= end else { return nil }
        var done = 0
        for piece in pieces where piece.start + Int64(piece.bytes.count) > offset {
            let skipped = Int(max(0, offset - piece.start))
            let count = min(buffer.count - done, piece.bytes.count - skipped)
            guard count > 0 else { break }
            let from = piece.bytes.startIndex + skipped
            piece.bytes.copyBytes(
                to: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count]),
                from: from..<from + count)
            done += count
        }
        return done
    }
}
