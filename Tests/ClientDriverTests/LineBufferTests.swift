import Testing

@testable import ClientDriver

@Suite("Lines of a stream")
struct LineBufferTests {
    private static func feed(_ pieces: [String], limit: Int = 100) -> (lines: [String], Bool) {
        var buffer = LineBuffer(limit: limit)
        var lines: [String] = []
        for piece in pieces {
            let isShort = Array(piece.utf8).withUnsafeBytes { bytes in
                buffer.append(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
            }
            if !isShort { return (lines, false) }
        }
        return (lines, true)
    }

    @Test("Lines are the same however the bytes are cut")
    func cutsAnywhere() {
        let text = "one\ntwo\r\n\nfour\n"
        for cut in 0...text.utf8.count {
            let start = String(text.utf8.prefix(cut)) ?? ""
            let rest = String(text.utf8.dropFirst(cut)) ?? ""
            #expect(Self.feed([start, rest]).lines == ["one", "two", "", "four"])
        }
    }

    @Test("A line of the limit is taken, one byte more is refused, with and without an end")
    func holdsTheLimit() {
        #expect(Self.feed(["12345\n"], limit: 5) == (["12345"], true))
        #expect(Self.feed(["123456\n"], limit: 5) == ([], false))
        #expect(Self.feed(["123", "456"], limit: 5) == ([], false))
        #expect(Self.feed(["a\nb\n", "123456"], limit: 5) == (["a", "b"], false))
    }

    @Test("A quoted line is short and has no control characters")
    func quotes() {
        #expect(LineBuffer.quoted(Array("a\u{1B}[0m\t".utf8)) == "a\\u{1b}[0m\\u{9}")
        let long = LineBuffer.quoted([UInt8](repeating: 0x78, count: 5000))
        #expect(long == String(repeating: "x", count: 200) + "... (5000 bytes)")
        #expect(LineBuffer.quoted([0xFF, 0x41]) == "\u{FFFD}A")
    }
}
