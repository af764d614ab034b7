import EventLoop
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

/// A mock server on a loop of its own, in wall time.
final class ServerRun: Sendable {
    let loop: EventLoop
    let server: MockServer
    let port: UInt16
    let log = Recorder<JournalEvent>()

    init(
        _ faults: [FaultRule], settings: BackendSettings, options: MockServer.Options
    ) throws {
        loop = try EventLoop()
        let server = try MockServer(
            loop: loop, settings: settings, faults: faults, options: options)
        self.server = server
        try loop.start()
        let log = log
        port = try Self.on(loop, server) { server throws(MockServerError) in
            server.observe { log.append($0) }
            return try server.start()
        }
    }

    func stop() {
        _ = try? Self.on(loop, server) { $0.stop() }
        loop.stop()
    }

    /// Runs on the loop, and waits.
    @discardableResult
    func on<Value: Sendable>(
        _ body: @escaping @Sendable (isolated MockServer) throws -> Value
    ) throws -> Value {
        try Self.on(loop, server, body)
    }

    private static func on<Value: Sendable, Failure: Error>(
        _ loop: EventLoop, _ server: MockServer,
        _ body: @escaping @Sendable (isolated MockServer) throws(Failure) -> Value
    ) throws -> Value {
        let result = Recorder<Result<Value, any Error>>()
        loop.post {
            result.append(
                server.assumeIsolated { server in
                    Result { try body(server) }
                })
        }
        return try result.wait(count: 1)[0].get()
    }

    func probe(receiveBuffer: Int32? = nil) throws -> WireProbe {
        try WireProbe(port: port, receiveBuffer: receiveBuffer)
    }

    /// The journal once the exchange is over.
    @discardableResult
    func ended(_ ordinal: Int) throws -> ExchangeRecord {
        let events = try log.wait(for: "the end of exchange \(ordinal)") { events in
            events.contains { $0.isEnd(of: ordinal) }
        }
        return try #require(events.first { $0.isEnd(of: ordinal) }).record
    }

    /// Waits until a fault fired.
    func firstFault() throws {
        try log.wait(for: "a fault") { events in
            events.contains { if case .fault = $0 { true } else { false } }
        }
    }

    /// The bytes of the live object; nil where there is none.
    func stored(_ path: String) throws -> [UInt8]? {
        try on { $0.object(path)?.body?.allBytes }
    }
}

extension JournalEvent {
    func isEnd(of ordinal: Int) -> Bool {
        guard case .end(let record) = self else { return false }
        return record.ordinal == ordinal
    }
}

/// Runs `body` against a server that is stopped afterwards.
func withServer(
    _ faults: [FaultRule] = [], settings: BackendSettings = BackendSettings(),
    options: MockServer.Options = .init(), _ body: (ServerRun) throws -> Void
) throws {
    let run = try ServerRun(faults, settings: settings, options: options)
    defer { run.stop() }
    try body(run)
}

/// One fault.
func fault(
    _ operation: String, _ ordinal: OrdinalPattern = .all, at phase: FaultPhase,
    commit: CommitAmount? = nil, position: Int = 1, name: String? = nil,
    per: CountingScope = .transfer, times: Int?? = .none, _ actions: FaultAction...
) throws -> FaultRule {
    let pattern = try #require(OperationPattern(operation))
    return FaultRule(
        position: position, name: name, text: "\(operation)\(ordinal)",
        selector: ExchangeSelector(operation: pattern, ordinal: ordinal, per: per), phase: phase,
        commit: commit, actions: actions, times: times ?? FaultRule.defaultTimes(for: ordinal))
}

extension FaultAction {
    static func status(_ status: Int) -> FaultAction { .respond(ForcedResponse(status: status)) }
}

/// Bytes that differ from place to place.
func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    SyntheticContent(size: Int64(count), seed: seed).allBytes
}

extension BackendSettings {
    static func made(_ change: (inout BackendSettings) -> Void) -> BackendSettings {
        var settings = BackendSettings()
        change(&settings)
        return settings
    }

    mutating func give(_ path: String, _ count: Int, seed: UInt64 = 1) {
        objects.append(
            GivenObject(path: path, content: Content(.synthetic(size: Int64(count), seed: seed))))
    }
}
