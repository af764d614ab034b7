internal import EventLoop
public import Foundation
internal import StorageModel

/// A bucket and how to reach it: the way to references.
public final class Storage: Hashable, Sendable {
    struct Settings {
        var endpoint = StorageEndpoint()
        var authorityFile: String?
        var uploadRetryTime = Duration.seconds(600)
        var downloadRetryTime = Duration.seconds(600)
        var operationRetryTime = Duration.seconds(120)
        var chunkSize: Int64 = 8 << 20
        var callbackQueue: any StorageCallbackQueue
        var tokens: (any StorageTokenSource)?
    }

    /// The bucket of `reference()`; empty when any bucket may be referred to.
    public let bucket: String
    let engine: StorageEngine
    let settings: Lock<Settings>

    /// Storage over the library's own threads; callbacks come on a thread of its own, one by one.
    ///
    /// - Parameter bucket: without scheme, `demo.appspot.com`; empty: references may name any.
    /// - Throws: an `NSError` (`internalError`) when the system refuses threads or descriptors.
    public init(bucket: String) throws {
        switch StorageEngine.standalone {
        case .success(let standalone):
            self.bucket = bucket
            engine = standalone.engine
            settings = Lock(Settings(callbackQueue: standalone.callbacks))
        case .failure(let failure): throw failure.nsError
        }
    }

    /// Storage on an engine that is given, with the engine's loop as callback queue.
    package init(
        bucket: String, engine: StorageEngine, tokens: (any StorageTokenSource)? = nil
    ) {
        self.bucket = bucket
        self.engine = engine
        settings = Lock(
            Settings(callbackQueue: LoopCallbackQueue(loop: engine.loop), tokens: tokens))
    }

    /// Storage of a bucket named by its URL, `gs://BUCKET`.
    ///
    /// - Throws: an `NSError` (`pathError`, `invalidArgument`) for a URL that is no bucket's.
    public static func storage(url: String) throws -> Storage {
        let path: StoragePath
        do { path = try StoragePath(url: url) } catch { throw error.nsError }
        guard path.isRoot, url.lowercased().hasPrefix("gs://") else {
            throw StorageFailure(.invalidArgument, "\"\(url)\" has to be gs://BUCKET.").nsError
        }
        return try Storage(bucket: path.bucket)
    }

    // MARK: References (rules D1, D3)

    /// The root of the bucket.
    public func reference() -> StorageReference {
        StorageReference(storage: self, path: StoragePath(bucket: bucket))
    }

    /// A reference by its path in the bucket.
    public func reference(withPath path: String) -> StorageReference {
        StorageReference(storage: self, path: StoragePath(bucket: bucket, object: path))
    }

    /// A reference by a `gs://` or an object's `https://` URL.
    ///
    /// - Throws: an `NSError`: `pathError` for a URL that names no place in a bucket,
    ///   `bucketMismatch` for another bucket than this storage's.
    public func reference(forURL url: String) throws -> StorageReference {
        let path: StoragePath
        do { path = try StoragePath(url: url) } catch { throw error.nsError }
        guard bucket.isEmpty || path.bucket == bucket else {
            throw StorageFailure(
                .bucketMismatch,
                "`\(path.bucket)` is another bucket than `\(bucket)`, which this storage is for."
            ).nsError
        }
        return StorageReference(storage: self, path: path)
    }

    /// As `reference(forURL:)`.
    public func reference(for url: URL) throws -> StorageReference {
        try reference(forURL: url.absoluteString)
    }

    // MARK: Settings; a transfer takes them over when it starts

    /// Sends every request to a server for tests, over plain HTTP.
    public func useEmulator(withHost host: String, port: Int) {
        settings.withLock { $0.endpoint = StorageEndpoint(emulatorHost: host, port: port) }
    }

    /// Sends every request to another server than the product's.
    ///
    /// - Parameter url: `https://HOST:PORT`, or the same with `http`; nothing behind it has a meaning.
    /// - Throws: an `NSError` (`invalidArgument`) for anything else.
    public func useServer(url: String) throws {
        guard let endpoint = StorageEndpoint(url: url), endpoint.problem == nil else {
            throw StorageFailure(
                .invalidArgument, "\"\(url)\" has to be https://HOST:PORT or http://HOST:PORT."
            ).nsError
        }
        settings.withLock { $0.endpoint = endpoint }
    }

    /// The path of a file with certificates (PEM): over HTTPS the servers are trusted that these
    /// authorities have signed for, and no others. Nil: those that the system trusts.
    public var certificateAuthorityFile: String? {
        get { settings.withLock { $0.authorityFile } }
        set { settings.withLock { $0.authorityFile = newValue } }
    }

    /// Seconds for which a failing upload is tried again; 0: not at all.
    public var maxUploadRetryTime: TimeInterval {
        get { uploadRetryTime / .seconds(1) }
        set { uploadRetryTime = .seconds(max(0, newValue)) }
    }

    /// Seconds for which a failing download is tried again; 0: not at all.
    public var maxDownloadRetryTime: TimeInterval {
        get { downloadRetryTime / .seconds(1) }
        set { downloadRetryTime = .seconds(max(0, newValue)) }
    }

    /// Seconds for which any other failing operation is tried again; 0: not at all.
    public var maxOperationRetryTime: TimeInterval {
        get { operationRetryTime / .seconds(1) }
        set { operationRetryTime = .seconds(max(0, newValue)) }
    }

    package var uploadRetryTime: Duration {
        get { settings.withLock { $0.uploadRetryTime } }
        set { settings.withLock { $0.uploadRetryTime = newValue } }
    }

    package var downloadRetryTime: Duration {
        get { settings.withLock { $0.downloadRetryTime } }
        set { settings.withLock { $0.downloadRetryTime = newValue } }
    }

    package var operationRetryTime: Duration {
        get { settings.withLock { $0.operationRetryTime } }
        set { settings.withLock { $0.operationRetryTime = newValue } }
    }

    /// Bytes of a chunk of an upload; rounded to what the server takes, at least one unit of it.
    /// `Int64.max`: everything in one request. 8 MiB unless set.
    public var uploadChunkSizeBytes: Int64 {
        get { settings.withLock { $0.chunkSize } }
        set { settings.withLock { $0.chunkSize = newValue } }
    }

    /// Where observers and completions are called; for tasks made after it is set.
    public var callbackQueue: any StorageCallbackQueue {
        get { settings.withLock { $0.callbackQueue } }
        set { settings.withLock { $0.callbackQueue = newValue } }
    }

    /// Who is asked for the user's token; nil: requests carry none.
    public var tokenSource: (any StorageTokenSource)? {
        get { settings.withLock { $0.tokens } }
        set { settings.withLock { $0.tokens = newValue } }
    }

    // MARK: Identity

    public static func == (one: Storage, other: Storage) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
