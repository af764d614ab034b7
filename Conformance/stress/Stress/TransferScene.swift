import CloudStorage
import EventLoop
import FaultEngine
import Foundation
import MockServer
import Scenario
import StorageModel
import TestSupport

/// A server, a client and the threads on which a batch of transfers happens.
///
/// In virtual time everything is on one loop: waits cost nothing, and a seed gives the same run again.
/// In wall time each has a thread of its own, and so have three callers.
final class TransferScene: @unchecked Sendable {
    // Invariant: constants after `init`; the server guards itself.
    static let bucket = "demo.appspot.com"

    let isVirtual: Bool
    let server: MockServer
    let engine: StorageEngine
    let queue: StressQueue
    let callers: [EventLoop]
    let canaries = LiveCount()
    let folder: String
    private let directory: TemporaryDirectory
    private let loops: [EventLoop]
    private let port = Lock(0)

    init(isVirtual: Bool, seed: UInt64, objects: [BackendSettings.GivenObject]) throws {
        self.isVirtual = isVirtual
        directory = try TemporaryDirectory()
        folder = directory.path
        for name in ["uploads", "downloads"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: false)
        }
        let first = try EventLoop(time: isVirtual ? VirtualTime() : nil)
        func another() throws -> EventLoop { isVirtual ? first : try EventLoop() }
        let (work, callbacks) = (try another(), try another())
        callers = [try another(), try another(), try another()]
        loops = isVirtual ? [first] : [first, work, callbacks] + callers
        var settings = BackendSettings()
        settings.bucket = Self.bucket
        settings.granularity = TransferPlan.unit
        settings.objects = objects
        var options = MockServer.Options()
        options.seed = seed
        server = try MockServer(loop: first, settings: settings, options: options)
        queue = StressQueue(loop: callbacks)
        engine = StorageEngine(
            loop: work, seed: seed, idleTimeout: isVirtual ? .seconds(60) : .milliseconds(250),
            connections: 16, waitScale: isVirtual ? 1 : 0.002)
    }

    var serverLoop: EventLoop { server.loop }

    /// A client of the server with settings of its own.
    func storage(chunkSize: Int64) -> Storage {
        let storage = Storage(bucket: Self.bucket, engine: engine)
        storage.callbacks = queue
        storage.useEmulator(withHost: "127.0.0.1", port: port.withLock { $0 })
        storage.uploadChunkSizeBytes = chunkSize
        storage.uploadRetryTime = .seconds(isVirtual ? 600 : 30)
        storage.downloadRetryTime = .seconds(isVirtual ? 600 : 30)
        return storage
    }

    /// Starts the threads and the server, then calls `body` on the server's loop.
    ///
    /// - Parameter stuck: called when nothing can happen any more, in virtual time.
    func start(
        stuck: @escaping @Sendable (String) -> Void, _ body: @escaping @Sendable () -> Void
    ) throws {
        let time = serverLoop.time
        time?.begin()
        time?.whenStuck { stuck($0.description) }
        for loop in loops { try loop.start() }
        serverLoop.post { [self] in
            do {
                let found = try server.assumeIsolated { try $0.start() }
                port.withLock { $0 = Int(found) }
                body()
            } catch { stuck("the server cannot start: \(error)") }
        }
        time?.end()
    }

    /// Ends everything; not from one of the loops.
    func stop() {
        serverLoop.time?.finish()
        let over = Recorder<Bool>()
        serverLoop.post { [self] in
            server.assumeIsolated { $0.stop() }
            over.append(true)
        }
        // Without the answer nothing is left but to stop the threads.
        _ = try? over.wait(count: 1)
        for loop in loops.reversed() { loop.stop() }
    }

    /// The names in one of the two folders, sorted.
    func names(in name: String) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)
        return (found ?? ["unreadable"]).sorted()
    }

    // MARK: Faults

    /// - Throws: `StressError` for a text that is no fault.
    static func rules(_ faults: [TransferFault], from position: Int) throws -> [FaultRule] {
        try faults.enumerated().map { index, fault in
            let reading = ScenarioLoader().fault(fault.text, position: position + index)
            guard let rule = reading.rule else {
                let reasons = reading.diagnostics.map(\.message).joined(separator: "; ")
                throw StressError(text: "'\(fault.text)' is no fault: \(reasons)")
            }
            return rule
        }
    }
}

/// A run that could not be.
package struct StressError: Error, CustomStringConvertible {
    package let text: String

    package var description: String { text }
}
