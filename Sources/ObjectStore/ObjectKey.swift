/// Where an object is.
package struct ObjectKey: Hashable, Sendable {
    package var bucket: String
    package var name: String

    package init(bucket: String, name: String) {
        self.bucket = bucket
        self.name = name
    }

    /// Reads a path of the scenario language: `images/a.png` or `gs://BUCKET/images/a.png`.
    package init(path: String, defaultBucket: String) {
        guard path.hasPrefix("gs://") else {
            self.init(bucket: defaultBucket, name: path)
            return
        }
        let rest = path.dropFirst(5)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        self.init(bucket: String(rest[..<slash]), name: String(rest[slash...].dropFirst()))
    }
}
