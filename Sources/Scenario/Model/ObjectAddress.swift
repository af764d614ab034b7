/// An object as a scenario names it: a path, or a path in another bucket.
package struct ObjectAddress: Hashable, Sendable, CustomStringConvertible {
    /// Nil: the scenario's own bucket, or that of the step's instance.
    package var bucket: String?
    /// Unescaped, without a leading slash; empty for the root.
    package var path: String

    package init(bucket: String? = nil, path: String) {
        self.bucket = bucket
        self.path = path
    }

    /// Reads `images/rivers.jpg` and `gs://BUCKET/path`; nil for an empty bucket.
    package init?(_ text: String) {
        guard text.hasPrefix("gs://") else {
            self.init(path: text)
            return
        }
        let parts = text.dropFirst(5)
            .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bucket = parts.first, !bucket.isEmpty else { return nil }
        self.init(bucket: String(bucket), path: parts.count > 1 ? String(parts[1]) : "")
    }

    package var description: String { bucket.map { "gs://\($0)/\(path)" } ?? path }
}
