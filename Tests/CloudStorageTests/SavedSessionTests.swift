import EventLoop
import Foundation
import Glibc
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Upload that goes on in a later process")
struct SavedSessionTests {
    static let bytes = UploadTests.bytes

    /// What a later process has of the earlier one.
    private struct Bench: Sendable {
        let client: ClientBench
        let folder: TemporaryDirectory
        let path: String
        let saved: StorageUploadSession

        var file: URL { URL(fileURLWithPath: path) }

        /// A client that knows nothing of the earlier one.
        func later() -> (storage: Storage, engine: StorageEngine) {
            let engine = StorageEngine(loop: client.loop, seed: 2)
            let storage = Storage(bucket: "demo.appspot.com", engine: engine)
            storage.useEmulator(withHost: "127.0.0.1", port: Int(client.server.port))
            storage.uploadChunkSizeBytes = 262_144
            return (storage, engine)
        }
    }

    /// Begins an upload, and ends its client without notice in the second chunk.
    private func afterTheEnd<Result: Sendable>(
        _ store: ScriptedStore, _ body: @escaping @Sendable (Bench) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Self.bytes, to: "a.bin")
        return try await withBench(script: store.answer) { bench in
            let url = URL(fileURLWithPath: path)
            let task = bench.storage.reference(withPath: "a/b.bin").putFile(from: url)
            bench.record(task, "first ")
            await bench.until("first progress@262144")
            _ = await bench.loop.sleep(for: .seconds(1))
            let text = try JSONEncoder().encode(task.savedSession)
            bench.engine.shutDown()
            let saved = try JSONDecoder().decode(StorageUploadSession.self, from: text)
            return try await body(
                Bench(client: bench, folder: folder, path: path, saved: saved))
        }
    }

    /// The answer to the earlier client's second chunk never comes.
    private func store(
        then fault:
            @escaping @Sendable (String, inout ScriptedStore.State, SeenRequest) ->
            ServerDoing? = { _, _, _ in nil }
    ) -> ScriptedStore {
        ScriptedStore { name, state, request in
            name == "chunk#2" ? .silence : fault(name, &state, request)
        }
    }

    private struct Outcome: Sendable {
        var events: [String]
        /// Of the later client.
        var requests: [String]
        var stored: [UInt8]?
    }

    private func goOn(
        _ store: ScriptedStore, path: String = "a/b.bin",
        before: @escaping @Sendable (Bench) throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await afterTheEnd(store) { bench in
            try before(bench)
            let earlier = bench.client.requests.count
            let (storage, engine) = bench.later()
            let task = storage.reference(withPath: path)
                .putFile(from: bench.file, resuming: bench.saved)
            bench.client.record(task, "later ")
            task.whenEnded { _ in bench.client.note("ended") }
            await bench.client.until("ended")
            engine.shutDown()
            return Outcome(
                events: bench.client.log.filter { $0.hasPrefix("later ") }
                    .map { String($0.dropFirst(6)) },
                requests: Array(bench.client.requests[earlier...]),
                stored: store.state.withLock { $0.object })
        }
    }

    static let rest = ["upload @262144 +262144", "upload, finalize @524288 +75712"]

    @Test("Asks what the server has, and sends only the rest")
    func rest() async throws {
        let outcome = try await goOn(store())
        #expect(outcome.requests == ["query +0"] + Self.rest)
        #expect(
            outcome.events == [
                "resume@0", "progress@262144", "progress@524288", "progress@600000",
                "success@600000",
            ])
        #expect(outcome.stored == Self.bytes)
    }

    @Test("Is saved before the first byte is sent, and says how far it has come")
    func saved() async throws {
        try await afterTheEnd(store()) { bench in
            #expect(bench.saved.bucket == "demo.appspot.com")
            #expect(bench.saved.path == "a/b.bin")
            #expect(bench.saved.confirmedBytes == 262_144)
            #expect(bench.saved.totalBytes == 600_000)
        }
        let folder = try TemporaryDirectory()
        let path = try folder.write(Self.bytes, to: "a.bin")
        let store = ScriptedStore { name, _, _ in name == "chunk#1" ? .silence : nil }
        try await withBench(script: store.answer) { bench in
            let task = bench.storage.reference(withPath: "a/b.bin")
                .putFile(from: URL(fileURLWithPath: path))
            task.whenSessionChanges { session in
                bench.note(session.map { "\($0.confirmedBytes)" } ?? "none")
            }
            #expect(task.savedSession == nil)
            await bench.until("0")
            #expect(task.savedSession?.confirmedBytes == 0)
            task.cancel()
            await bench.until("none")
            #expect(task.savedSession == nil)
        }
    }

    @Test("Is there no more after success, and still after the retry time is over")
    func afterwards() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Self.bytes, to: "a.bin")
        for isGood in [true, false] {
            let store = ScriptedStore { name, _, _ in
                isGood || name == "start#1" || name == "chunk#1" ? nil : .answer(503)
            }
            try await withBench(script: store.answer) { bench in
                bench.storage.uploadRetryTime = .seconds(10)
                let task = bench.storage.reference(withPath: "a/b.bin")
                    .putFile(from: URL(fileURLWithPath: path))
                bench.record(task)
                await bench.until(
                    isGood ? "success@600000" : "failure(retryLimitExceeded)")
                #expect(task.savedSession?.confirmedBytes == (isGood ? nil : 262_144))
            }
        }
    }

    @Test("Begins anew with a file that was changed", arguments: ["touched", "grown", "replaced"])
    func changed(how: String) async throws {
        let outcome = try await goOn(store()) { bench in
            switch how {
            case "touched":
                utimes(
                    bench.path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
            case "grown":
                let fd = open(bench.path, O_WRONLY | O_APPEND)
                write(fd, "x", 1)
                close(fd)
            default:
                unlink(bench.path)
                try bench.folder.write(Self.bytes, to: "a.bin")
            }
        }
        #expect(outcome.requests.first == "start")
        #expect(!outcome.requests.contains("query +0"))
        #expect(outcome.stored == Self.bytes + (how == "grown" ? Array("x".utf8) : []))
        #expect(outcome.events.last?.hasPrefix("success") == true)
    }

    @Test(
        "Begins anew, once, where the server knows neither the session nor an object of it",
        arguments: [404, 410])
    func lost(status: Int) async throws {
        let outcome = try await goOn(
            store { name, _, _ in name == "query#1" ? .answer(status) : nil })
        #expect(outcome.requests.prefix(3) == ["query +0", "GET", "start"])
        #expect(outcome.stored == Self.bytes)
        let again = try await goOn(
            store { name, _, _ in
                name == "query#1" || name == "chunk#3" ? .answer(status) : nil
            })
        #expect(again.requests == ["query +0", "GET", "start", "upload @0 +262144"])
        #expect(again.stored == nil)
    }

    @Test("Begins anew where the session was cancelled meanwhile")
    func cancelled() async throws {
        let outcome = try await goOn(
            store { name, _, _ in
                name == "query#1" ? .answer(200, ["X-Goog-Upload-Status": "cancelled"]) : nil
            })
        #expect(outcome.requests.prefix(2) == ["query +0", "start"])
        #expect(outcome.stored == Self.bytes)
    }

    @Test("Is a success without a byte where everything was stored already")
    func stored() async throws {
        let outcome = try await goOn(
            store { name, state, _ in
                guard name == "query#1" else { return nil }
                state.object = Self.bytes
                return .answer(
                    200, ["X-Goog-Upload-Status": "final"], ScriptedStore.resource(Self.bytes))
            })
        #expect(outcome.requests == ["query +0"])
        #expect(outcome.events == ["resume@0", "progress@600000", "success@600000"])
    }

    @Test("Compares the checksum of the whole file, also of what an earlier process sent")
    func checksum() async throws {
        let outcome = try await goOn(
            store { name, _, _ in
                guard name == "finalize#1" else { return nil }
                var wrong = Self.bytes
                wrong[0] ^= 1
                return .answer(
                    200, ["X-Goog-Upload-Status": "final"], ScriptedStore.resource(wrong))
            })
        #expect(outcome.events.last == "failure(nonMatchingChecksum)")
    }

    @Test("Of another object or server fails alone and without a request")
    func otherPlace() async throws {
        let outcome = try await goOn(store(), path: "a/c.bin")
        #expect(outcome.events == ["failure(invalidArgument)"])
        #expect(outcome.requests == [])
        try await afterTheEnd(store()) { bench in
            let (storage, engine) = bench.later()
            storage.useEmulator(withHost: "127.0.0.1", port: 1)
            let task = storage.reference(withPath: "a/b.bin")
                .putFile(from: bench.file, resuming: bench.saved)
            bench.client.record(task, "later ")
            await bench.client.until("later failure(invalidArgument)")
            engine.shutDown()
        }
    }

    @Test(
        "Is not read from anything else",
        arguments: [
            ("version", "2"), ("url", "\"\""), ("granularity", "0"), ("confirmedBytes", "-1"),
            ("confirmedBytes", "600001"), ("source", "{}"), ("bucket", "null"),
        ])
    func unreadable(key: String, value: String) async throws {
        try await afterTheEnd(store()) { bench in
            let text = try JSONEncoder().encode(bench.saved)
            var fields = try #require(
                JSONSerialization.jsonObject(with: text) as? [String: Any])
            fields[key] = try JSONSerialization.jsonObject(
                with: Data(value.utf8), options: .fragmentsAllowed)
            let wrong = try JSONSerialization.data(withJSONObject: fields)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(StorageUploadSession.self, from: wrong)
            }
        }
    }

    @Test("Goes on beyond 4 GiB, with the offset in full on the wire")
    func beyond32Bits() async throws {
        let size = Int64(5) << 30 + 100
        let folder = try TemporaryDirectory()
        let path = try folder.write([], to: "large.bin")
        try #require(truncate(path, off_t(size)) == 0)
        let store = ScriptedStore { name, _, _ in
            switch name {
            case "chunk#1": .silence
            case "query#1":
                .answer(
                    200,
                    [
                        "X-Goog-Upload-Status": "active",
                        "X-Goog-Upload-Size-Received": "\(size - 100)",
                    ])
            case "finalize#1":
                .json(
                    200, "{\"name\":\"a/b.bin\",\"size\":\"\(size)\"}",
                    ["X-Goog-Upload-Status": "final"])
            default: nil
            }
        }
        try await withBench(script: store.answer) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let url = URL(fileURLWithPath: path)
            let first = reference.putFile(from: url)
            bench.record(first, "first ")
            first.whenSessionChanges { if $0 != nil { bench.note("session") } }
            await bench.until("session")
            let saved = try #require(first.savedSession)
            first.pause()
            await bench.until("first pause@0")
            let task = reference.putFile(from: url, resuming: saved)
            bench.record(task)
            await bench.until("success@\(size)")
            #expect(bench.requests.last == "upload, finalize @5368709120 +100")
            #expect(bench.log.contains("progress@5368709120"))
        }
    }
}
