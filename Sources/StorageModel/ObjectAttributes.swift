/// The metadata of a stored object: the fields of the wire's object resource.
///
/// Times are milliseconds since 1970 (UTC), because the wire carries exactly three digits.
package struct ObjectAttributes: Hashable, Sendable {
    package var bucket: String
    package var name: String
    /// Larger for every newer content of the same name.
    package var generation: Int64
    /// 1 for new content, one more with every change of metadata.
    package var metageneration: Int64 = 1
    /// Bytes as stored.
    package var size: Int64
    package var md5: [UInt8]
    package var crc32c: UInt32
    package var contentType: String?
    package var contentEncoding: String?
    package var contentDisposition: String?
    package var contentLanguage: String?
    package var cacheControl: String?
    package var storageClass = "STANDARD"
    package var timeCreated: Int64
    package var updated: Int64
    package var downloadTokens: [String] = []
    package var custom: [String: String] = [:]

    package init(
        bucket: String, name: String, generation: Int64, size: Int64, md5: [UInt8],
        crc32c: UInt32, timeCreated: Int64
    ) {
        self.bucket = bucket
        self.name = name
        self.generation = generation
        self.size = size
        self.md5 = md5
        self.crc32c = crc32c
        self.timeCreated = timeCreated
        updated = timeCreated
    }
}
