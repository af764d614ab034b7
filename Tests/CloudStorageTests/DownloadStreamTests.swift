import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Download as a stream")
struct DownloadStreamTests {
    static let bytes = DownloadTests.bytes

    struct Outcome: Sendable {
        var taken: [UInt8] = []
        var error: NSError?
        var code: StorageErrorCode? { error.flatMap { StorageErrorCode(rawValue: $0.code) } }
        var events: [String] = []
        var requests: [String] = []
    }

    private func take(
        _ store: ScriptedStore, limit: Int = 1 << 20,
        each: @escaping @Sendable (ClientBench, Int) async -> Void = { _, _ in }
    ) async throws -> Outcome {
        try await withBench(script: store.answer) { bench in
            let stream = bench.storage.reference(withPath: "a/b.bin")
                .getStream(bufferingUpTo: limit)
            bench.record(stream.task)
            stream.task.whenEnded { _ in bench.note("ended") }
            var outcome = Outcome()
            do {
                for try await piece in stream {
                    outcome.taken += piece
                    await each(bench, outcome.taken.count)
                }
            } catch { outcome.error = error as NSError }
            await bench.until("ended")
            outcome.events = bench.log.filter { $0 != "ended" }
            outcome.requests = bench.requests
            return outcome
        }
    }

    @Test("Brings the whole content with the events of any download")
    func whole() async throws {
        let outcome = try await take(ScriptedStore(object: Self.bytes))
        #expect(outcome.taken == Self.bytes)
        #expect(outcome.events == DownloadTests.plain)
        #expect(outcome.requests == ["GET"])
        #expect(outcome.error == nil)
    }

    @Test("Of nothing ends at once")
    func empty() async throws {
        let outcome = try await take(ScriptedStore(object: []))
        #expect(outcome.taken == [])
        #expect(outcome.events == ["resume@0", "progress@0", "success@0"])
    }

    @Test("Goes on by Range after a break, and brings no byte twice")
    func goesOn() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, _, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .reset)
        }
        let outcome = try await take(store)
        #expect(outcome.taken == Self.bytes)
        #expect(outcome.requests == ["GET", "GET bytes=100000-"])
    }

    @Test("Fails where the object was replaced, and mixes no two contents")
    func replaced() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, state, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            state.object = [UInt8](repeating: 9, count: 300_000)
            state.generation = 2
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .reset)
        }
        let outcome = try await take(store)
        #expect(outcome.code == .unknown)
        #expect(outcome.taken == Array(Self.bytes[..<100_000]))
    }

    @Test("Ends with an error after the last piece where the checksum is another")
    func checksum() async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            var wrong = Self.bytes
            wrong[1000] ^= 1
            return .answer(200, ScriptedStore.downloadHeaders(Self.bytes, 1), wrong)
        }
        let outcome = try await take(store)
        #expect(outcome.code == .nonMatchingChecksum)
        #expect(outcome.taken.count == Self.bytes.count)
    }

    @Test("Fails with what the server says", arguments: [404, 403])
    func refused(status: Int) async throws {
        let outcome = try await take(
            ScriptedStore(object: Self.bytes) { _, _, _ in .answer(status) })
        #expect(outcome.code == (status == 404 ? .objectNotFound : .unauthorized))
        #expect(outcome.taken == [])
    }

    @Test("Holds no more than its limit and a piece while nobody takes, and does not time out")
    func backPressure() async throws {
        let bytes = SyntheticContent(size: 3_000_000, seed: 8).allBytes
        let store = ScriptedStore(object: bytes)
        try await withBench(idleTimeout: .seconds(5), script: store.answer) { bench in
            let stream = bench.storage.reference(withPath: "a/b.bin")
                .getStream(bufferingUpTo: 100_000)
            stream.task.whenEnded { _ in bench.note("ended") }
            _ = await bench.loop.sleep(for: .seconds(60))
            let completed = stream.task.snapshot.completed
            #expect(completed >= 65_536 && completed <= 100_000 + 262_144)
            #expect(stream.task.snapshot.status == .progress)
            var taken: [UInt8] = []
            for try await piece in stream { taken += piece }
            #expect(taken == bytes)
            await bench.until("ended")
            #expect(bench.requests == ["GET"])
        }
    }

    @Test("Is paused and resumed like any other, while pieces can still be taken")
    func pause() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, _, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .keep)
        }
        try await withBench(script: store.answer) { bench in
            let stream = bench.storage.reference(withPath: "a/b.bin").getStream()
            bench.record(stream.task)
            await bench.until("progress@65536")
            stream.task.pause()
            await bench.until("pause@100000")
            var iterator = stream.makeAsyncIterator()
            var taken = Array(try await iterator.next() ?? Data())
            #expect(taken.isEmpty == false)
            stream.task.resume()
            while let piece = try await iterator.next() { taken += piece }
            #expect(taken == Self.bytes)
            #expect(bench.requests == ["GET", "GET bytes=100000-"])
        }
    }

    @Test("Is cancelled when nobody can take from it any more, by RST")
    func abandoned() async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .keep)
        }
        try await withBench(script: store.answer) { bench in
            try await Self.takeOne(bench)
            await bench.until("failure(cancelled)")
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.server.resets == 1)
        }
    }

    private static func takeOne(_ bench: ClientBench) async throws {
        let stream = bench.storage.reference(withPath: "a/b.bin").getStream()
        bench.record(stream.task)
        for try await piece in stream {
            #expect(!piece.isEmpty)
            break
        }
    }

    @Test("Is cancelled with the Swift task that waits for it")
    func cancelled() async throws {
        let script: @Sendable (SeenRequest) -> ServerDoing = { _ in .silence }
        try await withBench(script: script) { bench in
            let waiting = Task(executorPreference: bench.loop) {
                for try await _ in bench.storage.reference(withPath: "a/b.bin").getStream() {}
            }
            _ = await bench.loop.sleep(for: .seconds(1))
            waiting.cancel()
            let error = await #expect(throws: NSError.self) { try await waiting.value }
            #expect(error.map { $0.code } == StorageErrorCode.cancelled.rawValue)
        }
    }
}
