internal import EventLoop
internal import StorageModel

/// One thing at a time for a transfer or an operation: a request with its token, or a wait. Confined to
/// the engine's loop; what was stopped is never heard of again.
final class RequestLane: @unchecked Sendable {
    enum Authorization: Hashable, Sendable {
        /// The token at hand.
        case current
        /// A newer token than the one that was refused.
        case fresh
    }

    let engine: StorageEngine
    private let settings: Storage.Settings
    /// Counts what was begun or stopped: an answer to an older number is dropped.
    private var turn = 0
    private var exchange: Int?
    private var timer: LoopTimer?

    init(engine: StorageEngine, settings: Storage.Settings) {
        self.engine = engine
        self.settings = settings
    }

    var endpoint: StorageEndpoint { settings.endpoint }

    var now: Duration { engine.loop.now }

    /// Sends a request; `refused` is called instead when there is no token, or no fresh one.
    ///
    /// - Parameter sink: hears of the answer unless the lane is stopped first.
    func send(
        _ request: TransportRequest, _ authorization: Authorization,
        to sink: any TransportSink & Sendable,
        refused: @escaping @Sendable ((any Error)?) -> Void
    ) {
        turn += 1
        let turn = turn
        var request = request
        request.authorityFile = settings.authorityFile
        guard let tokens = settings.tokens, mayCarryToken(request.url) else {
            // Without anybody to ask there is no fresh token either.
            if authorization == .fresh {
                engine.loop.post { [self] in if turn == self.turn { refused(nil) } }
            } else {
                exchange = engine.transport.start(request, sink)
            }
            return
        }
        tokens.token(fresh: authorization == .fresh) { [self, request] result in
            engine.loop.post { [self] in
                guard turn == self.turn else { return }
                switch result {
                case .success(let token?):
                    var request = request
                    request.headers["Authorization"] = "Firebase \(token)"
                    exchange = engine.transport.start(request, sink)
                case .success(nil) where authorization == .current:
                    exchange = engine.transport.start(request, sink)
                case .success(nil): refused(nil)
                case .failure(let error): refused(error)
                }
            }
        }
    }

    /// A token goes to the service alone, wherever an answer may point.
    private func mayCarryToken(_ url: String) -> Bool {
        guard let target = StorageEndpoint(url: url) else { return false }
        return target.mayCarryToken && settings.endpoint.isSameServer(as: target)
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
        if let exchange { engine.transport.cancel(exchange) }
        exchange = nil
        if let timer { engine.loop.cancel(timer) }
        timer = nil
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
