import EventLoop
import FaultEngine
package import HTTPEngine
package import MockServer
import ObjectStore
package import StorageModel

/// The control API of a served backend: faults, gates, objects, sessions and the journal from outside,
/// on a loopback port of its own. `Conformance/CONTROL.md` shows every route.
///
/// It runs on the server's loop, so that what it does happens between two moments of the backend.
package final class ControlAPI: ExchangeHandler, @unchecked Sendable {
    // Invariant: confined to the loop.
    let server: MockServer
    let options: ControlOptions
    /// Called on the loop after everything began anew.
    private let whenReset: @Sendable () -> Void
    private var engine: HTTPEngine?
    private var access = ControlGuard(token: nil, port: 0)
    var snapshots: [String: OnLoop<StoreSnapshot>] = [:]
    private var streams: [JournalStream] = []
    let birth = EventLoop.monotonic()

    /// - Parameter whenReset: called on the loop after everything began anew.
    package init(
        _ server: MockServer, _ options: ControlOptions = ControlOptions(),
        whenReset: @escaping @Sendable () -> Void = {}
    ) {
        self.server = server
        self.options = options
        self.whenReset = whenReset
    }

    /// Listens on 127.0.0.1. Call it on the loop.
    ///
    /// - Parameter port: 0 for any free port.
    /// - Returns: the port.
    package func start(port: UInt16 = 0) throws(HTTPEngineError) -> UInt16 {
        var limits = EngineLimits()
        limits.connections = options.connections
        let engine = HTTPEngine(loop: server.loop, handler: self, limits: limits)
        let port = try engine.start(port: port)
        self.engine = engine
        access = ControlGuard(token: options.token, port: port)
        server.assumeIsolated { server in
            server.observe { [weak self] event in self?.saw(event) }
        }
        return port
    }

    /// Ends every connection; whoever follows the journal is told that it ends. Call it on the loop,
    /// after the server has stopped.
    package func stop() {
        for stream in streams { stream.end() }
        streams = []
        engine?.stop()
        engine = nil
    }

    // MARK: The journal

    private func saw(_ event: JournalEvent) {
        guard case .end(let record) = event, !streams.isEmpty else { return }
        streams.removeAll { !$0.isOpen }
        for stream in streams { stream.take(record) }
    }

    func follow(_ stream: JournalStream) { streams.append(stream) }

    /// Work on the server, whose actor this loop is.
    func backend<Value>(_ body: @Sendable (isolated MockServer) -> Value) -> Value {
        server.assumeIsolated { OnLoop(value: body($0)) }.value
    }

    /// Everything begins anew.
    func reset(faults: [FaultRule]?) {
        let count = server.assumeIsolated { server in
            server.reset(faults: faults)
            return server.resets
        }
        for stream in streams { stream.noteReset(count) }
        whenReset()
    }

    // MARK: Requests

    package func accepted(_ connection: ConnectionID) -> AcceptVerdict { .proceed }

    package func closed(_ connection: ConnectionID) {}

    package func clientLeft(_ exchange: HTTPExchange) {}

    package func ended(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        if let call = exchange.state as? ControlCall { stopWatching(call) }
        exchange.state = nil
    }

    package func doorKey(_ exchange: HTTPExchange) -> DoorKey {
        DoorKey(lane: "control", number: exchange.ordinal)
    }

    package func reached(
        _ exchange: HTTPExchange, _ point: ExchangePoint
    ) -> ExchangeVerdict {
        switch point {
        case .head:
            if let refusal = begin(exchange) { return .respond(refusal) }
            return .proceed
        case .requestBody(let offset):
            guard let call = exchange.state as? ControlCall, offset > call.limit else {
                return .proceed
            }
            return .respond(tooLarge(call))
        case .requestEnd:
            guard let call = exchange.state as? ControlCall else {
                return .respond(ControlAnswer.error(500, "the request was not taken up"))
            }
            stopWatching(call)
            return perform(call)
        case .responseHead, .responseBody, .responseEnd, .interrupted: return .proceed
        }
    }

    package func received(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) {
        guard let call = exchange.state as? ControlCall else { return }
        call.lastBytes = EventLoop.monotonic()
        if let staged = call.staged { staged.append(bytes) } else { call.body += bytes }
    }

    /// Looks at the head; the answer for one that is refused.
    private func begin(_ exchange: HTTPExchange) -> HTTPResponse? {
        let head = exchange.head
        if let refusal = access.refusal(of: head) { return refusal }
        if let refusal = exchange.refusal {
            return ControlAnswer.error(refusal.status, refusal.sentence)
        }
        let call: ControlCall
        switch ControlRoute.find(head.method, RequestTarget(head.target)) {
        case .unknown: return ControlAnswer.unknownRoute()
        case .wrongMethod(let route): return ControlAnswer.wrongMethod(route)
        case .found(let route, let parameters):
            let limit = route == .object ? options.objectSize : options.textSize
            call = ControlCall(route, parameters, head, limit: limit)
        }
        if let length = head.contentLength, length > call.limit { return tooLarge(call) }
        exchange.requestStops = [call.limit + 1]
        exchange.state = call
        if call.route == .object, call.method == "PUT" {
            call.staged = stage(call, declared: head.contentLength)
        }
        if head.contentLength ?? 0 > 0 || head.headers["Transfer-Encoding"] != nil {
            watch(exchange, call)
        }
        return nil
    }

    private func tooLarge(_ call: ControlCall) -> HTTPResponse {
        ControlAnswer.error(413, "the body is larger than \(call.limit) bytes, the limit here")
    }

    /// A client that stops in the middle of its body does not keep its connection for ever.
    private func watch(_ exchange: HTTPExchange, _ call: ControlCall) {
        let rest = max(options.patience - call.silence, .milliseconds(1))
        call.timer = server.loop.realTimer(after: rest) { [weak self, weak exchange, weak call] in
            guard let self, let exchange, let call, exchange.state === call else { return }
            guard call.silence >= options.patience else { return watch(exchange, call) }
            exchange.breakOff(.reset)
        }
    }

    private func stopWatching(_ call: ControlCall) {
        call.timer.map(server.loop.cancel)
        call.timer = nil
    }
}

/// A value that does not leave the loop.
struct OnLoop<Value>: @unchecked Sendable {
    // Invariant: made and taken on the loop.
    let value: Value
}

extension HTTPResponse {
    /// The text for people that the engine gives a refusal.
    fileprivate var sentence: String {
        let text = String(decoding: body.allBytes, as: UTF8.self)
        return String(text.drop { $0 == " " }.prefix { !$0.isNewline })
    }
}
