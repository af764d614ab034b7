import EventLoop
import FaultEngine
import Glibc
import HTTPEngine
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@testable import MockServer

@Suite("A gate inside a body", .serialized)
struct HeldBodyTests {
    private static let place = 65_536

    @Test(
        "At byte 64 KiB nothing later is read or kept, others go on, no thread is spent (B161)")
    func standsStill() throws {
        try withServer([
            try fault(
                "upload.media", at: .requestBody(.bytes(65_536)),
                .hold(until: .gate(name: "open"), atMost: nil))
        ]) { run in
            let other = try run.probe()
            #expect(try other.get("none").status == 404)
            let threads = ProcessState.threadCount
            let probe = try run.probe()
            let bytes = sample(8 << 20)
            try probe.begin("POST", WireProbe.objects + "?name=a", length: bytes.count)
            let taken = try probe.sendWhatFits(bytes)
            #expect(taken < bytes.count)
            try run.firstFault()
            for _ in 1...3 {
                #expect(try run.on { $0.runs[2]?.exchange.received } == Int64(Self.place))
                #expect(try other.get("none").status == 404)
                #expect(probe.isSilent(for: .milliseconds(20)))
            }
            // Neighbours may start a few threads meanwhile, but not one for each of these.
            let more = try (1...40).map { _ in try run.probe() }
            for one in more {
                try one.begin("POST", WireProbe.objects + "?name=b", length: bytes.count)
                try one.send(Array(bytes[..<100_000]))
            }
            try waitUntil { try run.on { $0.waiting.count } == 41 }
            #expect(ProcessState.threadCount < threads + 20)
            #expect(try run.stored("a") == nil)
            try run.on { $0.openGate("open") }
            try probe.send(Array(bytes[taken...]))
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.stored("a") == bytes)
        }
    }

    @Test("Runs with a gate give one log (B161)")
    func oneLog() async throws {
        let count = Int(getenv("SQUALL_GATE_RUNS").map { String(cString: $0) } ?? "") ?? 20
        let logs = Recorder<String>()
        for _ in 1...count {
            let held = try fault(
                "upload.media", .exactly(1), at: .requestBody(.bytes(65_536)),
                .hold(until: .gate(name: "open"), atMost: nil))
            try await withVirtualServer([held]) { loop, server, port in
                loop.timer(after: .seconds(3)) {
                    server.assumeIsolated { $0.openGate("open") }
                }
                let client = LoopClient(loop, port: port)
                let answer = await client.exchange(
                    "POST", WireProbe.objects + "?name=a", body: sample(200_000))
                let record = try #require(await server.records.first)
                logs.append(
                    "\(answer?.status ?? 0) \(record.received) \(record.committed) \(record.start) "
                        + "\(record.end ?? .zero) \(record.faults.map(\.time))")
                client.close()
            }
        }
        #expect(Set(logs.values).count == 1, "\(Set(logs.values))")
        #expect(logs.values.first?.hasPrefix("200 200000 200000") == true)
    }
}
