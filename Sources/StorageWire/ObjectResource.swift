import Checksums
import StorageModel

/// The object resource: an object's metadata as JSON, all numbers as strings.
enum ObjectResource {
    static func response(_ attributes: ObjectAttributes, status: Int = 200) -> HTTPResponse {
        answer(json(attributes), status: status)
    }

    /// Any JSON as an answer.
    static func answer(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json; charset=UTF-8"],
            body: ByteArraySource(value.bytes))
    }

    static func json(_ attributes: ObjectAttributes) -> JSONValue {
        var fields: [String: String] = [
            "name": attributes.name,
            "bucket": attributes.bucket,
            "generation": String(attributes.generation),
            "metageneration": String(attributes.metageneration),
            "timeCreated": WireTime.timestamp(attributes.timeCreated),
            "updated": WireTime.timestamp(attributes.updated),
            "storageClass": attributes.storageClass,
            "size": String(attributes.size),
            "etag": etag(attributes),
            "contentEncoding": attributes.contentEncoding ?? "identity",
        ]
        fields["contentType"] = attributes.contentType
        fields["contentDisposition"] = attributes.contentDisposition
        fields["contentLanguage"] = attributes.contentLanguage
        fields["cacheControl"] = attributes.cacheControl
        if !attributes.md5.isEmpty {
            fields["md5Hash"] = Base64.encode(attributes.md5)
            fields["crc32c"] = CRC32C.base64(of: attributes.crc32c)
        }
        if !attributes.downloadTokens.isEmpty {
            fields["downloadTokens"] = attributes.downloadTokens.joined(separator: ",")
        }
        var members = fields.mapValues(JSONValue.string)
        if !attributes.custom.isEmpty {
            members["metadata"] = .object(
                sorting: attributes.custom.mapValues(JSONValue.string))
        }
        return .object(sorting: members)
    }

    /// A text that is another for every other generation or metageneration: the two numbers as
    /// fields 1 and 2 of a protocol buffer, as production writes them.
    static func etag(_ attributes: ObjectAttributes) -> String {
        let bytes =
            [0x08] + varint(attributes.generation) + [0x10] + varint(attributes.metageneration)
        return Base64.encode(bytes)
    }

    private static func varint(_ number: Int64) -> [UInt8] {
        var rest = UInt64(bitPattern: number)
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
