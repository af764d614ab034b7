import CloudStorage
import Dispatch
import EventLoop
import Foundation
import MockServer
import Scenario
import StorageModel
import TestSupport
import Testing

/// The mock backend on this machine, and a storage that uses it as a program of its own would.
final class UsageBackend: Sendable {
    static let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    let storage: Storage
    let folder: TemporaryDirectory

    private init(_ storage: Storage, _ folder: TemporaryDirectory) {
        self.storage = storage
        self.folder = folder
    }

    /// Runs a program against a backend that holds `images/stars.jpg`, with these faults.
    static func with(
        _ faults: [String] = [], signedIn: Bool = false,
        tokens provider: (any StorageTokenProvider)? = nil,
        _ body: (UsageBackend) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        let loader = ScenarioLoader()
        let rules = try faults.enumerated().map { index, text in
            try #require(loader.fault(text, position: index + 1).rule)
        }
        var settings = BackendSettings()
        settings.tokens = ["alice": .init()]
        settings.access = signedIn ? .signedIn : .open
        var stars = BackendSettings.GivenObject(
            path: "images/stars.jpg", content: Content(.bytes(Array(content))),
            contentType: "image/jpeg")
        stars.fields = ["cacheControl": "no-store"]
        settings.objects = [stars]
        let server = try MockServer(loop: loop, settings: settings, faults: rules)
        try loop.start()
        defer { loop.stop() }
        let port = try await server.start()
        let app = StorageApp(bucket: "demo.appspot.com", tokenProvider: provider)
        let storage = Storage.storage(app: app)
        storage.useEmulator(withHost: "127.0.0.1", port: Int(port))
        storage.uploadChunkSizeBytes = 262_144
        storage.maxUploadRetryTime = 0
        storage.maxDownloadRetryTime = 0
        storage.maxOperationRetryTime = 0
        try await body(UsageBackend(storage, try TemporaryDirectory()))
        await server.stop()
    }

    /// A local file with the content.
    func localFile(_ name: String = "mountains.jpg") throws -> URL {
        URL(fileURLWithPath: try folder.write(Array(Self.content), to: name))
    }

    /// Makes and observes a task in one turn of the callback queue, where it cannot start before.
    func inTurn<Made>(_ make: () throws -> Made) rethrows -> Made {
        try storage.callbackQueue.sync(execute: make)
    }
}
