/// Metadata that an upload gives.
package struct MetadataFields: Hashable, Sendable {
    /// By their wire names: `contentType`, `cacheControl`, ...
    package var fields: [String: String] = [:]
    package var custom: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { fields.isEmpty && custom.isEmpty }

    /// The fields that a client may set, by their wire names.
    package static let settable = [
        "cacheControl", "contentDisposition", "contentEncoding", "contentLanguage", "contentType",
    ]

    /// The fields that a server gives, by their wire names.
    package static let given = [
        "bucket", "crc32c", "generation", "md5Hash", "metageneration", "name", "size",
        "storageClass", "timeCreated", "updated",
    ]
}

/// What `update-metadata` sets; a nil value removes the field.
package struct MetadataChange: Hashable, Sendable {
    package var fields: [String: String?] = [:]
    package var custom: [String: String?] = [:]
    /// True: all custom fields go (`custom: null`).
    package var removesAllCustom = false

    package init() {}
}
