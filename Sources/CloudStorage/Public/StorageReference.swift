internal import EventLoop
internal import StorageModel

/// A place in a bucket, whether anything is stored there or not (rules D1-D4).
public struct StorageReference: Hashable, Sendable, CustomStringConvertible {
    /// The storage that it was made by: its settings hold for every transfer here.
    public let storage: Storage
    let path: StoragePath
    /// Why this is no place: every operation fails with it.
    let flaw: StorageFailure?

    init(storage: Storage, path: StoragePath, flaw: StorageFailure? = nil) {
        self.storage = storage
        self.path = path
        self.flaw = flaw
    }

    /// The bucket that it is in, without `gs://`.
    public var bucket: String { path.bucket }

    /// The path without leading or trailing slash; empty at the root.
    public var fullPath: String { path.object }

    /// The last segment of the path; empty at the root.
    public var name: String { path.name }

    /// The top of the bucket.
    public func root() -> StorageReference { with(path.root) }

    /// One segment up; nil at the root.
    public func parent() -> StorageReference? { path.parent.map(with) }

    /// One or several segments down.
    public func child(_ path: String) -> StorageReference { with(self.path.child(path)) }

    /// Another place in the same storage, a flawed one if this is.
    func with(_ path: StoragePath) -> StorageReference {
        StorageReference(storage: storage, path: path, flaw: flaw)
    }

    /// `gs://BUCKET/PATH`
    public var description: String { path.text }

    /// What does the work, or why nothing can be done here.
    var engine: Result<StorageEngine, StorageFailure> {
        if let flaw = flaw ?? storage.settings.withLock({ $0.flaw }) { return .failure(flaw) }
        if path.bucket.isEmpty, case .success = storage.engine {
            return .failure(
                StorageFailure(
                    .invalidArgument,
                    "The app names no bucket: make references by their gs:// URLs."))
        }
        return storage.engine
    }

    /// `https://HOST/v0/b/BUCKET/o/PATH`, without a query.
    var address: String {
        let endpoint = storage.settings.withLock { $0.endpoint }
        let bucket = PercentEncoding.encodeSegment(path.bucket)
        let object = path.isRoot ? "" : "/" + PercentEncoding.encodeSegment(path.object)
        return "\(endpoint.text)/v0/b/\(bucket)/o\(object)"
    }
}
