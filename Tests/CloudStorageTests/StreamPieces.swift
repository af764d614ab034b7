import EventLoop
import Foundation

/// Bytes in pieces of one size, which may end with an error; counts what is asked of it.
struct StreamPieces: AsyncSequence, Sendable {
    struct Broken: Error, Hashable { let text: String }

    struct Counts: Sendable {
        var iterators = 0
        var pieces = 0
    }

    let bytes: [UInt8]
    let pieceSize: Int
    /// Bytes after which it throws.
    var breaksAt: Int?
    let counts = Lock(Counts())

    struct Iterator: AsyncIteratorProtocol {
        let pieces: StreamPieces
        var offset = 0

        mutating func next() async throws -> Data? {
            pieces.counts.withLock { $0.pieces += 1 }
            if let place = pieces.breaksAt, offset >= place { throw Broken(text: "no more") }
            let end = Swift.min(offset + pieces.pieceSize, pieces.bytes.count)
            guard offset < end else { return nil }
            defer { offset = end }
            return Data(pieces.bytes[offset..<end])
        }
    }

    func makeAsyncIterator() -> Iterator {
        counts.withLock { $0.iterators += 1 }
        return Iterator(pieces: self)
    }
}
