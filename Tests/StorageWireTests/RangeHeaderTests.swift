import StorageWire
import Testing

@Suite("Range header")
struct RangeHeaderTests {
    @Test(
        "Means the bytes that RFC 9110 says",
        arguments: [
            ("bytes=0-9", 100, 0..<10), ("bytes=90-", 100, 90..<100), ("bytes=-10", 100, 90..<100),
            ("bytes=-200", 100, 0..<100), ("bytes=50-999", 100, 50..<100), ("bytes=100-", 100, nil),
            ("bytes=-0", 100, nil), ("bytes=0-0", 1, 0..<1), ("bytes=0-", 0, nil),
            ("Bytes = 1-2", 9, 1..<3), ("bytes=0-99999999999999999999", 5, 0..<5),
        ] as [(String, Int64, Range<Int64>?)])
    func means(text: String, size: Int64, wanted: Range<Int64>?) throws {
        let header = try #require(RangeHeader(text))
        #expect(header.bytes(of: size) == wanted)
    }

    @Test(
        "Is ignored where it is malformed, of another unit or of several ranges",
        arguments: [
            "", "bytes", "bytes=", "bytes=-", "bytes=9-1", "items=0-1", "bytes=a-b",
            "bytes=0-1,5-6", "bytes=--1", "bytes=+1-2", "bytes=1",
        ])
    func isIgnored(text: String) {
        #expect(RangeHeader(text) == nil)
    }
}
