import EventLoop
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Stopping", .serialized)
struct StoppingTests {
    @Test("A stop ends connections in every state, each exchange once")
    func everything() throws {
        for _ in 0..<20 {
            let log = try stopWithCrowd()
            let begun = Set(log.filter { $0.hasSuffix(" head") }.map { $0.prefix { $0 != " " } })
            let ended = log.filter { $0.contains("received=") }.map { $0.prefix { $0 != " " } }
            #expect(Set(ended) == begun && ended.count == begun.count, "\(log)")
            let accepted = log.filter { $0.hasPrefix("accepted") }.map { $0.dropFirst(9) }
            let closed = log.filter { $0.hasPrefix("closed") }.map { $0.dropFirst(7) }
            #expect(Set(closed) == Set(accepted) && closed.count == accepted.count)
        }
    }

    @Test("A stop leaves no descriptor behind")
    func descriptors() throws {
        // Tests beside this one open and close some: the lowest count of several tells.
        func lowest() throws -> Int {
            try (0..<20).map { _ in
                _ = try stopWithCrowd()
                return ProcessState.descriptorCount
            }.min() ?? 0
        }
        let before = try lowest()
        _ = try lowest()
        var after = try lowest()
        // What tests beside this one hold goes away by and by; what a stop leaves behind does not.
        for _ in 0..<20 where after >= before + 20 { after = try lowest() }
        #expect(after < before + 20)
    }

    private func stopWithCrowd() throws -> [String] {
        let handler = CrowdHandler()
        let loop = try EventLoop()
        try loop.start()
        let engine = HTTPEngine(loop: loop, handler: handler)
        let port = try EngineRun.onLoop(loop) { try engine.start() }
        var probes: [WireProbe] = []
        for target in CrowdHandler.targets {
            let probe = try WireProbe(port: port)
            probes.append(probe)
            switch target {
            case "idle": break
            case "half-head": try probe.send("GET / HT")
            case "half-body": try probe.upload(10, sending: [1, 2])
            case "early": try probe.upload(10, sending: [1, 2], fields: ["X: early"])
            default: try probe.ask("/\(target)")
            }
        }
        try handler.log.wait(for: "all heads") { log in
            log.count { $0.hasSuffix(" head") } == CrowdHandler.targets.count - 2
        }
        probes[0].reset()
        let log = try EngineRun.onLoop(loop) {
            engine.stop()
            return handler.log.values
        }
        loop.stop()
        return log
    }
}

/// Does what the target says.
final class CrowdHandler: ExchangeHandler, @unchecked Sendable {
    // Invariant: confined to the loop, but for the log.
    static let targets = [
        "leaving", "idle", "half-head", "half-body", "early", "plain", "head", "request-end",
        "response-head", "body", "response-end", "silent", "script", "own", "half",
    ]
    let log = Recorder<String>()

    func accepted(_ connection: ConnectionID) -> AcceptVerdict {
        log.append("accepted \(connection.ordinal)")
        return .proceed
    }

    func closed(_ connection: ConnectionID) { log.append("closed \(connection.ordinal)") }

    func reached(_ exchange: HTTPExchange, _ point: ExchangePoint) -> ExchangeVerdict {
        let name = exchange.head.headers["X"] ?? String(exchange.head.target.dropFirst())
        if point == .head { log.append("\(exchange.ordinal) head") }
        switch (name, point) {
        case ("head", .head), ("leaving", .requestEnd), ("response-head", .responseHead),
            ("response-end", .responseEnd):
            return .wait
        case ("early", .head): return .respond(HTTPResponse(status: 400))
        case ("early", .responseEnd): return .wait
        case ("silent", .head): return .silence
        case ("half", .head): return .disconnect(.half)
        case ("script", .head): return .adopt([.send([1]), .wait(.seconds(1000))])
        case ("own", .requestEnd), ("body", .requestEnd):
            let content = SyntheticContent(size: 100_000_000, seed: 1)
            return .respond(
                HTTPResponse(status: 200, reason: name == "own" ? "Own" : nil, body: content))
        case (_, .requestEnd):
            return name == "request-end" ? .wait : .respond(HTTPResponse(status: 200))
        default: return .proceed
        }
    }

    func received(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) {}

    func clientLeft(_ exchange: HTTPExchange) { log.append("\(exchange.ordinal) left") }

    func ended(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        log.append("\(exchange.ordinal) \(ending.rawValue) received=\(exchange.received)")
    }

    func doorKey(_ exchange: HTTPExchange) -> DoorKey { DoorKey(lane: "", number: 0) }
}
