import ObjectStore
import StorageModel
import Testing

@Suite("Gzip")
struct GzipTests {
    @Test(
        "Gives back what it took, and the same bytes for the same content",
        arguments: [
            0, 1, 1000, 200_000,
        ])
    func roundTrip(count: Int) throws {
        let content = sample(count)
        let packed = try #require(Gzip.compress(content))
        #expect(Array(packed[..<3]) == [0x1F, 0x8B, 8])
        #expect(difference(Gzip.compress(content), packed) == nil)
        #expect(difference(Gzip.decompress(packed, limit: count), content) == nil)
    }

    @Test("Refuses what is no gzip content, is cut, or is longer than allowed")
    func refuses() throws {
        let zeros = [UInt8](repeating: 0, count: 5_000_000)
        let packed = try #require(Gzip.compress(zeros))
        #expect(packed.count < 10_000)
        #expect(Gzip.decompress(packed, limit: 4_999_999) == nil)
        #expect(Gzip.decompress(Array(packed.dropLast(9)), limit: .max) == nil)
        #expect(Gzip.decompress([], limit: .max) == nil)
        #expect(Gzip.decompress([1, 2, 3], limit: .max) == nil)
    }
}
