package import StorageModel

extension ObjectStore {
    /// Puts an object where a scenario says that it is (key `backend.objects`).
    ///
    /// The path may be `gs://BUCKET/NAME`. Content from a file must have been read before.
    package func put(
        _ given: BackendSettings.GivenObject, defaultBucket: String
    ) throws(StoreError) {
        let key = ObjectKey(path: given.path, defaultBucket: defaultBucket)
        guard let source = given.content.source else { throw .contentNotRead(given.path) }
        try put(
            try stored(source, isGzipped: given.content.isGzipped), as: key.name, in: key.bucket,
            fields: Self.fields(given))
    }

    /// The bytes at rest of content that a fault or a scenario gives.
    package func stored(
        _ source: any ByteSource, isGzipped: Bool
    ) throws(StoreError) -> any ByteSource {
        guard isGzipped else { return source }
        guard source.count <= limits.gzippedSize, let packed = Gzip.compress(source.allBytes)
        else { throw .objectTooLarge(limit: limits.gzippedSize) }
        return ByteArraySource(packed)
    }

    private static func fields(_ given: BackendSettings.GivenObject) -> ObjectFields {
        var fields = ObjectFields()
        fields.contentType = given.contentType ?? given.fields["contentType"]
        fields.contentEncoding =
            given.fields["contentEncoding"] ?? (given.content.isGzipped ? "gzip" : nil)
        fields.contentDisposition = given.fields["contentDisposition"]
        fields.contentLanguage = given.fields["contentLanguage"]
        fields.cacheControl = given.fields["cacheControl"]
        fields.custom = given.custom
        return fields
    }
}
