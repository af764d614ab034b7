import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Narration of a real client", .serialized)
struct ServedNarrationTests {
    @Test("A cut upload that is taken up again is told in full")
    func resumed() throws {
        var options = MockServer.Options()
        options.isServed = true
        let cut = try fault(
            "upload.body", .exactly(1), at: .requestBody(.percent(60)), name: "cut",
            .disconnect(.reset))
        try withServer(
            [cut], settings: .made { $0.granularity = 1024 }, options: options
        ) { run in
            for _ in 1...2 {
                let bytes = sample(10_000)
                let probe = try run.probe()
                let target = try probe.startUpload("a")
                try? probe.beginChunk(target, offset: 0, length: 10_000, sending: bytes, last: true)
                _ = probe.readToEnd()
                let other = try run.probe()
                let size = try other.receivedSize(target)
                #expect(size == 5120)
                _ = try other.chunk(target, offset: size, Array(bytes[size...]), last: true)
            }
            _ = try run.ended(8)
            var narrator = ServeNarrator()
            let lines = run.log.values.flatMap { narrator.lines(for: $0) }
            let after = lines.filter { $0.contains("after `cut`") }
            // A new start after body bytes is a new try: the fault comes back.
            #expect(after.count == 2, "\(lines)")
            #expect(
                after.allSatisfy {
                    $0.contains(
                        "then upload.query, then upload.finalize from 5KiB (880 bytes sent twice)")
                }, "\(after)")
            let accounts = try run.on { $0.faultAccounts }
            let last = narrator.lastLines(at: .zero, accounts)
            #expect(last == ["fired  fault", "    2  cut: upload.body#1"])
        }
    }
}
