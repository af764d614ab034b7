import Foundation
import StorageModel
import Testing

@testable import CloudStorage

@Suite("Window over a stream")
struct ByteWindowTests {
    private func read(_ window: ByteWindow, at offset: Int64, _ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let done = buffer.withUnsafeMutableBytes { window.copy(from: offset, into: $0) }
        return done.map { Array(buffer[..<$0]) }
    }

    @Test("Gives every byte that it holds, whatever pieces they came in", arguments: 1...20)
    func contents(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bytes = SyntheticContent(size: 1_000_000, seed: seed).allBytes
        var window = ByteWindow()
        var start: Int64 = 0
        while window.end < bytes.count {
            let size = Int.random(in: 0...[10, 5000, 400_000][Int(seed % 3)], using: &random)
            let end = min(bytes.count, Int(window.end) + size)
            // A slice: its indices do not begin at zero.
            window.append(Data([1, 2] + bytes[Int(window.end)..<end]).dropFirst(2))
            start = Int64.random(in: start...window.end, using: &random)
            window.drop(before: start)
            #expect(window.start == start)
            let from = Int64.random(in: start...window.end, using: &random)
            let count = Int.random(in: 0...300_000, using: &random)
            let upTo = min(Int(window.end), Int(from) + count)
            #expect(read(window, at: from, count) == Array(bytes[Int(from)..<upTo]))
            if seed % 3 == 0, window.end > 20_000 { break }
        }
    }

    @Test("Gives nothing that it has dropped or that has not come")
    func outside() {
        var window = ByteWindow()
        window.append(Data([1, 2, 3, 4]))
        window.drop(before: 2)
        #expect(read(window, at: 1, 1) == nil)
        #expect(read(window, at: 2, 5) == [3, 4])
        #expect(read(window, at: 4, 5) == [])
        #expect(read(window, at: 5, 1) == nil)
        window.drop(before: 9)
        #expect(window.start == 4 && window.end == 4)
    }
}
