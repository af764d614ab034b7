import Checksums
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "Writes and reads the examples of RFC 4648 section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func examples(bytes: String, text: String) {
        #expect(Base64.encode(Array(bytes.utf8)) == text)
        #expect(Base64.decode(text) == Array(bytes.utf8))
    }

    @Test("Every byte value survives", arguments: 0..<3)
    func everyByte(shift: Int) {
        let bytes = [UInt8](repeating: 7, count: shift) + Array(0...255)
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }

    @Test("Reads the last two letters of the standard alphabet")
    func lastLetters() { #expect(Base64.decode("+/+/") == [0xFB, 0xFF, 0xBF]) }

    @Test(
        "Refuses what no encoder writes",
        arguments: [
            "Zg", "Zg=", "Z===", "====", "=", "Zm9v=", "Z=g=", "Zh==", "Zm9=", "Zm9v\n", "Zm 9",
            "-_-_", "Zg==Zg==", "Zm\u{E9}v",
        ])
    func refuses(text: String) { #expect(Base64.decode(text) == nil) }
}
