internal import EventLoop
public import Foundation

/// A bucket and how to reach it: the way to references.
///
/// Where the product's SDK ends the program (no app was configured, a URL that is no bucket's, an
/// emulator's address that is none), this gives a storage or a reference whose every operation fails
/// with an error that says what is wrong.
///
/// Source: firebase-ios-sdk, `FirebaseStorage/Sources/Storage.swift` (names and signatures).
public final class Storage: Hashable, Sendable, CustomStringConvertible {
    /// The app whose bucket and credentials these are.
    public let app: StorageApp
    /// The bucket of `reference()`; empty when any bucket may be referred to.
    public let bucket: String
    /// What does the work, or why nothing can be done with this storage.
    let engine: Result<StorageEngine, StorageFailure>
    let settings: Lock<Settings>

    init(
        app: StorageApp, bucket: String, engine: Result<StorageEngine, StorageFailure>,
        settings: Lock<Settings>
    ) {
        self.app = app
        self.bucket = bucket
        self.engine = engine
        self.settings = settings
    }

    /// Storage on an engine that is given, with the engine's loop as callback queue, of an app of its
    /// own.
    package convenience init(
        bucket: String, engine: StorageEngine, tokens: (any StorageTokenProvider)? = nil,
        appCheck: (any StorageAppCheckProvider)? = nil
    ) {
        let app = StorageApp(
            name: "", bucket: bucket, tokenProvider: tokens, appCheckProvider: appCheck)
        var settings = Settings(app: app)
        settings.callbacks = LoopCallbackQueue(loop: engine.loop)
        self.init(app: app, bucket: bucket, engine: .success(engine), settings: Lock(settings))
    }

    // MARK: Instances

    /// The storage of the default app's bucket.
    ///
    /// The same bucket of the same app is the same object as long as somebody holds it, and keeps its
    /// settings after that.
    public static func storage() -> Storage { storage(of: .default, url: nil) }

    /// The storage of a bucket named by its URL, `gs://BUCKET`, with the default app's credentials.
    public static func storage(url: String) -> Storage { storage(of: .default, url: url) }

    /// The storage of an app's bucket.
    public static func storage(app: StorageApp) -> Storage { storage(of: app, url: nil) }

    /// The storage of a bucket named by its URL, `gs://BUCKET`, with an app's credentials.
    public static func storage(app: StorageApp, url: String) -> Storage {
        storage(of: app, url: url)
    }

    static func storage(of app: StorageApp?, url: String?) -> Storage {
        guard let app else {
            return broken(
                StorageApp(name: "none"),
                StorageFailure(
                    .invalidArgument,
                    "No default app is configured: call StorageApp.configure(bucket:) before "
                        + "Storage.storage(), or give an app."))
        }
        do throws(StorageFailure) {
            return app.storage(of: try bucket(of: app, url: url))
        } catch {
            return broken(app, error)
        }
    }

    private static func broken(_ app: StorageApp, _ failure: StorageFailure) -> Storage {
        Storage(
            app: app, bucket: "", engine: .failure(failure), settings: Lock(Settings(app: app)))
    }

    private static func bucket(
        of app: StorageApp, url: String?
    ) throws(StorageFailure) -> String {
        guard var text = url ?? app.bucket else {
            throw StorageFailure(
                .invalidArgument,
                "The app \(app.name) has no bucket: give it one, or use storage(app:url:).")
        }
        if url == nil {
            if text.isEmpty { return "" }
            if !text.contains("://") { text = "gs://" + text }
        }
        let path = try StoragePath(url: text)
        guard path.isRoot, text.lowercased().hasPrefix("gs://") else {
            throw StorageFailure(.invalidArgument, "\"\(text)\" has to be gs://BUCKET.")
        }
        return path.bucket
    }

    // MARK: References (rules D1, D3)

    /// The root of the bucket.
    public func reference() -> StorageReference { reference(at: StoragePath(bucket: bucket)) }

    /// A reference by its path in the bucket.
    public func reference(withPath path: String) -> StorageReference {
        reference(at: StoragePath(bucket: bucket, object: path))
    }

    /// A reference by a `gs://` or an object's `https://` URL.
    ///
    /// A URL that names no place in a bucket (`pathError`), or one in another bucket than this
    /// storage's (`bucketMismatch`), gives a reference whose every operation fails with that error;
    /// `reference(for:)` throws it at once.
    public func reference(forURL url: String) -> StorageReference {
        do throws(StorageFailure) {
            return try checkedReference(forURL: url)
        } catch {
            return reference(at: StoragePath(bucket: bucket), flaw: error)
        }
    }

    /// A reference by a `gs://` or an object's `https://` URL.
    ///
    /// - Throws: an `NSError`: `pathError` for a URL that names no place in a bucket,
    ///   `bucketMismatch` for another bucket than this storage's.
    public func reference(for url: URL) throws -> StorageReference {
        do throws(StorageFailure) {
            return try checkedReference(forURL: url.absoluteString)
        } catch {
            throw error.nsError
        }
    }

    /// As `reference(for:)`, for texts that are no `URL`, too.
    package func checkedReference(forURL url: String) throws(StorageFailure) -> StorageReference {
        let path = try StoragePath(url: url)
        guard bucket.isEmpty || path.bucket == bucket else {
            throw StorageFailure(
                .bucketMismatch,
                "`\(path.bucket)` is another bucket than `\(bucket)`, which this storage is for.")
        }
        return reference(at: path)
    }

    private func reference(at path: StoragePath, flaw: StorageFailure? = nil) -> StorageReference {
        settings.withLock { $0.hasReferences = true }
        return StorageReference(storage: self, path: path, flaw: flaw)
    }

    // MARK: Identity

    /// The bucket and the app, for people.
    public var description: String { "Storage of gs://\(bucket) for the app \(app.name)" }

    /// True for the same bucket of the same app.
    public static func == (one: Storage, other: Storage) -> Bool {
        one.app == other.app && one.bucket == other.bucket && one.failure == other.failure
    }

    /// Feeds what `==` compares to the hasher.
    ///
    /// - Parameter hasher: of the collection that asks.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(app)
        hasher.combine(bucket)
    }

    private var failure: StorageFailure? {
        if case .failure(let failure) = engine { failure } else { nil }
    }
}
