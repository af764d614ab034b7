import EventLoop
import Foundation
import StorageModel

/// A stream of a scenario: bytes in pieces, with pauses at some places.
struct GappedPieces: AsyncSequence, Sendable {
    struct Gap: Sendable {
        let at: Int64
        let length: Duration
    }

    let source: any ByteSource
    /// In the order of their places.
    let gaps: [Gap]
    let loop: EventLoop

    private static let pieceSize: Int64 = 65_536

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let pieces: GappedPieces
        private var offset: Int64 = 0
        private var gaps: ArraySlice<Gap>

        fileprivate init(_ pieces: GappedPieces) {
            self.pieces = pieces
            gaps = pieces.gaps[...]
        }

        mutating func next() async -> Data? {
            while let gap = gaps.first, gap.at <= offset {
                gaps = gaps.dropFirst()
                // Cut short when nobody waits for the bytes any more.
                guard await pieces.loop.sleep(for: gap.length) else { return nil }
            }
            let stop = gaps.first?.at ?? pieces.source.count
            let end = Swift.min(offset + GappedPieces.pieceSize, stop, pieces.source.count)
            guard offset < end else { return nil }
            defer { offset = end }
            return Data(pieces.source.bytes(in: offset..<end))
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
