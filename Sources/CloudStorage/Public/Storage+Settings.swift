public import Dispatch
internal import EventLoop
public import Foundation

// What a storage can be told; a transfer takes it over when it is made or starts.
extension Storage {
    struct Settings {
        var endpoint = StorageEndpoint()
        var authorityFile: String?
        var uploadRetryTime = Duration.seconds(600)
        var downloadRetryTime = Duration.seconds(600)
        var operationRetryTime = Duration.seconds(120)
        var chunkSize: Int64 = 8 << 20
        var behaviour = StorageBehaviour.documented
        /// What the user sees; `callbacks` is what is used.
        var callbackQueue = DispatchCallbackQueue.standard
        var callbacks: any CallbackQueue
        let credentials: StorageCredentials
        /// The app's identifier at the service; nil: requests carry none.
        let appID: String?
        /// An emulator's address may be told before the first reference alone.
        var hasReferences = false
        /// Why nothing can be done since a setting was made.
        var flaw: StorageFailure?

        init(app: StorageApp) {
            callbacks = DispatchCallbackQueue(callbackQueue, time: nil)
            credentials = app.credentials
            appID = app.googleAppID
        }
    }

    /// Sends every request to a server for tests, over plain HTTP.
    ///
    /// To be called before the first reference is made. A later call with another address makes every
    /// operation of this storage fail (`invalidArgument`), lest some requests go to the emulator and
    /// some to the product; so does an address that is none, until a good one is given.
    ///
    /// - Parameters:
    ///   - host: a name or an address, without a scheme.
    ///   - port: 1 to 65535.
    public func useEmulator(withHost host: String, port: Int) {
        settings.withLock { settings in
            let endpoint = StorageEndpoint(emulatorHost: host, port: port)
            guard endpoint != settings.endpoint else { return }
            if settings.hasReferences {
                settings.flaw = StorageFailure(
                    .invalidArgument,
                    "useEmulator(withHost:port:) was called after a reference had been made: call "
                        + "it first.")
            } else {
                settings.endpoint = endpoint
            }
        }
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
        set { uploadRetryTime = Self.limit(newValue) }
    }

    /// Seconds for which a failing download is tried again; 0: not at all.
    public var maxDownloadRetryTime: TimeInterval {
        get { downloadRetryTime / .seconds(1) }
        set { downloadRetryTime = Self.limit(newValue) }
    }

    /// Seconds for which any other failing operation is tried again; 0: not at all.
    public var maxOperationRetryTime: TimeInterval {
        get { operationRetryTime / .seconds(1) }
        set { operationRetryTime = Self.limit(newValue) }
    }

    /// A number of seconds as a duration: 0 for what is below or no number, at most some thirty years.
    private static func limit(_ seconds: TimeInterval) -> Duration {
        seconds > 0 ? .seconds(min(seconds, 1_000_000_000)) : .zero
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

    /// As which clients the transfers behave, where these differ; `documented` unless set. To be set
    /// before the first transfer is made.
    public var behaviour: StorageBehaviour {
        get { settings.withLock { $0.behaviour } }
        set { settings.withLock { $0.behaviour = newValue } }
    }

    /// Where observers and completions are called; for tasks made after it is set. A serial queue of
    /// the library's own unless set.
    ///
    /// Calls come one by one and in order on a concurrent queue, too: a call that is given a thread while
    /// another one is at work is left to that one, which does it next.
    public var callbackQueue: DispatchQueue {
        get { settings.withLock { $0.callbackQueue } }
        set {
            let time = try? engine.get().loop.time
            let callbacks = DispatchCallbackQueue(newValue, time: time)
            settings.withLock { settings in
                settings.callbackQueue = newValue
                settings.callbacks = callbacks
            }
        }
    }

    package var callbacks: any CallbackQueue {
        get { settings.withLock { $0.callbacks } }
        set { settings.withLock { $0.callbacks = newValue } }
    }
}
