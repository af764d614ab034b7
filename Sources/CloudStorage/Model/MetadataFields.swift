internal import Foundation
internal import StorageModel

/// The fields of an object's metadata as a value.
struct MetadataFields: Hashable, Sendable {
    var bucket = ""
    /// The object's full path.
    var path: String?
    var generation: Int64 = 0
    var metageneration: Int64 = 0
    var size: Int64 = 0
    var md5Hash: String?
    /// Base64 of the four bytes of the CRC-32C, highest first.
    var crc32c: String?
    /// Milliseconds since 1970.
    var timeCreated: Int64?
    var updated: Int64?
    var downloadTokens: [String] = []
    var cacheControl: String?
    var contentDisposition: String?
    var contentEncoding: String?
    var contentLanguage: String?
    var contentType: String?
    var custom: [String: String]?

    /// True for an object's resource that says what the object is called and how large it is.
    var isWhole = false

    init() {}

    /// Reads an object's resource; nil where the bytes are no JSON object.
    init?(resource bytes: [UInt8]) {
        guard let json = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let fields = json as? [String: Any]
        else { return nil }
        self.init(dictionary: fields)
    }

    /// Numbers may be numbers or texts of digits; a field of another kind counts as absent.
    init(dictionary: [String: Any]) {
        bucket = dictionary["bucket"] as? String ?? ""
        path = dictionary["name"] as? String
        generation = Self.number(dictionary["generation"]) ?? 0
        metageneration = Self.number(dictionary["metageneration"]) ?? 0
        let size = Self.number(dictionary["size"])
        self.size = size ?? 0
        isWhole = path != nil && size != nil
        md5Hash = dictionary["md5Hash"] as? String
        crc32c = dictionary["crc32c"] as? String
        timeCreated = (dictionary["timeCreated"] as? String).flatMap(
            InternetTime.milliseconds(rfc3339:))
        updated = (dictionary["updated"] as? String).flatMap(InternetTime.milliseconds(rfc3339:))
        downloadTokens = (dictionary["downloadTokens"] as? String ?? "")
            .split(separator: ",").map(String.init)
        cacheControl = dictionary["cacheControl"] as? String
        contentDisposition = dictionary["contentDisposition"] as? String
        contentEncoding = dictionary["contentEncoding"] as? String
        contentLanguage = dictionary["contentLanguage"] as? String
        contentType = dictionary["contentType"] as? String
        custom = (dictionary["metadata"] as? [String: Any])?.compactMapValues { $0 as? String }
    }

    private static func number(_ value: Any?) -> Int64? {
        switch value {
        case let text as String: Int64(text)
        case let number as any BinaryInteger: Int64(exactly: number)
        case let number as NSNumber: number.int64Value
        default: nil
        }
    }

    /// Every field that has a value, in the spelling of the wire.
    var dictionary: [String: Any] {
        var all: [String: Any] = writable
        all["bucket"] = bucket
        all["name"] = path
        all["generation"] = String(generation)
        all["metageneration"] = String(metageneration)
        all["size"] = String(size)
        all["md5Hash"] = md5Hash
        all["crc32c"] = crc32c
        all["timeCreated"] = timeCreated.map(InternetTime.text)
        all["updated"] = updated.map(InternetTime.text)
        return all
    }

    private var writable: [String: Any] {
        var all: [String: Any] = texts.compactMapValues { $0 }
        all["metadata"] = custom
        return all
    }

    private var texts: [String: String?] {
        [
            "cacheControl": cacheControl, "contentDisposition": contentDisposition,
            "contentEncoding": contentEncoding, "contentLanguage": contentLanguage,
            "contentType": contentType,
        ]
    }

    /// Body of the request that starts an upload.
    func startBody(path: String) -> [UInt8] {
        var fields = writable
        fields["name"] = path
        return Self.encoded(fields)
    }

    /// Body of a metadata update: only what differs from `earlier`; null removes.
    func updateBody(since earlier: MetadataFields) -> [UInt8] {
        var fields: [String: Any] = [:]
        let before = earlier.texts
        for (name, value) in texts where value != before[name] {
            fields[name] = value ?? NSNull()
        }
        let (old, new) = (earlier.custom ?? [:], custom ?? [:])
        var changes: [String: Any] = [:]
        for (key, value) in new where old[key] != value { changes[key] = value }
        for key in old.keys where new[key] == nil { changes[key] = NSNull() }
        if !changes.isEmpty { fields["metadata"] = changes }
        return Self.encoded(fields)
    }

    private static func encoded(_ fields: [String: Any]) -> [UInt8] {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and nulls in dictionaries: nothing that the coder could refuse.
        let data = try? JSONSerialization.data(withJSONObject: fields, options: options)
        return data.map(Array.init) ?? Array("{}".utf8)
    }
}
