package import EventLoop
internal import StorageModel

/// What all transfers of a client share: the loop they run on, the transport and the seed of chance.
package final class StorageEngine: Sendable {
    package let loop: EventLoop
    let transport: any HTTPTransport
    /// Silence after which an exchange is given up, on the loop's clock.
    package let idleTimeout: Duration
    /// Factor on the waits between two tries, also on those that a server asks for.
    let waitScale: Double
    /// Where providers of credentials and streams run, which are the program's own code; nil: where Swift runs
    /// everything by default, so that one that blocks its thread does not hold up the loop.
    let providers: (any TaskExecutor)?
    /// Which answers and which breaks mean what, for tests: nil: what the storage's behaviour says.
    private let answers: AnswerTable?
    private let breaks: TransportTable?
    private let seed: UInt64
    private let ordinals = Lock<[String: Int]>([:])

    /// - Parameter isShared: the program's own code must not run on the loop.
    init(
        loop: EventLoop, transport: any HTTPTransport, seed: UInt64 = 0,
        idleTimeout: Duration = .seconds(60), waitScale: Double = 1, isShared: Bool = false,
        answers: AnswerTable? = nil, breaks: TransportTable? = nil
    ) {
        self.loop = loop
        self.answers = answers
        self.breaks = breaks
        self.transport = transport
        self.seed = seed
        self.idleTimeout = idleTimeout
        self.waitScale = waitScale
        providers = isShared ? nil : loop
    }

    /// What is tried again by a storage of that behaviour.
    func retries(_ behaviour: StorageBehaviour) -> StorageBehaviour.Retries {
        var retries = behaviour.retries
        if let answers { retries.answers = answers }
        if let breaks { retries.breaks = breaks }
        return retries
    }

    /// An engine over libcurl on a loop that was started.
    ///
    /// - Parameters:
    ///   - seed: of the jitter between retries.
    ///   - idleTimeout: silence after which an exchange is given up; more than zero.
    ///   - connections: exchanges at once; further ones wait in the order of their coming. 1 or more.
    ///   - waitScale: factor on the waits between two tries; 1 but for scenarios in wall time.
    ///   - isShared: the program's own code must not run on the loop; false where the loop's virtual
    ///     clock has to know of it.
    ///   - transport: what the requests go through, given what carries them: for tests.
    package convenience init(
        loop: EventLoop, seed: UInt64 = 0, idleTimeout: Duration = .seconds(60),
        connections: Int = 8, waitScale: Double = 1, isShared: Bool = false,
        through transport: (any HTTPTransport) -> any HTTPTransport = { $0 }
    ) {
        self.init(
            loop: loop, transport: transport(CurlTransport(loop: loop, connections: connections)),
            seed: seed, idleTimeout: idleTimeout, waitScale: waitScale, isShared: isShared)
    }

    /// Ends every exchange without a word to the tasks and frees the connections. On the loop, once.
    package func shutDown() { transport.shutDown() }

    /// A random source of its own for each use of a path, whatever runs beside it.
    func random(for path: StoragePath, _ use: String) -> SplitMix64 {
        let name = "\(use) \(path.text)"
        let ordinal = ordinals.withLock { ordinals in
            ordinals[name, default: 0] += 1
            return ordinals[name, default: 1]
        }
        return SplitMix64(seed: SplitMix64.derive(seed, name, String(ordinal)))
    }

    /// For programs that bring no loop: made at the first use, there until the process ends.
    static let standalone = Result<StorageEngine, StorageFailure> { () throws(StorageFailure) in
        do {
            let loop = try EventLoop()
            try loop.start()
            var random = SystemRandomNumberGenerator()
            return StorageEngine(loop: loop, seed: random.next(), isShared: true)
        } catch {
            throw StorageFailure(.internalError, "The library cannot begin to work: \(error).")
        }
    }
}
