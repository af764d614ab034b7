import CloudStorage
import EventLoop
import FaultEngine
import Foundation
import MockServer
import StorageModel
import TestSupport
import Testing

/// The reference client's storage and a mock backend that it trusts, with TLS between them.
enum SecureStorage {
    /// Runs `body` in wall time; waits between tries are a hundredth of the usual.
    ///
    /// - Parameters:
    ///   - objects: what is stored from the beginning.
    ///   - limit: of all retries; nil: what the library has by itself.
    static func with<Result>(
        faults: [FaultRule] = [], objects: [BackendSettings.GivenObject] = [],
        limit: Duration? = nil,
        _ body: (Storage, TemporaryDirectory) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop()
        var options = MockServer.Options()
        options.tlsNames = ["localhost"]
        options.isServed = true
        var settings = BackendSettings()
        settings.tokens = nil
        settings.objects = objects
        let server = try MockServer(
            loop: loop, settings: settings, faults: faults, options: options)
        try loop.start()
        defer { loop.stop() }
        let port = try await server.start()
        let engine = StorageEngine(loop: loop, waitScale: 0.01)
        let storage = Storage(bucket: settings.bucket ?? "demo.appspot.com", engine: engine)
        let folder = try TemporaryDirectory()
        storage.certificateAuthorityFile = try folder.write(
            try #require(server.authorityCertificate), to: "ca.pem")
        try storage.useServer(url: "https://localhost:\(port)")
        storage.uploadChunkSizeBytes = 262_144
        if let limit {
            storage.uploadRetryTime = limit
            storage.downloadRetryTime = limit
            storage.operationRetryTime = limit
        }
        let result = try await body(storage, folder)
        await server.stop()
        await withCheckedContinuation { continuation in
            loop.post {
                engine.shutDown()
                continuation.resume()
            }
        }
        return result
    }
}
