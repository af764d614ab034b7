import EventLoop
import Foundation
import StorageModel
import TestSupport

@testable import CloudStorage

/// A client and a scripted server on one loop, with a log of everything that a task's observers saw.
final class ClientBench: @unchecked Sendable {
    // Invariant: used on the loop alone.
    let loop: EventLoop
    let server: LoopServer
    let engine: StorageEngine
    let storage: Storage
    private(set) var log: [String] = []
    private var waiters: [(String, CheckedContinuation<Void, Never>)] = []

    init(
        _ loop: EventLoop, tokens: (any StorageTokenProvider)? = nil,
        proofs: (any StorageAppCheckProvider)? = nil,
        idleTimeout: Duration = .seconds(60), connections: Int = 8,
        script: @escaping LoopServer.Script
    ) {
        self.loop = loop
        server = LoopServer(loop: loop, script: script)
        server.start()
        engine = StorageEngine(
            loop: loop, seed: 1, idleTimeout: idleTimeout, connections: connections)
        storage = Storage(
            bucket: "demo.appspot.com", engine: engine, tokens: tokens, appCheck: proofs)
        storage.useEmulator(withHost: "127.0.0.1", port: Int(server.port))
        storage.uploadChunkSizeBytes = 262_144
    }

    func stop() {
        engine.shutDown()
        server.stop()
    }

    func note(_ line: String) {
        log.append(line)
        let ready = waiters.filter { $0.0 == line }
        waiters.removeAll { $0.0 == line }
        for waiter in ready { waiter.1.resume() }
    }

    /// Suspends until a line was logged.
    func until(_ line: String) async {
        await withCheckedContinuation { continuation in
            // Asked here, because getting here may take a turn of the loop.
            if log.contains(line) { return continuation.resume() }
            waiters.append((line, continuation))
        }
    }

    /// Logs every event as `name@completed`, failures with their code.
    func record(_ task: StorageObservableTask, _ name: String = "") {
        for status in StorageTaskStatus.allCases {
            task.observe(status) { [self] in note(name + Self.text($0)) }
        }
    }

    static func text(_ snapshot: StorageTaskSnapshot) -> String {
        guard let error = snapshot.error else { return "\(snapshot.status)@\(snapshot.completed)" }
        return "\(snapshot.status)(\(StorageFailure(error)?.code ?? .internalError))"
    }

    var requests: [String] {
        server.requests.map { request in
            guard let command = request.command else {
                let range = request.headers["Range"].map { " \($0)" } ?? ""
                return request.method + range
            }
            if command == "start" { return command }
            let offset = request.offset.map { " @\($0)" } ?? ""
            return "\(command)\(offset) +\(request.body.count)"
        }
    }
}

/// Runs a test on a loop with a virtual clock.
func withBench<Result: Sendable>(
    tokens: (any StorageTokenProvider)? = nil, proofs: (any StorageAppCheckProvider)? = nil,
    idleTimeout: Duration = .seconds(60), connections: Int = 8,
    script: @escaping @Sendable (SeenRequest) -> ServerDoing,
    _ body: @escaping @Sendable (ClientBench) async throws -> Result
) async throws -> Result {
    try await runVirtually { loop in
        let bench = ClientBench(
            loop, tokens: tokens, proofs: proofs, idleTimeout: idleTimeout,
            connections: connections,
            script: script)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(bench)) } catch { result = .failure(error) }
        bench.stop()
        return try result.get()
    }
}
