internal import EventLoop
internal import StorageModel

/// A place in a bucket, whether anything is stored there or not (rules D1-D4).
public struct StorageReference: Hashable, Sendable, CustomStringConvertible {
    public let storage: Storage
    let path: StoragePath

    init(storage: Storage, path: StoragePath) {
        self.storage = storage
        self.path = path
    }

    public var bucket: String { path.bucket }

    /// The path without leading or trailing slash; empty at the root.
    public var fullPath: String { path.object }

    /// The last segment of the path; empty at the root.
    public var name: String { path.name }

    /// The top of the bucket.
    public func root() -> StorageReference { StorageReference(storage: storage, path: path.root) }

    /// One segment up; nil at the root.
    public func parent() -> StorageReference? {
        path.parent.map { StorageReference(storage: storage, path: $0) }
    }

    /// One or several segments down.
    public func child(_ path: String) -> StorageReference {
        StorageReference(storage: storage, path: self.path.child(path))
    }

    /// `gs://BUCKET/PATH`
    public var description: String { path.text }

    /// `https://HOST/v0/b/BUCKET/o/PATH`, without a query.
    var address: String {
        let endpoint = storage.settings.withLock { $0.endpoint }
        let bucket = PercentEncoding.encodeSegment(path.bucket)
        let object = path.isRoot ? "" : "/" + PercentEncoding.encodeSegment(path.object)
        return "\(endpoint.text)/v0/b/\(bucket)/o\(object)"
    }
}
