internal import EventLoop
public import Foundation

/// Loads images from references: a placeholder first, then the image or why there is none, with a
/// cache in memory and one on disk (rule D29).
///
/// A cached image is shown at once, and the server is asked whether it is still the stored one, by its
/// ETag (RFC 9110 section 13.1.2): an image that did not change is not sent again. Everybody who
/// waits for the same image waits for one request. May be used from any thread.
///
/// Caches know no users: call ``removeAll()`` when one signs out.
public final class StorageImageLoader: Sendable {
    /// What a loader keeps, and for how long.
    public struct Settings: Sendable, Hashable {
        /// Bytes of an image; a larger one fails with `downloadSizeExceeded`. 10 MiB unless set.
        public var maxImageSize: Int64 = 10 << 20
        /// Bytes of images kept in memory; 0: none. 64 MiB unless set.
        public var memoryLimit: Int = 64 << 20
        /// The folder of the disk cache, made when needed; nil: there is none.
        public var diskFolder: URL?
        /// Bytes of the files in the disk cache. 256 MiB unless set.
        public var diskLimit: Int64 = 256 << 20
        /// Seconds for which a cached image is taken without asking the server. 0 unless set.
        public var freshness: TimeInterval = 0

        /// A memory cache alone, and every image is asked for again.
        public init() {}
    }

    struct State {
        var memory: ImageMemoryCache
        var flights: [String: ImageFlight] = [:]
        var numbers = 0
    }

    /// As given.
    public let settings: Settings
    let state: Lock<State>
    private let disk: ImageDiskCache?
    /// Seconds since 1970.
    private let now: @Sendable () -> Double

    /// A loader with empty memory; what the disk cache holds is found again.
    ///
    /// - Parameter settings: what is kept, and for how long.
    public convenience init(settings: Settings = Settings()) {
        self.init(settings: settings) { Date().timeIntervalSince1970 }
    }

    init(settings: Settings, now: @escaping @Sendable () -> Double) {
        self.settings = settings
        self.now = now
        state = Lock(State(memory: ImageMemoryCache(limit: settings.memoryLimit)))
        disk = settings.diskFolder.map { ImageDiskCache(folder: $0, limit: settings.diskLimit) }
    }

    // MARK: Loading

    /// Loads an image.
    ///
    /// - Parameters:
    ///   - reference: the stored image.
    ///   - placeholder: comes back in the state ``StorageImageState/placeholder(_:)``.
    ///   - onState: called on the storage's callback queue, never at once.
    /// - Returns: cancels this load.
    @discardableResult
    public func load(
        _ reference: StorageReference, placeholder: Data? = nil,
        onState: @escaping @Sendable (StorageImageState) -> Void
    ) -> StorageImageRequest {
        let key = Self.key(reference)
        let queue = reference.storage.callbacks
        return state.withLock { state in
            state.numbers += 1
            let waiter = ImageFlight.Waiter(
                number: state.numbers, queue: queue, onState: onState)
            let request = StorageImageRequest(loader: self, key: key, number: waiter.number)
            switch reference.engine {
            case .success(let engine):
                let job = Job(
                    reference: reference, engine: engine, key: key, number: waiter.number)
                join(waiter, placeholder, job, &state)
            case .failure(let failure): waiter.tell(.failure(failure.nsError))
            }
            return request
        }
    }

    /// With the lock held.
    private func join(
        _ waiter: ImageFlight.Waiter, _ placeholder: Data?, _ job: Job, _ state: inout State
    ) {
        if let flight = state.flights[job.key] {
            waiter.tell(flight.shown.map { .cached($0) } ?? .placeholder(placeholder))
            state.flights[job.key]?.waiters.append(waiter)
            return
        }
        let cached = state.memory.image(job.key)
        if let cached, isFresh(cached) {
            return waiter.tell(.image(cached.image.found(in: .memory)))
        }
        var flight = ImageFlight(number: job.number, waiters: [waiter])
        flight.shown = cached?.image.found(in: .memory)
        waiter.tell(flight.shown.map { .cached($0) } ?? .placeholder(placeholder))
        state.flights[job.key] = flight
        start(job, isShown: flight.shown != nil)
    }

    /// Loads an image; cancelling the Swift task cancels the load.
    ///
    /// - Parameter reference: the stored image.
    /// - Returns: the image at the end of the load.
    /// - Throws: an `NSError` of `StorageErrorDomain`.
    public func image(at reference: StorageReference) async throws -> StorageImage {
        for await state in states(of: reference) {
            switch state {
            case .placeholder, .cached: continue
            case .image(let image): return image
            case .failure(let error): throw error
            }
        }
        throw TransferMachine.cancelled.nsError
    }

    /// The states of a load, up to its end; leaving the loop early cancels it.
    ///
    /// - Parameters:
    ///   - reference: the stored image.
    ///   - placeholder: comes back in the state ``StorageImageState/placeholder(_:)``.
    public func states(
        of reference: StorageReference, placeholder: Data? = nil
    ) -> AsyncStream<StorageImageState> {
        AsyncStream { continuation in
            let request = load(reference, placeholder: placeholder) { state in
                continuation.yield(state)
                if state.isEnd { continuation.finish() }
            }
            continuation.onTermination = { _ in request.cancel() }
        }
    }

    // MARK: Forgetting

    /// Forgets an image in memory and on disk. A load that is under way goes on.
    ///
    /// - Parameter reference: the stored image.
    public func remove(_ reference: StorageReference) {
        let key = Self.key(reference)
        state.withLock { $0.memory.remove(key) }
        guard let disk, case .success(let engine) = reference.engine else { return }
        engine.loop.offload {
            disk.remove(key)
        } then: { _ in
        }
    }

    /// Forgets all images in memory and on disk, and blocks until they are gone. Loads that are under
    /// way go on.
    public func removeAll() {
        state.withLock { $0.memory.removeAll() }
        disk?.removeAll()
    }

    // MARK: A flight

    /// What a flight is about.
    private struct Job: Sendable {
        let reference: StorageReference
        let engine: StorageEngine
        let key: String
        /// Of the flight.
        let number: Int
    }

    /// Names an image in the caches: its place, and whose credentials see it.
    private static func key(_ reference: StorageReference) -> String {
        "\(reference.storage.app.name) \(reference.address)"
    }

    private func isFresh(_ cached: CachedImage) -> Bool {
        settings.freshness > 0 && now() < cached.validated + settings.freshness
    }

    /// With the lock held: posts, and calls nobody.
    private func start(_ job: Job, isShown: Bool) {
        guard !isShown, let disk else {
            return job.engine.loop.post { [self] in ask(job) }
        }
        job.engine.loop.offload {
            disk.image(job.key)
        } then: { [self] cached in
            guard let cached else { return ask(job) }
            found(cached, job)
        }
    }

    /// The disk cache holds it.
    private func found(_ cached: CachedImage, _ job: Job) {
        let isOver = state.withLock { state in
            guard state.flights[job.key]?.number == job.number else { return true }
            state.memory.store(cached, for: job.key)
            guard isFresh(cached) else {
                state.flights[job.key]?.show(cached.image)
                return false
            }
            state.flights.removeValue(forKey: job.key)?.end(.image(cached.image))
            return true
        }
        if !isOver { ask(job) }
    }

    /// Asks the server. On the loop.
    private func ask(_ job: Job) {
        state.withLock { state in
            guard let flight = state.flights[job.key], flight.number == job.number else { return }
            let task = job.reference.content(
                maxSize: settings.maxImageSize, unless: flight.shown?.etag
            ) { [self] in
                answered($0, job)
            }
            state.flights[job.key]?.task = task
        }
    }

    private func answered(_ answer: Result<StoredContent, any Error>, _ job: Job) {
        state.withLock { state in
            guard state.flights[job.key]?.number == job.number,
                let flight = state.flights.removeValue(forKey: job.key)
            else { return }
            switch Self.outcome(answer, flight.shown, job.reference) {
            case .keep(let image):
                keep(CachedImage(image: image, validated: now()), job, &state, onDisk: true)
                flight.end(.image(image))
            case .confirm(let image):
                // On disk it differs by the time alone, which matters where images stay fresh.
                keep(
                    CachedImage(image: image, validated: now()), job, &state,
                    onDisk: settings.freshness > 0)
                flight.end(.image(image))
            case .stale(let image): flight.end(.image(image))
            case .drop(let error):
                state.memory.remove(job.key)
                if let disk {
                    job.engine.loop.offload {
                        disk.remove(job.key)
                    } then: { _ in
                    }
                }
                flight.end(.failure(error))
            case .fail(let error): flight.end(.failure(error))
            }
        }
    }

    private func keep(_ cached: CachedImage, _ job: Job, _ state: inout State, onDisk: Bool) {
        state.memory.store(cached, for: job.key)
        guard onDisk, let disk else { return }
        job.engine.loop.offload {
            disk.store(cached, for: job.key)
        } then: { _ in
        }
    }

    private enum Outcome {
        case keep(StorageImage)
        /// The cached image is the stored one.
        case confirm(StorageImage)
        case stale(StorageImage)
        /// What is cached is no longer to be shown.
        case drop(any Error)
        case fail(any Error)
    }

    /// Refusals after which a cached image is not to be shown any more.
    private static let refusals: Set<StorageErrorCode> = [
        .objectNotFound, .bucketNotFound, .projectNotFound, .unauthenticated, .unauthorized,
        .downloadSizeExceeded,
    ]

    private static func outcome(
        _ answer: Result<StoredContent, any Error>, _ shown: StorageImage?,
        _ reference: StorageReference
    ) -> Outcome {
        switch answer {
        case .success(.unchanged):
            if let shown { return .confirm(shown) }
            return .fail(
                StorageFailure(.unknown, "The server speaks of a copy that there is not.").nsError)
        case .success(.content(let data, let etag)):
            guard let format = StorageImageFormat(detectedIn: data) else {
                return .drop(
                    StorageFailure(
                        .unknown, "What is stored at \(reference.description) is no image."
                    ).nsError)
            }
            return .keep(
                StorageImage(data: data, format: format, etag: etag, origin: .server))
        case .failure(let error):
            let code = StorageFailure(error)?.code
            if let code, refusals.contains(code) { return .drop(error) }
            guard let shown else { return .fail(error) }
            return .stale(shown.found(in: shown.origin, isStale: true))
        }
    }

    func cancel(_ key: String, _ number: Int) {
        state.withLock { state in
            guard var flight = state.flights[key],
                let index = flight.waiters.firstIndex(where: { $0.number == number })
            else { return }
            let waiter = flight.waiters.remove(at: index)
            waiter.tell(.failure(TransferMachine.cancelled.nsError))
            if flight.waiters.isEmpty {
                state.flights[key] = nil
                flight.task?.cancel()
            } else {
                state.flights[key] = flight
            }
        }
    }
}
