internal import EventLoop
internal import StorageModel

/// One thing at a time for a transfer or an operation: a request with its token, or a wait. Confined to
/// the engine's loop; what was stopped is never heard of again.
final class RequestLane: @unchecked Sendable {
    enum Authorization: Hashable, Sendable {
        /// The credentials at hand.
        case current
        /// Newer credentials than those that were refused.
        case fresh
    }

    let engine: StorageEngine
    private let settings: Storage.Settings
    /// Counts what was begun or stopped: an answer to an older number is dropped.
    private var turn = 0
    private var exchange: Int?
    /// The question to the providers that a request waits for.
    private var question: CredentialRequest?
    /// What the last request carried.
    private var held = StorageCredentials.Held()
    private var timer: LoopTimer?

    init(engine: StorageEngine, settings: Storage.Settings) {
        self.engine = engine
        self.settings = settings
    }

    var endpoint: StorageEndpoint { settings.endpoint }

    var now: Duration { engine.loop.now }

    /// Sends a request with its header fields and credentials.
    ///
    /// - Parameters:
    ///   - sink: hears of the answer unless the lane is stopped first.
    ///   - refused: called instead with the reason why the request was not sent; nil: there is
    ///     nothing newer than what the server refused.
    func send(
        _ request: TransportRequest, _ authorization: Authorization,
        to sink: any TransportSink & Sendable,
        refused: @escaping @Sendable (StorageFailure?) -> Void
    ) {
        turn += 1
        let turn = turn
        guard !settings.credentials.isEmpty, isForService(request.url) else {
            // Without anybody to ask there is nothing newer either.
            guard authorization == .current else {
                return engine.loop.post { [self] in if turn == self.turn { refused(nil) } }
            }
            return start(request, StorageCredentials.Held(), sink)
        }
        let old = authorization == .fresh ? held : nil
        question = CredentialRequest(settings.credentials, instead: old, engine) { [self] result in
            guard turn == self.turn else { return }
            question = nil
            switch result {
            case .failure(let failure): refused(failure)
            case .success(let found) where old != nil && !found.isSecret: refused(nil)
            case .success(let found):
                if let problem = endpoint.problem(carrying: found) { return refused(problem) }
                start(request, found, sink)
            }
        }
    }

    private func start(
        _ request: TransportRequest, _ found: StorageCredentials.Held, _ sink: any TransportSink
    ) {
        held = found
        var request = request
        request.authorityFile = settings.authorityFile
        request.values.userToken = found.user?.text
        request.values.appCheckToken = found.app?.text
        request.values.appID = settings.appID
        if let kind = request.kind {
            request.headers = settings.behaviour.headers.fields(of: kind, request.values)
        }
        exchange = engine.transport.start(request, sink)
    }

    /// Credentials go to the service alone, wherever an answer may point.
    private func isForService(_ url: String) -> Bool {
        StorageEndpoint(url: url).map { settings.endpoint.isSameServer(as: $0) } ?? false
    }

    func wait(_ delay: Duration, _ then: @escaping @Sendable () -> Void) {
        turn += 1
        let turn = turn
        timer = engine.loop.timer(after: delay) { [self] in
            guard turn == self.turn else { return }
            timer = nil
            then()
        }
    }

    /// Aborts what is under way.
    func stop() {
        turn += 1
        question?.withdraw()
        question = nil
        if let exchange { engine.transport.cancel(exchange) }
        exchange = nil
        if let timer { engine.loop.cancel(timer) }
        timer = nil
    }

    /// There is room again for the answer.
    func goOn() {
        if let exchange { engine.transport.goOn(exchange) }
    }

    /// The exchange is over: there is nothing to abort any more.
    func ended() { exchange = nil }

    /// Time limits for an exchange that begins now.
    func limit(_ request: inout TransportRequest, _ budget: RetryBudget) {
        let now = now
        let silence = budget.silenceLimit(at: now) ?? engine.idleTimeout
        request.idleTimeout = min(engine.idleTimeout, silence)
        let connecting = budget.connectLimit(at: now) ?? engine.idleTimeout
        request.connectTimeout = min(engine.idleTimeout, connecting)
    }
}
