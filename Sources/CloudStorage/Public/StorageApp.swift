internal import EventLoop

/// Who a program is to the service: which bucket is its own, and which credentials it has.
///
/// Each object is an app of its own, whatever its name. An app keeps the settings of its storages: the
/// same bucket of the same app is set up once.
///
/// Credentials are sent over HTTPS, or over plain HTTP to this machine (`localhost`, 127.0.0.1, ::1).
/// A request that would carry them in the clear to any other host, an emulator elsewhere in the network
/// among them, fails with `invalidArgument` before anything is sent; one that carries none is sent. They
/// do not follow where an answer points to another server.
public final class StorageApp: Hashable, Sendable, CustomStringConvertible {
    private struct Entry {
        let settings: Lock<Storage.Settings>
        /// The storage that somebody holds at present. It holds the app, so the app does not hold it.
        weak var storage: Storage?
    }

    /// For people: in descriptions and errors.
    public let name: String
    /// The bucket of `Storage.storage(app:)`: `demo.appspot.com` or `gs://demo.appspot.com`. Empty:
    /// references may name any bucket. Nil: there is none, and a storage needs a URL.
    public let bucket: String?
    /// Who is asked for the user's token; nil: requests carry none.
    public let tokenProvider: (any StorageTokenProvider)?
    /// Who is asked for the proof that the app is the app; nil: requests carry none.
    public let appCheckProvider: (any StorageAppCheckProvider)?
    /// The app's identifier at the service, `1:NUMBER:ios:NUMBER`; nil: requests carry none.
    public let googleAppID: String?
    /// The providers, as all storages of the app ask them.
    let credentials: StorageCredentials
    private let entries = Lock<[String: Entry]>([:])

    /// - Parameters:
    ///   - name: for people; two apps may have the same.
    ///   - bucket: the bucket of `Storage.storage(app:)`, with or without `gs://`.
    ///   - tokenProvider: gives the user's token.
    ///   - appCheckProvider: gives the App Check token.
    ///   - googleAppID: goes with each request; no secret.
    public init(
        name: String = "default", bucket: String? = nil,
        tokenProvider: (any StorageTokenProvider)? = nil,
        appCheckProvider: (any StorageAppCheckProvider)? = nil, googleAppID: String? = nil
    ) {
        self.name = name
        self.bucket = bucket
        self.tokenProvider = tokenProvider
        self.appCheckProvider = appCheckProvider
        self.googleAppID = googleAppID
        credentials = StorageCredentials(
            tokenProvider: tokenProvider, appCheckProvider: appCheckProvider)
    }

    // MARK: The default app

    private static let chosen = Lock<StorageApp?>(nil)

    /// The app of `Storage.storage()`; nil until one was configured.
    public static var `default`: StorageApp? { chosen.withLock { $0 } }

    /// Makes an app the default one, instead of any before. Storages of an earlier one stay its own.
    public static func configure(_ app: StorageApp) {
        let earlier = chosen.withLock { chosen in
            defer { chosen = app }
            return chosen
        }
        // What nobody else holds ends here, outside of the lock.
        _ = earlier
    }

    /// Makes an app and makes it the default one, as `configure(_:)` does.
    @discardableResult
    public static func configure(
        bucket: String? = nil, tokenProvider: (any StorageTokenProvider)? = nil,
        appCheckProvider: (any StorageAppCheckProvider)? = nil
    ) -> StorageApp {
        let app = StorageApp(
            bucket: bucket, tokenProvider: tokenProvider, appCheckProvider: appCheckProvider)
        configure(app)
        return app
    }

    // MARK: Its storages

    /// The one storage of a bucket while somebody holds it; afterwards another one with its settings.
    func storage(of bucket: String) -> Storage {
        entries.withLock { entries in
            if let known = entries[bucket]?.storage { return known }
            let settings = entries[bucket]?.settings ?? Lock(Storage.Settings(app: self))
            let storage = Storage(
                app: self, bucket: bucket, engine: StorageEngine.standalone, settings: settings)
            entries[bucket] = Entry(settings: settings, storage: storage)
            return storage
        }
    }

    // MARK: Identity

    /// Name and bucket, for people; no credentials.
    public var description: String {
        "StorageApp \(name)" + (bucket.map { " with the bucket \($0)" } ?? "")
    }

    /// True for one and the same app: two apps of one name never are.
    public static func == (one: StorageApp, other: StorageApp) -> Bool { one === other }

    /// Feeds the app's identity to the hasher.
    ///
    /// - Parameter hasher: of the collection that asks.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
