import StorageModel
import Testing

@testable import CloudStorage

@Suite("Head parser")
struct HeadParserTests {
    /// The head after these lines; nil where it is not whole.
    private func head(_ lines: [String]) -> ResponseHead? {
        var parser = HeadParser()
        var head: ResponseHead?
        for line in lines {
            Array(line.utf8).withUnsafeBytes { head = parser.take($0) ?? head }
        }
        return head
    }

    @Test("Takes the fields without the blanks around them, and colons inside them")
    func fields() {
        let head = head([
            "HTTP/1.1 200 OK\r\n", "ETag: \"a:b\" \t\r\n", "Empty:\r\n", "X:1\n", "no field\r\n",
            "Blanks: \t \r\n", "\r\n",
        ])
        #expect(head?.status == 200)
        #expect(
            head?.headers.fields.map { "\($0.name)=\($0.value)" }
                == ["ETag=\"a:b\"", "Empty=", "X=1", "Blanks="])
    }

    @Test("Drops heads of interim answers and what comes behind a whole one")
    func interim() {
        let head = head([
            "HTTP/1.1 103 Early Hints\r\n", "Link: a\r\n", "\r\n", "HTTP/1.1 204\r\n", "A: b\r\n",
            "\r\n", "Trailer: c\r\n", "\r\n",
        ])
        #expect(head == ResponseHead(status: 204, headers: ["A": "b"]))
    }

    @Test(
        "Reads the status between blanks; what is no number is none",
        arguments: [
            ("HTTP/1.0 404 Not Found\r\n", 404), ("HTTP/1.1  201\r\n", 201),
            ("HTTP/2 200\r\n", 200), ("HTTP/1.1 \r\n", nil), ("HTTP/1.1 two\r\n", nil),
        ])
    func status(line: String, status: Int?) {
        #expect(head([line, "\r\n"])?.status == status)
    }

    @Test("Takes bytes that are no text without falling over")
    func bytes() {
        var parser = HeadParser()
        [UInt8]("HTTP/1.1 200\r\n".utf8).withUnsafeBytes { _ = parser.take($0) }
        ([0x41, 0x3A, 0xFF, 0x0D, 0x0A] as [UInt8]).withUnsafeBytes { _ = parser.take($0) }
        var head: ResponseHead?
        [UInt8]("\r\n".utf8).withUnsafeBytes { head = parser.take($0) }
        #expect(head?.headers["A"] == "\u{FFFD}")
    }
}
