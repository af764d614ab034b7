import CEpoll
import CMicroHTTPD
package import EventLoop
import Glibc
import StorageModel

/// HTTP/1.1 over our own listener, on one loop: libmicrohttpd as a parser and writer, every exchange
/// stopped where its handler wants it.
///
/// In virtual time `start` adds a stage to the clock, which lets in one exchange (or one piece of a
/// download) at a time: what must come before that has to be added earlier.
package final class HTTPEngine: LoopComponent, @unchecked Sendable {
    // Invariant: everything but `door` is confined to the loop.
    let loop: EventLoop
    weak var handler: (any ExchangeHandler)?
    let limits: EngineLimits
    let door = Door()
    let peers = PeerStates()

    /// libmicrohttpd, and its epoll descriptor.
    var daemon: OpaquePointer?
    var parserEpoll: Int32 = -1
    /// Takes the place of a connection that libmicrohttpd has to let go of.
    private(set) var deadSocket: Int32 = -1
    /// Where libmicrohttpd writes an answer that nobody is to see, and the other end of that.
    private(set) var sink = Sockets.Pair.none
    var listener: Listener?
    /// What the handler wants of the port, and what was made of it.
    var portState = PortState.taking
    var listenerState = Listener.State.taking
    /// Called on the loop when the port cannot be opened again.
    package var portFailed: ((HTTPEngineError) -> Void)?
    var isStopping = false

    var needsRun = true
    private var isRunning = false
    private var ready: [HTTPExchange] = []
    private var describer: VirtualTime.Describer?

    var connectionCount = 0
    var liveConnections: Set<ConnectionID> = []
    /// Connections given to libmicrohttpd that it has not announced yet.
    var announced: [Int32: ConnectionID] = [:]
    var links: [ObjectIdentifier: Link] = [:]
    /// Connections of which the client has finished sending, before libmicrohttpd knows.
    var finishing: [Link] = []
    /// Connections that libmicrohttpd takes up before it reads, in its next turn.
    var hurried: [Link] = []
    var scripts: [ObjectIdentifier: ScriptedSocket] = [:]
    /// Connections about which the handler has not decided yet.
    var undecided: [ConnectionID: ScriptedSocket] = [:]
    /// Connections that the kernel sends nothing more on.
    var muted: Set<ConnectionID> = []
    /// How long the heads of some connections take to be read, by their bytes.
    var headTimes: [ConnectionID: (Int) -> Duration] = [:]
    var ownAnswers: [ObjectIdentifier: OwnAnswer] = [:]
    /// Who signs the certificate that clients are shown; nil: the engine speaks without TLS.
    let authority: TLSAuthority?
    var handshakes: [ObjectIdentifier: TLSHandshake] = [:]
    var relays: [ConnectionID: TLSRelay] = [:]
    /// Statuses of the pages that libmicrohttpd has sent by itself and that were not yet told.
    var parserRefusals: [Int] = []
    /// Connections that closed meanwhile, their clients having left.
    var leftInThisTurn: [ConnectionID] = []
    var liveAnswers: [ObjectIdentifier: LiveAnswer] = [:]
    /// Heads that arrived: the ordinal of the newest exchange.
    package internal(set) var exchangeCount = 0
    var heads = HeadCache()
    var patienceTimer: LoopTimer?
    /// Connections of clients that are waited for, as they were seen last.
    var standstills: [Int32: Standstill] = [:]
    /// Exchanges that are not over.
    var exchanges: [Int: HTTPExchange] = [:]

    /// Bytes of a connection's receive buffer where bodies are read slowly; the kernel doubles it.
    private static let smallReceiveBuffer: Int32 = 32 << 10

    /// - Parameters:
    ///   - handler: held weakly; it usually owns the engine.
    ///   - authority: makes every connection one through TLS; in wall time only.
    package init(
        loop: EventLoop, handler: any ExchangeHandler, limits: EngineLimits = .init(),
        authority: TLSAuthority? = nil
    ) {
        precondition(authority == nil || loop.time == nil, "TLS knows no virtual time")
        self.loop = loop
        self.authority = authority
        self.handler = handler
        self.limits = limits
    }

    /// Listens. Call it on the loop.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
    ///   - port: 0 for any free port.
    /// - Returns: the port.
    package func start(host: String = "127.0.0.1", port: UInt16 = 0) throws(HTTPEngineError)
        -> UInt16
    {
        precondition(listener == nil, "the engine was started before")
        let listener = Listener(
            host: host, port: port, loop: loop,
            receiveBuffer: limits.readsSlowly ? Self.smallReceiveBuffer : nil
        ) { [unowned self] in accept($0) }
        try listener.set(.taking)
        isStopping = false
        deadSocket = Sockets.makeDead()
        sink = Sockets.makePair()
        guard deadSocket >= 0, sink.near >= 0, startParser() else {
            listener.close()
            throw .noDaemon
        }
        self.listener = listener
        (portState, listenerState) = (.taking, .taking)
        loop.add(self)
        watchPatience()
        if let time = loop.time {
            door.attach(to: time, on: loop) { [weak self] in self?.admitNext() }
            describer = time.describe("server on port \(listener.port)") { [weak self] in
                self?.waiting ?? []
            }
        }
        return listener.port
    }

    /// Ends every connection, live, waiting and adopted alike; the exchanges under way end as `open`.
    /// Call it on the loop, not from inside a call to the handler, once after each start.
    package func stop() {
        guard let listener else { return }
        isStopping = true
        patienceTimer.map(loop.cancel)
        patienceTimer = nil
        listener.close()
        self.listener = nil
        door.removeAll()
        for exchange in exchanges.values.sorted(by: { $0.ordinal < $1.ordinal }) {
            end(exchange, exchange.isClientGone ? .clientLeft : .open)
        }
        for script in Array(scripts.values) { script.stop() }
        for answer in Array(ownAnswers.values) { answer.stop() }
        for answer in Array(liveAnswers.values) { answer.stop() }
        for link in Array(links.values) where link.isSuspended { resume(link) }
        // Nobody may be suspended when libmicrohttpd stops: it takes resumptions in when it runs.
        while needsRun { _ = runOnce() }
        loop.unwatch(parserEpoll)
        loop.remove(self)
        describer.map { loop.time?.remove($0) }
        for link in links.values where muted.contains(link.id) { Sockets.reset(link.descriptor) }
        MHD_stop_daemon(daemon)
        daemon = nil
        stopTLS()
        ready = []
        finishing = []
        hurried = []
        close(deadSocket)
        close(sink.near)
        close(sink.far)
    }

    /// Connections are taken from now on as `EngineLimits.readsSlowly` says.
    package func readSlowly() { listener?.setReceiveBuffer(Self.smallReceiveBuffer) }

    /// One line for each exchange that waits, saying for what: for the report of a stuck run.
    package var waiting: [String] {
        exchanges.values.sorted { $0.ordinal < $1.ordinal }.map(Self.describe)
    }

    package func runOnce() -> Int64? {
        isRunning = true
        defer { isRunning = false }
        var turns = 0
        while needsRun || !ready.isEmpty, turns < 64 {
            turns += 1
            let batch = ready
            ready = []
            for exchange in batch { goOn(exchange) }
            guard needsRun else { continue }
            needsRun = false
            MHD_run(daemon)
            forgetHurry()
            forgetRefusals()
            showEnds()
            var limit: UInt64 = 0
            // Zero means that work is left; no other value comes, as we set no time limits.
            if MHD_get_timeout(daemon, &limit) == .YES, limit == 0 { needsRun = true }
        }
        return needsRun || !ready.isEmpty ? 0 : nil
    }

    func goOnLater(_ exchange: HTTPExchange) {
        exchange.isWaiting = false
        ready.append(exchange)
        // Another component of the loop may have caused this after our turn.
        if !isRunning { loop.post {} }
    }

    private static func describe(_ exchange: HTTPExchange) -> String {
        let target = RequestTarget.redacted(exchange.head.target)
        let name = "exchange \(exchange.ordinal) (\(exchange.head.method) \(target))"
        return switch exchange.stage {
        case .queued where exchange.headTimer != nil: "\(name) has its head read slowly"
        case .queued: "\(name) waits for an earlier one on its connection"
        case .door: "\(name) stands at the door"
        case .head: "\(name) waits at its head"
        case .requestBody:
            exchange.isWaiting
                ? "\(name) waits at byte \(exchange.received) of the request's body"
                : "\(name) waits for request body bytes after \(exchange.received)"
        case .requestEnd: "\(name) waits with the whole request read"
        case .responseHead: "\(name) waits before its answer"
        case .responseBody:
            exchange.isWaiting
                ? "\(name) waits at byte \(exchange.sent) of the answer's body"
                : "\(name) waits for its client to read after byte \(exchange.sent)"
        case .responseEnd: "\(name) waits after its answer"
        case .silent: "\(name) is silent"
        case .over: "\(name) is over"
        }
    }
}
