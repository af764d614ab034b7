internal import Checksums
internal import StorageModel

/// What a download's head says about which content it carries.
struct ObjectIdentity: Hashable, Sendable {
    let generation: String?
    let etag: String?
    let crc32c: UInt32?
    let md5: [UInt8]?
    /// Stored compressed and decompressed on the way: no ranges, and the checksums are of other bytes.
    let isDecoded: Bool

    init(_ headers: HTTPHeaders) {
        generation = headers["x-goog-generation"]
        etag = headers["ETag"]
        isDecoded =
            headers["x-goog-stored-content-encoding"] == "gzip"
            && headers["Content-Encoding"] != "gzip"
        var (crc32c, md5): (UInt32?, [UInt8]?) = (nil, nil)
        for line in headers.values(of: "x-goog-hash") {
            for part in line.split(separator: ",") {
                let text = part.drop { $0 == " " }
                if text.hasPrefix("crc32c=") {
                    crc32c = CRC32C.value(ofBase64: text.dropFirst(7))
                } else if text.hasPrefix("md5=") {
                    md5 = Base64.decode(text.dropFirst(4)).flatMap { $0.count == 16 ? $0 : nil }
                }
            }
        }
        self.crc32c = crc32c
        self.md5 = md5
    }

    /// True when a later answer can be told to carry the same content.
    var canBeResumed: Bool { (generation != nil || etag != nil) && !isDecoded }

    /// True unless the two are known to be different contents.
    func mayBe(_ other: ObjectIdentity) -> Bool {
        func fits<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
            one == nil || other == nil || one == other
        }
        return fits(generation, other.generation) && fits(etag, other.etag)
            && fits(crc32c, other.crc32c) && fits(md5, other.md5)
    }
}
