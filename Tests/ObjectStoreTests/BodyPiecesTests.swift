import StorageModel
import Testing

@testable import ObjectStore

@Suite("Bodies in pieces")
struct BodyPiecesTests {
    @Test("Read as one content at every offset, after 200 seeded sequences of changes")
    func readsAsOne() {
        var random = SplitMix64(seed: 11)
        let meter = MemoryMeter(limit: .max)
        for _ in 0..<200 {
            var pieces = BodyPieces()
            var model: [UInt8] = []
            for _ in 0..<(random.next() % 12) {
                let size = Int(random.next() % 50)
                switch random.next() % 5 {
                case 0:
                    pieces.appendZeros(Int64(size))
                    model += [UInt8](repeating: 0, count: size)
                case 1:
                    let at = Int64(random.next() % 40)
                    let source = SyntheticContent(size: 100, seed: random.next() % 2)
                    pieces.append(source, at: at, count: Int64(size))
                    model += source.bytes(in: at..<at + Int64(size))
                case 2:
                    let keep = Int(random.next() % UInt64(model.count + 1))
                    pieces.truncate(to: Int64(keep))
                    model = Array(model[..<keep])
                case 3 where size > 0:
                    let segment = Segment(capacity: size, meter: meter)
                    let bytes = sample(size, seed: random.next())
                    let half = size / 2
                    _ = bytes[..<half].withUnsafeBytes { segment.append($0) }
                    pieces.append(segment, at: 0, count: half)
                    _ = bytes[half...].withUnsafeBytes { segment.append($0) }
                    pieces.append(segment, at: half, count: size - half)
                    model += bytes
                default:
                    let first = Int(random.next() % UInt64(model.count + 1))
                    let end = first + Int(random.next() % UInt64(model.count - first + 1))
                    let copy = pieces
                    pieces.append(copy, Int64(first)..<Int64(end))
                    model += model[first..<end]
                }
            }
            #expect(pieces.count == Int64(model.count))
            #expect(pieces.allBytes == model)
            let start = Int(random.next() % UInt64(model.count + 1))
            #expect(pieces.bytes(in: Int64(start)..<pieces.count) == Array(model[start...]))
            #expect(pieces.holds([1], at: pieces.count) == false)
            #expect(pieces.firstDifference(from: ByteArraySource(model)) == nil)
        }
        #expect(meter.used == 0)
    }

    @Test("Pieces that go on where the last one ended are one piece")
    func merges() {
        var pieces = BodyPieces()
        let source = SyntheticContent(size: 100, seed: 1)
        pieces.append(source, at: 0, count: 40)
        pieces.append(source, at: 40, count: 60)
        #expect(pieces.pieces.count == 1)
        pieces.append(source, at: 0, count: 5)
        #expect(pieces.pieces.count == 2)
    }
}

extension BodyPieces {
    fileprivate func holds(_ bytes: [UInt8], at offset: Int64) -> Bool {
        bytes.withUnsafeBytes { holds($0, at: offset) }
    }
}
