import EventLoop
import Foundation
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// Against the mock backend, which checks offsets, units and checksums by itself.
@Suite("Sizes around every boundary")
struct BoundarySizeTests {
    enum Way: String, Sendable, CaseIterable { case memory, file, stream, announcedStream }

    static let unit = 262_144
    /// Around nothing, the unit of progress, the unit of chunks, the chunk, and several chunks.
    static let sizes = [0, 65_536, unit, 2 * unit, 4 * unit, 6 * unit]
        .flatMap { size in [size - 1, size, size + 1] }.filter { $0 >= 0 }

    private func withStorage<Result: Sendable>(
        _ settings: BackendSettings = BackendSettings(),
        _ body: @escaping @Sendable (Storage, MockServer) async throws -> Result
    ) async throws -> Result {
        try await runVirtually { loop in
            let server = try MockServer(loop: loop, settings: settings)
            let port = try await server.start()
            let engine = StorageEngine(loop: loop, seed: 1)
            let storage = Storage(bucket: "demo.appspot.com", engine: engine)
            storage.useEmulator(withHost: "127.0.0.1", port: Int(port))
            storage.uploadChunkSizeBytes = Int64(2 * Self.unit)
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(storage, server)) } catch {
                result = .failure(error)
            }
            engine.shutDown()
            await server.stop()
            return try result.get()
        }
    }

    @Test(
        "Uploads of each size are stored as they are, in chunks that fit", arguments: Way.allCases)
    func uploads(way: Way) async throws {
        let folder = try TemporaryDirectory()
        try await withStorage { storage, server in
            for size in Self.sizes {
                let bytes = SyntheticContent(size: Int64(size), seed: UInt64(size)).allBytes
                let reference = storage.reference(withPath: "up/\(size).bin")
                let metadata: StorageMetadata
                switch way {
                case .memory: metadata = try await reference.putDataAsync(Data(bytes))
                case .file:
                    let path = try folder.write(bytes, to: "\(size).bin")
                    metadata = try await reference.putFileAsync(
                        from: URL(fileURLWithPath: path))
                case .stream, .announcedStream:
                    metadata = try await reference.putStreamAsync(
                        StreamPieces(bytes: bytes, pieceSize: 100_000),
                        size: way == .stream ? nil : Int64(size))
                }
                #expect(metadata.size == Int64(size))
                let versions = await server.versions(of: "up/\(size).bin").map { $0.body?.allBytes }
                let complaints = await server.complaints
                #expect(versions == [bytes], "\(size) bytes from \(way)")
                #expect(complaints.isEmpty, "\(size) bytes from \(way): \(complaints)")
            }
        }
    }

    @Test("Downloads of each size bring what is stored, in memory, files and streams")
    func downloads() async throws {
        let folder = try TemporaryDirectory()
        try await withStorage { storage, _ in
            for size in Self.sizes {
                let bytes = SyntheticContent(size: Int64(size), seed: UInt64(size)).allBytes
                let reference = storage.reference(withPath: "down/\(size).bin")
                _ = try await reference.putDataAsync(Data(bytes))
                let exact = try await reference.data(maxSize: Int64(size))
                #expect(Array(exact) == bytes)
                let url = URL(fileURLWithPath: folder.path(of: "x/\(size).bin"))
                _ = try await reference.writeAsync(toFile: url)
                #expect(try folder.read("x/\(size).bin") == bytes)
                var taken: [UInt8] = []
                for try await piece in reference.getStream(bufferingUpTo: 1000) { taken += piece }
                #expect(taken == bytes)
                guard size > 0 else { continue }
                let error = await #expect(throws: NSError.self) {
                    try await reference.data(maxSize: Int64(size - 1))
                }
                #expect(error?.code == StorageErrorCode.downloadSizeExceeded.rawValue)
            }
        }
    }
}
