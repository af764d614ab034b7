internal import StorageModel

/// A place in a bucket: which bucket, and the object's path without leading or trailing slashes.
struct StoragePath: Hashable, Sendable {
    let bucket: String
    /// Empty at the root.
    let object: String

    init(bucket: String, object: String = "") {
        self.bucket = bucket
        self.object = Self.joined(Self.segments(object))
    }

    /// Reads `gs://BUCKET[/PATH]`, taken literally, or `http(s)://HOST[/v0]/b/BUCKET[/o[/PATH]]`, in
    /// which characters are escaped and the query is ignored (rule D3).
    init(url: String) throws(StorageFailure) {
        if let rest = Self.dropPrefix("gs://", of: url) {
            let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let bucket = parts.first, !bucket.isEmpty else {
                throw Self.refused(url, "a gs:// URL names its bucket: gs://BUCKET/PATH")
            }
            self.init(bucket: String(bucket), object: parts.count > 1 ? String(parts[1]) : "")
        } else if Self.dropPrefix("http://", of: url) != nil
            || Self.dropPrefix("https://", of: url) != nil
        {
            try self.init(httpURL: url)
        } else {
            throw Self.refused(url, "its scheme has to be gs://, http:// or https://")
        }
    }

    private init(httpURL url: String) throws(StorageFailure) {
        var segments = RequestTarget(url).segments
        // The product pages show one without the version, https://HOST/b/BUCKET/o/PATH.
        if segments.first == "b" { segments.insert("v0", at: 0) }
        guard segments.count >= 3, segments[0] == "v0", segments[1] == "b", !segments[2].isEmpty
        else { throw Self.refused(url, "the path of an object's URL begins with /v0/b/BUCKET") }
        let rest = segments.dropFirst(3).filter { !$0.isEmpty }
        guard rest.isEmpty || rest.first == "o" else {
            throw Self.refused(url, "the bucket is followed by /o/PATH")
        }
        self.init(
            bucket: PercentEncoding.decode(segments[2]),
            object: rest.dropFirst().map { PercentEncoding.decode($0) }.joined(separator: "/"))
    }

    var isRoot: Bool { object.isEmpty }

    /// The last segment; empty at the root.
    var name: String { Self.segments(object).last.map(String.init) ?? "" }

    var root: StoragePath { StoragePath(bucket: bucket) }

    /// One segment up; nil at the root.
    var parent: StoragePath? {
        guard !isRoot else { return nil }
        return StoragePath(
            bucket: bucket, object: Self.joined(Self.segments(object).dropLast()))
    }

    func child(_ path: String) -> StoragePath {
        StoragePath(bucket: bucket, object: object + "/" + path)
    }

    /// `gs://BUCKET/PATH`
    var text: String { "gs://\(bucket)/\(object)" }

    private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

    private static func joined(_ segments: some Sequence<Substring>) -> String {
        segments.joined(separator: "/")
    }

    private static func dropPrefix(_ prefix: String, of text: String) -> Substring? {
        guard text.prefix(prefix.count).lowercased() == prefix else { return nil }
        return text.dropFirst(prefix.count)
    }

    private static func refused(_ url: String, _ reason: String) -> StorageFailure {
        StorageFailure(.pathError, "\"\(url)\" is no place in a bucket: \(reason).")
    }
}
