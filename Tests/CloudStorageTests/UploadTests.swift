import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Upload")
struct UploadTests {
    static let bytes = SyntheticContent(size: 600_000, seed: 3).allBytes

    @Test("Of three chunks reports each acknowledged one and then success")
    func threeChunks() async throws {
        let store = ScriptedStore()
        let log = try await withBench(script: store.answer) { bench in
            let task = bench.storage.reference(withPath: "a/b.bin").putData(Data(Self.bytes))
            bench.record(task)
            await bench.until("success@600000")
            #expect(
                bench.requests == [
                    "start +65", "upload @0 +262144", "upload @262144 +262144",
                    "upload, finalize @524288 +75712",
                ])
            return bench.log
        }
        #expect(
            log == [
                "resume@0", "progress@262144", "progress@524288", "progress@600000",
                "success@600000",
            ])
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }
}
