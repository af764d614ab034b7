import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Async forms")
struct AsyncFormTests {
    typealias Call = @Sendable (StorageReference) async throws -> Void

    private static let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("squall-async-form-\(UUID().uuidString)")

    static let calls: [(String, Call)] = [
        ("data", { _ = try await $0.data(maxSize: 1 << 20) }),
        ("putData", { _ = try await $0.putDataAsync(Data([1])) }),
        (
            "putFile",
            { _ = try await $0.putFileAsync(from: URL(fileURLWithPath: "/proc/self/exe")) }
        ),
        (
            "write",
            { _ = try await $0.writeAsync(toFile: Self.file) }
        ),
        ("downloadURL", { _ = try await $0.downloadURL() }),
        ("getMetadata", { _ = try await $0.getMetadata() }),
        ("updateMetadata", { _ = try await $0.updateMetadata(StorageMetadata()) }),
        ("delete", { try await $0.delete() }),
        ("list", { _ = try await $0.list(maxResults: 1) }),
        ("listAll", { _ = try await $0.listAll() }),
    ]

    @Test("Fail with `cancelled` when the Swift task is", arguments: calls.indices, [true, false])
    func cancelling(index: Int, atOnce: Bool) async throws {
        let asked = Lock(0)
        let script: @Sendable (SeenRequest) -> ServerDoing = { _ in
            asked.withLock { $0 += 1 }
            return .silence
        }
        let code = try await withBench(script: script) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let call = Self.calls[index].1
            let task = Task(executorPreference: bench.loop) { () -> StorageErrorCode? in
                do {
                    try await call(reference)
                    return nil
                } catch { return (error as? StorageError)?.errorCode }
            }
            // The clock moves when the request waits for its answer, before anything times out.
            if !atOnce { _ = await bench.loop.sleep(for: .seconds(1)) }
            task.cancel()
            let code = await task.value
            #expect(bench.loop.now <= .seconds(1))
            return code
        }
        #expect(code == .cancelled, "\(Self.calls[index].0)")
        #expect(atOnce || asked.withLock { $0 } > 0)
    }

    @Test("Are told all of the progress")
    func progress() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let seen = Recorder<Int64>()
            let bytes = Data(UploadTests.bytes)
            _ = try await bench.storage.reference(withPath: "a/b.bin").putDataAsync(bytes) {
                seen.append($0?.completedUnitCount ?? -1)
            }
            #expect(seen.values == [262_144, 524_288, 600_000])
        }
    }
}
