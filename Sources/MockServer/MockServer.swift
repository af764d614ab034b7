package import EventLoop
package import FaultEngine
import HTTPEngine
package import ObjectStore
package import StorageModel
import StorageWire

/// The mock backend: a real HTTP server over an object store, with faults at exact places.
///
/// Everything happens on the loop, which is the actor's executor; whoever is on the loop may use
/// `assumeIsolated`.
package actor MockServer {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    package nonisolated let settings: BackendSettings
    package let store: ObjectStore
    let dialect: FirebaseDialect
    let tokens: TokenRegistry
    let options: Options
    let base: String
    var injector: FaultInjector
    var journal: Journal
    var observers: [@Sendable (JournalEvent) -> Void] = []
    /// Asked for each exchange at its head; true keeps it there until `letIn`.
    package var holdsAtHead: (@Sendable (ExchangeRecord) -> Bool)?

    /// Signs the certificate that clients are shown; nil: the server speaks without TLS.
    let authority: TLSAuthority?
    /// Those that have not ended.
    var handshakes: [ConnectionID: Handshake] = [:]
    var engine: HTTPEngine?
    var address: (host: String, port: UInt16)?
    private var describer: VirtualTime.Describer?
    var calls = KnownCalls()
    var runs: [Int: ExchangeRun] = [:]
    var held: [HoldID: Int] = [:]
    var holdReports: [HoldID: @Sendable (ExchangeRecord) -> Void] = [:]
    /// Connections that are to stay silent for good.
    var silenced: Set<ConnectionID> = []
    var connections: Set<ConnectionID> = []
    /// Where faults have sent clients that the backend would not have: path and query.
    var forgedTargets: Set<String> = []
    /// When each was accepted.
    var births: [ConnectionID: Duration] = [:]
    /// The exchange of each of which the newest such left something to happen while it is idle.
    var lastRuns: [ConnectionID: ExchangeRun] = [:]
    /// Connections that end at an age.
    var agedConnections: Set<ConnectionID> = []
    /// Ended before a byte of an answer, on a connection that was used before.
    var resendable: ResendCandidate?
    /// Connections that faults have to do with before a byte of them is read.
    var arrivals: [ConnectionID: ConnectionArrival] = [:]
    /// Pace of everything that is read from some connections, and of the bodies sent on them.
    var connectionPaces: [ConnectionID: Pace.Kind] = [:]
    /// Who wants the port closed, and who wants it to answer nobody.
    var refusals: [RefusalKind: Int] = [:]
    /// How the link is down; nil: it is up.
    var linkRefusal: RefusalKind?
    /// Stopped for good: a restart under way does not come back.
    var isOver = false
    /// Why the port could not be taken again; nil: it could.
    package internal(set) var portLost: String?
    /// What faults were to do and could not, in order: mistakes of the scenario.
    package internal(set) var problems: [FaultProblem] = []
    /// Whether a fault may falsify answers while they are being sent.
    var corruptsAnswers = false
    /// The objects as they were given, and the faults.
    let origin: (objects: StoreSnapshot, faults: [FaultRule])
    /// How often everything began anew.
    package internal(set) var resets = 0
    /// What connections are called that were there before everything began anew, and those after.
    var connectionNames: [ConnectionID: Int] = [:]
    var connectionCount = 0
    /// Heads that had arrived when everything began anew.
    var arrivedBefore = 0

    /// How a server is run, apart from what it holds.
    package struct Options: Sendable {
        /// Seeds ids, draws and made-up bytes.
        package var seed: UInt64 = 0
        /// The scenario's id: other ids give other draws.
        package var scenario = ""
        /// `squall serve`: any bucket and token unless given, and transfers as section 11 counts.
        package var isServed = false
        /// True: a hidden resend is in the journal, but no fault and no ordinal counts it.
        package var ignoresResends = false
        /// Records that the journal keeps, 1 or more: the newest.
        package var journalLimit = 100_000
        package var limits = ServerLimits()
        /// True: answers say in `X-Squall-Fault` which faults have fired on their exchange.
        package var explains = false
        /// Makes the server one behind TLS, in wall time: the hosts and addresses that its certificate
        /// is for. Nil: plain HTTP.
        package var tlsNames: [String]?
        /// Milliseconds since 1970 at the start; nil: the machine's clock, in virtual time a fixed day.
        package var epoch: Int64?

        package init() {}
    }

    /// - Parameters:
    ///   - settings: what the backend holds; given files are read here.
    ///   - faults: in file order.
    /// - Throws: `MockServerError` for a given object that cannot be, or where there can be no
    ///   certificate.
    package init(
        loop: EventLoop, settings: BackendSettings, faults: [FaultRule] = [],
        options: Options = Options()
    ) throws(MockServerError) {
        self.loop = loop
        self.settings = settings
        self.options = options
        let epoch = options.epoch ?? (loop.time == nil ? SystemClock.milliseconds : Self.epoch)
        let now = Self.wallClock(of: loop)
        let buckets = settings.bucket.map { [$0] + settings.otherBuckets }
        let store = ObjectStore(buckets: buckets, limits: options.limits.store, seed: options.seed)
        {
            epoch + now()
        }
        self.store = store
        base = settings.bucket ?? "demo.appspot.com"
        authority = try options.tlsNames.map { names throws(MockServerError) in
            do throws(TLSError) { return try TLSAuthority(names: names) } catch {
                throw .noCertificate(error.description)
            }
        }
        dialect = FirebaseDialect(
            settings: settings, scheme: options.tlsNames == nil ? "http" : "https")
        journal = Journal(limit: options.journalLimit)
        tokens = TokenRegistry(tokens: settings.tokens) { loop.now }
        injector = FaultInjector(
            rules: faults, seed: options.seed, scenario: options.scenario,
            isServed: options.isServed)
        var given: [BackendSettings.GivenObject] = []
        for object in settings.objects {
            let object = try GivenContent.read(object)
            try GivenContent.put(object, into: store, defaultBucket: base)
            given.append(object)
        }
        origin = (store.snapshot(), faults)
        corruptsAnswers = Self.corruptsAnswers(faults)
        guard buckets == nil else { return }
        // Whatever its own bucket is called, a client finds the given objects there.
        store.fillsBucket = { [unowned store] name throws(StoreError) in
            for object in given where !object.path.hasPrefix("gs://") {
                try store.put(object, defaultBucket: name)
            }
        }
    }

    /// 1 January 2026: where virtual time begins, so that every run tells the same times.
    private static let epoch: Int64 = 1_767_225_600_000

    /// Milliseconds from now on, by a clock that never goes back: the loop's own may begin anew.
    private static func wallClock(of loop: EventLoop) -> () -> Int64 {
        guard loop.time == nil else { return { loop.now.nanoseconds / 1_000_000 } }
        let start = EventLoop.monotonic()
        return { (EventLoop.monotonic() - start) / 1_000_000 }
    }

    // MARK: Life

    /// Listens on a loopback address.
    ///
    /// - Parameter port: 0 for any free port.
    /// - Returns: the port.
    /// - Throws: `MockServerError.cannotListen`.
    package func start(
        host: String = "127.0.0.1", port: UInt16 = 0
    ) throws(MockServerError) -> UInt16 {
        var limits = options.limits.engine
        limits.readsSlowly = readsSlowly(injector.rules)
        limits.connectionLimit = settings.connectionLimit
        let engine = HTTPEngine(
            loop: loop, handler: self, limits: limits, authority: authority)
        do {
            calls.forget()
            let port = try engine.start(host: host, port: port)
            self.engine = engine
            address = (host, port)
            engine.portFailed = { [weak self] error in
                self?.assumeIsolated { $0.portLost = error.description }
            }
            updatePort()
            describer = loop.time?.describe("exchanges that stand still") { [weak self, loop] in
                // With several loops another thread may ask.
                guard let self, loop.isCurrent else { return [] }
                return assumeIsolated { $0.waiting }
            }
            return port
        } catch {
            throw .cannotListen(error.description)
        }
    }

    /// Ends every connection for good; exchanges under way end as `open`.
    package func stop() {
        isOver = true
        endEngine()
    }

    /// Ends every connection; a server that restarts comes back after it.
    func endEngine() {
        abandonHandshakes()
        endArrivals()
        engine?.stop()
        engine = nil
        describer.map { loop.time?.remove($0) }
        for run in runs.values { cancelTimer(run) }
    }

    // MARK: What was seen

    /// The newest records, in the order in which heads were read; connections that met a fault between
    /// them. Nothing is to be judged by them where `droppedRecords` is not 0.
    package var records: [ExchangeRecord] { journal.all }

    /// Records that had to go because the journal was full.
    package var droppedRecords: Int { journal.dropped }

    /// Exchanges that came, without connections.
    package var exchangeCount: Int { journal.count }

    /// Heads that arrived, those included that wait to be let in.
    package var arrivedCount: Int { (engine?.exchangeCount ?? 0) - arrivedBefore }

    package func observe(_ observer: @escaping @Sendable (JournalEvent) -> Void) {
        observers.append(observer)
    }

    /// Connections that are open now.
    package var openConnections: Int { connections.count }

    /// What clients did that the backend refuses, in order; of the records that are kept.
    package var complaints: [Complaint] { journal.all.flatMap(\.complaints) }

    /// How often each fault fired, in file order.
    package var firedCounts: [Int] { injector.firedCounts }

    /// The faults that never fired, with the nearest exchanges; those that may miss, too.
    package var unfired: [UnfiredFault] { injector.unfired }

    /// Every generation of an object, oldest first.
    package func versions(of path: String, in bucket: String? = nil) -> [StoredObject] {
        store.versions(of: path, in: bucket ?? base)
    }

    /// The generation that downloads get; nil where there is none.
    package func object(_ path: String, in bucket: String? = nil) -> StoredObject? {
        try? store.object(path, in: bucket ?? base)
    }

    /// Announces what an upload will bring, so that it need not be kept (`keep: verify`).
    package func expect(_ content: any ByteSource, for path: String, in bucket: String? = nil) {
        store.expect(content, for: path, in: bucket ?? base)
    }

    /// One line for each exchange that stands still, and for what.
    package var waiting: [String] {
        runs.values.sorted { $0.record.ordinal < $1.record.ordinal }.compactMap(\.waitText)
            + arrivals.sorted { $0.key < $1.key }.compactMap(\.value.waitText)
    }

    // MARK: Private parts

    func tell(_ event: JournalEvent) {
        for observer in observers { observer(event) }
    }

    /// Runs `work` after a time on the scenario's clock.
    func after(
        _ delay: Duration, _ work: @escaping @Sendable (isolated MockServer) -> Void
    ) -> LoopTimer {
        loop.timer(after: delay) { [weak self] in self?.assumeIsolated(work) }
    }

    func cancelTimer(_ run: ExchangeRun) {
        if let timer = run.timer { loop.cancel(timer) }
        run.timer = nil
    }
}

/// Why a server cannot be made or started.
package enum MockServerError: Error, Hashable, CustomStringConvertible {
    /// The engine's sentence.
    case cannotListen(String)
    case badObject(path: String, reason: String)
    case unreadableFile(path: String, reason: String)
    /// GnuTLS's sentence.
    case noCertificate(String)
    /// There is no upload session that the action could be carried out on.
    case noSession

    package var description: String {
        switch self {
        case .cannotListen(let reason): reason
        case .badObject(let path, let reason): "object '\(path)': \(reason)"
        case .unreadableFile(let path, let reason): "cannot read \(path): \(reason)"
        case .noCertificate(let reason): "there can be no certificate: \(reason)"
        case .noSession: "there is no upload session"
        }
    }
}
