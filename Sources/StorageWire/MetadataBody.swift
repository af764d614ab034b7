import Checksums
import ObjectStore
import StorageModel

/// The JSON that a client sends with an upload or a change of metadata.
///
/// Fields that nobody knows or that only the server sets are ignored, whatever their values.
struct MetadataBody {
    struct Malformed: Error, Hashable {
        let message: String
    }

    private let members: [String: JSONValue]

    /// An empty body is an empty object.
    init(parsing bytes: [UInt8]) throws(Malformed) {
        let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        if bytes.allSatisfy(blank.contains) {
            members = [:]
            return
        }
        guard let value = JSONValue(parsing: bytes) else {
            throw Malformed(message: "The request's body is no JSON.")
        }
        guard case .object(let members) = value else {
            throw Malformed(message: "The request's body is no JSON object.")
        }
        self.members = Self.byName(members)
    }

    /// Of members with the same name the last one counts.
    private static func byName(_ members: [JSONValue.Member]) -> [String: JSONValue] {
        Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The name that it gives the object, if it does.
    var name: String? {
        guard case .string(let name) = members["name"], !name.isEmpty else { return nil }
        return name
    }

    /// What an upload sets.
    func fields() throws(Malformed) -> ObjectFields {
        var fields = ObjectFields()
        fields.contentType = try text("contentType")
        fields.contentEncoding = try text("contentEncoding")
        fields.contentDisposition = try text("contentDisposition")
        fields.contentLanguage = try text("contentLanguage")
        fields.cacheControl = try text("cacheControl")
        for (key, change) in try customChanges() {
            if case .set(let value) = change { fields.custom[key] = value }
        }
        return fields
    }

    /// What a change of metadata changes: null clears, what is missing stays.
    func patch() throws(Malformed) -> ObjectPatch {
        var patch = ObjectPatch()
        patch.contentType = try change("contentType")
        patch.contentEncoding = try change("contentEncoding")
        patch.contentDisposition = try change("contentDisposition")
        patch.contentLanguage = try change("contentLanguage")
        patch.cacheControl = try change("cacheControl")
        patch.clearsCustom = members["metadata"] == .null
        patch.custom = try customChanges()
        return patch
    }

    /// The checksums that it announces.
    func announced() throws(Malformed) -> AnnouncedSums {
        var sums = AnnouncedSums()
        if let text = try text("md5Hash") {
            guard let md5 = Base64.decode(text), md5.count == 16 else {
                throw Malformed(message: "md5Hash is '\(text)', which is no Base64 of 16 bytes.")
            }
            sums.md5 = md5
        }
        if let text = try text("crc32c") {
            guard let crc = CRC32C.value(ofBase64: text) else {
                throw Malformed(message: "crc32c is '\(text)', which is no Base64 of 4 bytes.")
            }
            sums.crc32c = crc
        }
        return sums
    }

    private func change(_ field: String) throws(Malformed) -> ObjectPatch.Change? {
        guard let value = members[field] else { return nil }
        return try Self.change(value, field)
    }

    private static func change(
        _ value: JSONValue, _ field: String
    ) throws(Malformed) -> ObjectPatch.Change {
        switch value {
        case .string(let text): return .set(text)
        case .null: return .clear
        case .bool, .number, .array, .object:
            throw Malformed(message: "The field '\(field)' is no text.")
        }
    }

    private func text(_ field: String) throws(Malformed) -> String? {
        guard case .set(let text) = try change(field), !text.isEmpty else { return nil }
        return text
    }

    private func customChanges() throws(Malformed) -> [String: ObjectPatch.Change] {
        switch members["metadata"] {
        case nil, .null: return [:]
        case .object(let custom):
            var changes: [String: ObjectPatch.Change] = [:]
            for (key, value) in Self.byName(custom) {
                changes[key] = try Self.change(value, "metadata.\(key)")
            }
            return changes
        default: throw Malformed(message: "The field 'metadata' is no JSON object.")
        }
    }
}
