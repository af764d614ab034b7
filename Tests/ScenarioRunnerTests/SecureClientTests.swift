import CloudStorage
import Foundation
import Scenario
import StorageModel
import TestSupport
import Testing

/// The reference client against the mock backend, both through TLS.
@Suite("The reference client through TLS")
struct SecureClientTests {
    private static let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    /// Runs `body` with a storage that trusts the server; wall time.
    private func with(
        _ faults: [String] = [], limit: Duration = .seconds(5),
        _ body: (Storage, TemporaryDirectory) async throws -> Void
    ) async throws {
        let loader = ScenarioLoader()
        let rules = try faults.enumerated().map { index, text in
            try #require(loader.fault(text, position: index + 1).rule)
        }
        try await SecureStorage.with(faults: rules, limit: limit, body)
    }

    private func failure(_ work: () async throws -> Void) async -> StorageFailure? {
        do {
            try await work()
            return nil
        } catch { return StorageFailure(error) }
    }

    @Test("What is uploaded comes back")
    func roundTrip() async throws {
        try await with { storage, _ in
            let place = storage.reference(withPath: "a/b.bin")
            let metadata = try await place.putDataAsync(Self.content)
            #expect(metadata.size == 700_000)
            #expect(try await place.data(maxSize: 1 << 20) == Self.content)
        }
    }

    static let refusals = [
        "connect: tls expired", "connect: tls wrong-name", "connect: tls untrusted",
        "connect: tls fail-handshake",
    ]

    @Test("A server that cannot be trusted is asked once", arguments: refusals)
    func untrusted(fault: String) async throws {
        try await with([fault], limit: .seconds(600)) { storage, _ in
            let place = storage.reference(withPath: "a")
            let seen = [
                await failure { _ = try await place.putDataAsync(Self.content) },
                await failure { _ = try await place.data(maxSize: 1 << 20) },
                await failure { _ = try await place.getMetadata() },
            ]
            #expect(seen.map { $0?.transport } == [.tls, .tls, .tls])
            #expect(seen.map { $0?.code } == [.unknown, .unknown, .unknown])
        }
    }

    @Test("Without the file, or with one that is not there, the server is not trusted")
    func noFile() async throws {
        try await with { storage, folder in
            let place = storage.reference(withPath: "a")
            storage.certificateAuthorityFile = nil
            let first = await failure { _ = try await place.getMetadata() }
            storage.certificateAuthorityFile = folder.path(of: "no.pem")
            let second = await failure { _ = try await place.getMetadata() }
            #expect(first?.transport == .tls && second?.transport == .tls)
        }
    }

    @Test(
        "What breaks below or inside TLS is tried again",
        arguments: [
            "connect#1: disconnect reset", "connect#1: disconnect close",
            "upload.body#1 @ request-body 100000: disconnect reset",
            "upload.body#1 @ request-body 100000: disconnect close",
            "upload.finalize#1: drop answer",
            "download#1 @ response-body 100000: disconnect reset",
            "download#1 @ response-body 100000: disconnect close",
        ])
    func retried(fault: String) async throws {
        try await with([fault]) { storage, _ in
            let place = storage.reference(withPath: "a")
            _ = try await place.putDataAsync(Self.content)
            #expect(try await place.data(maxSize: 1 << 20) == Self.content)
        }
    }

    @Test(
        "Only the URL of a server is taken",
        arguments: ["localhost:1", "ftp://localhost", "https://", "https://a:0", "https://a b"])
    func wrongURL(url: String) async throws {
        try await with { storage, _ in
            let error = await failure { try storage.useServer(url: url) }
            #expect(error?.code == .invalidArgument)
        }
    }
}
