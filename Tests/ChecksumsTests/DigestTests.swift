import Checksums
import Testing

@Suite("Digests")
struct DigestTests {
    static let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)

    @Test(
        "MD5 gives the digests of RFC 1321 appendix A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                String(repeating: "1234567890", count: 8),
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func knownMD5(text: String, digest: String) {
        #expect(Hexadecimal.encode(MD5.digest(of: Array(text.utf8))) == digest)
    }

    @Test(
        "SHA-256 gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func knownSHA256(text: String, digest: String) {
        #expect(Hexadecimal.encode(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test("SHA-256 of a million letters is the one of FIPS 180-4")
    func millionLetters() {
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(Hexadecimal.encode(SHA256.digest(of: Self.million)) == digest)
    }

    @Test("CRC-32C of the nine digits is e3069283")
    func checkValue() {
        #expect(CRC32C.value(of: Array("123456789".utf8)) == 0xE306_9283)
    }

    // The register's bytes as the standard prints them, lowest first.
    @Test(
        "CRC-32C gives the values of RFC 3720 appendix B.4",
        arguments: [
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            ([UInt8](0..<32), 0x46DD_794E),
            ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
        ] as [([UInt8], UInt32)])
    func knownCRC32C(bytes: [UInt8], value: UInt32) {
        #expect(CRC32C.value(of: bytes) == value)
    }

    @Test("CRC-32C of nothing is 0, AAAAAA== on the wire")
    func emptyCRC32C() {
        #expect(CRC32C().value == 0)
        #expect(CRC32C.base64(of: 0) == "AAAAAA==")
    }

    @Test("CRC-32C goes to the wire with its highest byte first")
    func bigEndian() {
        #expect(CRC32C.bigEndianBytes(of: 0xE306_9283) == [0xE3, 0x06, 0x92, 0x83])
        #expect(CRC32C.base64(of: 0xE306_9283) == "4waSgw==")
        #expect(CRC32C.value(ofBase64: "4waSgw==") == 0xE306_9283)
    }

    @Test("Refuses a CRC-32C of another length", arguments: ["", "AAAA", "AAAAAAA=", "4waSgw"])
    func refusesOtherLength(text: String) { #expect(CRC32C.value(ofBase64: text) == nil) }

    @Test("Pieces give what the whole gives, at every split")
    func splits() {
        let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = (MD5.digest(of: bytes), SHA256.digest(of: bytes), CRC32C.value(of: bytes))
        for split in 0...bytes.count {
            var md5 = MD5()
            var sha256 = SHA256()
            var crc32c = CRC32C()
            for piece in [Array(bytes[..<split]), [], Array(bytes[split...])] {
                md5.update(piece)
                sha256.update(piece)
                crc32c.update(piece)
            }
            #expect(md5.digest == whole.0)
            #expect(sha256.digest == whole.1)
            #expect(crc32c.value == whole.2)
        }
    }

    @Test("A digest can be read midway without disturbing what follows")
    func digestMidway() {
        var hash = MD5()
        hash.update(Array("a".utf8))
        #expect(Hexadecimal.encode(hash.digest) == "0cc175b9c0f1b6a831c399e269772661")
        hash.update(Array("bc".utf8))
        #expect(Hexadecimal.encode(hash.digest) == "900150983cd24fb0d6963f7d28e17f72")
    }

    @Test("A copy of a running hash goes its own way")
    func copies() {
        var first = SHA256()
        first.update([1])
        var second = first
        second.update([2])
        #expect(first.digest == SHA256.digest(of: [1]))
        #expect(second.digest == SHA256.digest(of: [1, 2]))
    }

    @Test("A checksum continues from an earlier value")
    func continues() {
        var sum = CRC32C(continuing: CRC32C.value(of: Array("1234".utf8)))
        sum.update(Array("56789".utf8))
        #expect(sum.value == 0xE306_9283)
    }
}
