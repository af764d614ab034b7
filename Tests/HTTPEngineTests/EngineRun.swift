import EventLoop
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

/// What a test's handler does, and where its exchanges stop. Constant while the engine runs.
struct Plan: Sendable {
    var requestStops: [Int64] = []
    var responseStops: [Int64] = []
    var response = HTTPResponse(status: 200, body: ByteArraySource(Array("hello".utf8)))
    /// Verdicts at points, each used once an exchange; elsewhere `proceed`, and at `requestEnd` the
    /// response.
    var verdicts: [ExchangePoint: ExchangeVerdict] = [:]
    /// Verdicts for connections by their ordinal.
    var accepts: [Int: AcceptVerdict] = [:]
    var closesConnection = false
    /// For handshakes by the ordinals of their connections.
    var handshakes: [Int: TLSPlan] = [:]
    var form = AnswerForm()
    var whenComplete = WhenComplete.keep

    static func at(_ point: ExchangePoint, _ verdict: ExchangeVerdict) -> Plan {
        var plan = Plan()
        plan.verdicts[point] = verdict
        switch point {
        case .requestBody(let offset): plan.requestStops = [offset]
        case .responseBody(let offset): plan.responseStops = [offset]
        case .head, .requestEnd, .responseHead, .responseEnd, .interrupted: break
        }
        return plan
    }
}

/// Follows its plan and writes down everything that it hears. Confined to the loop, but for the log.
final class PlanHandler: ExchangeHandler, @unchecked Sendable {
    let log = Recorder<String>()
    let plan: Plan
    var exchanges: [Int: HTTPExchange] = [:]
    private var used: [Int: Set<ExchangePoint>] = [:]

    init(_ plan: Plan) { self.plan = plan }

    func accepted(_ connection: ConnectionID) -> AcceptVerdict {
        log.append("accepted \(connection.ordinal)")
        return plan.accepts[connection.ordinal] ?? .proceed
    }

    func tlsPlan(for connection: ConnectionID) -> TLSPlan {
        plan.handshakes[connection.ordinal] ?? TLSPlan()
    }

    func handshakeEnded(_ connection: ConnectionID, _ ending: HandshakeEnding) {
        log.append("handshake \(connection.ordinal) \(ending)")
    }

    func closed(_ connection: ConnectionID) { log.append("closed \(connection.ordinal)") }

    func reached(_ exchange: HTTPExchange, _ point: ExchangePoint) -> ExchangeVerdict {
        let ordinal = exchange.ordinal
        exchanges[ordinal] = exchange
        if point == .head {
            exchange.requestStops = plan.requestStops
            exchange.responseStops = plan.responseStops
            exchange.closesConnection = plan.closesConnection
            exchange.form = plan.form
            exchange.whenComplete = plan.whenComplete
        }
        log.append("\(ordinal) \(Self.name(point))")
        if let verdict = plan.verdicts[point], used[ordinal, default: []].insert(point).inserted {
            return verdict
        }
        return point == .requestEnd ? .respond(plan.response) : .proceed
    }

    func received(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) {}

    func clientLeft(_ exchange: HTTPExchange) { log.append("\(exchange.ordinal) left") }

    func ended(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        log.append(
            "\(exchange.ordinal) \(ending.rawValue) received=\(exchange.received) "
                + "sent=\(exchange.sent)")
    }

    func doorKey(_ exchange: HTTPExchange) -> DoorKey {
        DoorKey(lane: exchange.head.headers["X-Lane"] ?? "", number: exchange.ordinal)
    }

    private static func name(_ point: ExchangePoint) -> String {
        switch point {
        case .head: "head"
        case .requestBody(let offset): "request-body \(offset)"
        case .requestEnd: "request-end"
        case .responseHead: "response-head"
        case .responseBody(let offset): "response-body \(offset)"
        case .responseEnd: "response-end"
        case .interrupted: "interrupted"
        }
    }
}

/// An engine on a loop of its own, in wall time.
final class EngineRun: @unchecked Sendable {
    // Invariant: `engine` is touched on the loop alone.
    let loop: EventLoop
    let handler: PlanHandler
    let port: UInt16
    private let engine: HTTPEngine
    private let host: WireHost

    init(
        _ plan: Plan = Plan(), host: WireHost = .ipv4, limits: EngineLimits = .init(),
        authority: TLSAuthority? = nil
    ) throws {
        loop = try EventLoop()
        handler = PlanHandler(plan)
        engine = HTTPEngine(loop: loop, handler: handler, limits: limits, authority: authority)
        self.host = host
        try loop.start()
        let engine = engine
        port = try Self.onLoop(loop) { () throws(HTTPEngineError) in
            try engine.start(host: host.rawValue)
        }
    }

    func stop() {
        let engine = engine
        _ = try? Self.onLoop(loop) { engine.stop() }
        loop.stop()
    }

    /// Runs on the loop, and waits.
    @discardableResult
    func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (HTTPEngine) throws -> Value
    ) throws -> Value {
        let engine = engine
        return try Self.onLoop(loop) { try body(engine) }
    }

    static func onLoop<Value: Sendable, Failure: Error>(
        _ loop: EventLoop, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws -> Value {
        let result = Recorder<Result<Value, any Error>>()
        loop.post { result.append(Result { try body() }) }
        return try result.wait(count: 1)[0].get()
    }

    func probe(receiveBuffer: Int32? = nil, sendBuffer: Int32? = nil) throws -> WireProbe {
        try WireProbe(
            port: port, host: host, receiveBuffer: receiveBuffer, sendBuffer: sendBuffer)
    }

    /// What is known of an exchange now.
    func exchange(_ ordinal: Int) throws -> Seen {
        let handler = handler
        return try onLoop { _ in
            let exchange = try #require(handler.exchanges[ordinal])
            return Seen(
                head: exchange.head, isReused: exchange.isReused, received: exchange.received,
                isClientGone: exchange.isClientGone)
        }
    }

    struct Seen {
        let head: HTTPRequestHead
        let isReused: Bool
        let received: Int64
        let isClientGone: Bool
    }

    func proceed(_ ordinal: Int) throws {
        let handler = handler
        try onLoop { _ in handler.exchanges[ordinal]?.proceed() }
    }

    var log: Recorder<String> { handler.log }

    /// Waits for a line of the log.
    @discardableResult
    func wait(for line: String) throws -> [String] {
        try log.wait(for: line) { $0.contains(line) }
    }

    /// Waits for a line that begins so, and returns it.
    func wait(prefix: String) throws -> String {
        try log.wait(for: prefix) { $0.contains { $0.hasPrefix(prefix) } }
            .first { $0.hasPrefix(prefix) } ?? ""
    }
}

/// Runs `body` against an engine that is stopped afterwards.
func withEngine(
    _ plan: Plan = Plan(), host: WireHost = .ipv4, limits: EngineLimits = .init(),
    authority: TLSAuthority? = nil, _ body: (EngineRun) throws -> Void
) throws {
    let run = try EngineRun(plan, host: host, limits: limits, authority: authority)
    defer { run.stop() }
    try body(run)
}

extension WireProbe {
    /// Sends the head of a request with a body, and `bytes` of it.
    func upload(
        _ length: Int, sending bytes: [UInt8]? = nil, fields: [String] = []
    ) throws(WireError) {
        try ask("/up", method: "PUT", fields: ["Content-Length: \(length)"] + fields)
        try send(bytes ?? [UInt8](repeating: 7, count: length))
    }
}
