import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Upload of a stream")
struct StreamUploadTests {
    static let bytes = UploadTests.bytes

    struct Outcome: Sendable {
        var events: [String]
        var requests: [String]
        var error: NSError?
        var code: StorageErrorCode? { error.flatMap { StorageErrorCode(rawValue: $0.code) } }
        var announced: String?
        var total: Int64?
    }

    private func upload(
        _ store: ScriptedStore = ScriptedStore(), retry: Duration = .seconds(60),
        begin: @escaping @Sendable (StorageReference, ClientBench) -> StorageUploadTask,
        act: @escaping @Sendable (ClientBench, StorageUploadTask) async -> Void = { _, _ in }
    ) async throws -> Outcome {
        try await withBench(script: store.answer) { bench in
            bench.storage.uploadRetryTime = retry
            let task = begin(bench.storage.reference(withPath: "a/b.bin"), bench)
            bench.record(task)
            task.whenEnded { _ in bench.note("ended") }
            await act(bench, task)
            await bench.until("ended")
            _ = await bench.loop.sleep(for: .seconds(200))
            let start = bench.server.requests.first { $0.command == "start" }
            return Outcome(
                events: bench.log.filter { $0 != "ended" && $0 != "told" },
                requests: bench.requests, error: task.snapshot.error as NSError?,
                announced: start?.headers["X-Goog-Upload-Content-Length"],
                total: task.snapshot.total)
        }
    }

    private func upload(
        _ pieces: StreamPieces, size: Int64? = nil, isRepeatable: Bool = false,
        _ store: ScriptedStore = ScriptedStore(),
        act: @escaping @Sendable (ClientBench, StorageUploadTask) async -> Void = { _, _ in }
    ) async throws -> Outcome {
        try await upload(
            store,
            begin: { reference, _ in
                reference.putStream(pieces, size: size, isRepeatable: isRepeatable)
            }, act: act)
    }

    private func pieces(of size: Int = 1000, breaksAt: Int? = nil) -> StreamPieces {
        StreamPieces(bytes: Self.bytes, pieceSize: size, breaksAt: breaksAt)
    }

    @Test(
        "Has the events and requests of the same bytes in memory, however they come",
        arguments: [1000, 65_536, 262_144, 300_001, 600_000])
    func asInMemory(pieceSize: Int) async throws {
        for size in [nil, Int64(Self.bytes.count)] {
            let store = ScriptedStore()
            let outcome = try await upload(pieces(of: pieceSize), size: size, store)
            #expect(outcome.events == UploadTests.plainEvents)
            #expect(outcome.requests == UploadTests.plainRequests)
            #expect(store.state.withLock { $0.object } == Self.bytes)
            #expect(outcome.announced == size.map(String.init))
            #expect(outcome.total == 600_000)
        }
    }

    @Test(
        "Finishes with its last bytes at every size around the chunks",
        arguments: [1, 262_143, 262_144, 262_145, 524_287, 524_288, 524_289])
    func boundaries(size: Int) async throws {
        let bytes = Array(Self.bytes[..<size])
        for announced in [nil, Int64(size)] {
            let store = ScriptedStore()
            let outcome = try await upload(
                StreamPieces(bytes: bytes, pieceSize: 10_000), size: announced, store)
            let chunks = (size - 1) / 262_144
            let middle = (0..<chunks).map { "upload @\($0 * 262_144) +262144" }
            let last = size - chunks * 262_144
            #expect(
                outcome.requests
                    == ["start"] + middle + ["upload, finalize @\(chunks * 262_144) +\(last)"])
            #expect(outcome.events.last == "success@\(size)")
            #expect(store.state.withLock { $0.object } == bytes)
        }
    }

    @Test("Of no bytes makes an empty object", arguments: [nil, 0] as [Int64?])
    func empty(size: Int64?) async throws {
        let outcome = try await upload(StreamPieces(bytes: [], pieceSize: 1), size: size)
        #expect(outcome.events == ["resume@0", "progress@0", "success@0"])
        #expect(outcome.requests == ["start", "finalize @0 +0"])
    }

    @Test("Takes no more pieces than it may need while a chunk is not acknowledged")
    func backPressure() async throws {
        let pieces = pieces()
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .silence : nil }
        let outcome = try await upload(pieces, store) { bench, task in
            await bench.until("progress@262144")
            _ = await bench.loop.sleep(for: .seconds(30))
            // Two chunks and the piece that told that the second is not the last.
            #expect(pieces.counts.withLock { $0.pieces } == 525)
            task.cancel()
        }
        #expect(outcome.code == .cancelled)
        #expect(pieces.counts.withLock { $0.pieces } == 525)
    }

    @Test("Fails with what the stream throws underneath, and cancels its session")
    func throwing() async throws {
        let store = ScriptedStore()
        let outcome = try await upload(pieces(breaksAt: 300_000), store)
        #expect(outcome.events == ["resume@0", "progress@262144", "failure(unknown)"])
        #expect(outcome.requests == ["start", "upload @0 +262144", "cancel +0"])
        let cause = outcome.error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.domain.contains("Broken") == true)
        #expect(outcome.error?.localizedDescription.contains("no more") == true)
        #expect(store.state.withLock { $0.object } == nil)
    }

    @Test(
        "Fails where there are more or fewer bytes than announced", arguments: [599_999, 600_001])
    func wrongSize(size: Int64) async throws {
        let store = ScriptedStore()
        let outcome = try await upload(pieces(), size: size, store)
        #expect(outcome.code == .unknown)
        #expect(outcome.error?.localizedDescription.contains("\(size)") == true)
        #expect(outcome.requests.last == "cancel +0")
        #expect(store.state.withLock { $0.object } == nil)
    }

    @Test("Fails alone and without a request for a size that cannot be")
    func negativeSize() async throws {
        let outcome = try await upload(pieces(), size: -1)
        #expect(outcome.events == ["failure(invalidArgument)"])
        #expect(outcome.requests == [])
    }

    @Test(
        "Sends again after a break what the server did not keep", arguments: [0, 100_000, 262_144])
    func goesOn(kept: Int) async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "chunk#2" else { return nil }
            state.upload += request.body[..<kept]
            return .raw([], .reset)
        }
        let outcome = try await upload(pieces(), store)
        #expect(outcome.events.last == "success@600000")
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test("Starts anew where the session is lost before anything was acknowledged")
    func lostAtOnce() async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#1" ? .answer(404) : nil }
        let pieces = pieces()
        let outcome = try await upload(pieces, store)
        #expect(
            outcome.requests
                == Array(UploadTests.plainRequests[..<2]) + UploadTests.plainRequests)
        #expect(pieces.counts.withLock { $0.iterators } == 1)
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test(
        "Fails with the server's answer where a lost session had bytes that are gone here",
        arguments: [(404, StorageErrorCode.objectNotFound), (410, .unknown)])
    func lostLater(status: Int, code: StorageErrorCode) async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .answer(status) : nil }
        let outcome = try await upload(pieces(), store)
        #expect(outcome.code == code)
        #expect(outcome.error?.userInfo[StorageErrorKey.responseCode] as? Int == status)
        #expect(outcome.requests.count { $0 == "start" } == 1)
    }

    @Test("Starts anew with a stream that can be repeated", arguments: [404, 410])
    func repeated(status: Int) async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .answer(status) : nil }
        let pieces = pieces()
        let outcome = try await upload(pieces, isRepeatable: true, store)
        #expect(outcome.events.last == "success@600000")
        #expect(outcome.requests.count { $0 == "start" } == 2)
        #expect(pieces.counts.withLock { $0.iterators } == 2)
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test("Makes no hole where the server loses what it had", arguments: [false, true])
    func lostBytes(isRepeatable: Bool) async throws {
        let store = ScriptedStore { name, state, _ in
            guard name == "chunk#2" else { return nil }
            state.upload = []
            return .answer(503)
        }
        let outcome = try await upload(pieces(), isRepeatable: isRepeatable, store)
        if isRepeatable {
            #expect(outcome.events.last == "success@600000")
            #expect(store.state.withLock { $0.object } == Self.bytes)
        } else {
            #expect(outcome.events.last == "failure(unknown)")
            #expect(outcome.error?.localizedDescription.contains("read again") == true)
            #expect(store.state.withLock { $0.object } == nil)
        }
    }

    @Test("Pauses and resumes where the server is, without a piece twice")
    func pause() async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .silence : nil }
        let pieces = pieces()
        let outcome = try await upload(pieces, store) { bench, task in
            await bench.until("progress@262144")
            // The second chunk is under way by then.
            _ = await bench.loop.sleep(for: .seconds(1))
            task.pause()
            await bench.until("pause@262144")
            _ = await bench.loop.sleep(for: .seconds(5))
            task.resume()
        }
        #expect(
            outcome.events == [
                "resume@0", "progress@262144", "pause@262144", "resume@262144",
                "progress@524288", "progress@600000", "success@600000",
            ])
        #expect(pieces.counts.withLock { $0.iterators } == 1)
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test(
        "Can be paused, resumed and cancelled while it waits for a piece, and lets the stream know")
    func waiting() async throws {
        let (stream, source) = AsyncStream<Data>.makeStream()
        let outcome = try await upload(
            ScriptedStore(),
            begin: { reference, bench in
                source.onTermination = { _ in bench.loop.post { bench.note("told") } }
                return reference.putStream(stream)
            },
            act: { bench, task in
                source.yield(Data(Self.bytes[..<300_000]))
                await bench.until("progress@262144")
                task.pause()
                await bench.until("pause@262144")
                task.resume()
                await bench.until("resume@262144")
                task.cancel()
                await bench.until("told")
            })
        #expect(
            outcome.events == [
                "resume@0", "progress@262144", "pause@262144", "resume@262144",
                "failure(cancelled)",
            ])
        #expect(outcome.requests.last == "cancel +0")
    }

    @Test("Is read by a closure as well, which may throw", arguments: [false, true])
    func reader(throws isBad: Bool) async throws {
        let offset = Lock(0)
        let store = ScriptedStore()
        let outcome = try await upload(
            store,
            begin: { reference, _ in
                reference.putStream(size: 600_000) { count in
                    try offset.withLock { offset in
                        if isBad, offset > 300_000 { throw StreamPieces.Broken(text: "gone") }
                        let end = min(offset + min(count, 70_000), Self.bytes.count)
                        defer { offset = end }
                        return Data(Self.bytes[offset..<end])
                    }
                }
            })
        #expect(outcome.events.last == (isBad ? "failure(unknown)" : "success@600000"))
        #expect(store.state.withLock { $0.object } == (isBad ? nil : Self.bytes))
    }

    @Test("Is compared with the MD5 where the server tells no CRC-32C", arguments: [true, false])
    func md5(isRight: Bool) async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "finalize#1" else { return nil }
            _ = ScriptedStore.behave("finalize", &state, request)
            let known = isRight ? Self.bytes : Self.bytes.reversed()
            var fields = MetadataFields(resource: ScriptedStore.resource(known))?.dictionary ?? [:]
            fields["crc32c"] = nil
            let body = (try? JSONSerialization.data(withJSONObject: fields)) ?? Data()
            return .answer(200, ["X-Goog-Upload-Status": "final"], Array(body))
        }
        let outcome = try await upload(pieces(), store)
        #expect(
            outcome.events.last == (isRight ? "success@600000" : "failure(nonMatchingChecksum)"))
    }

    @Test("Gives its metadata to who awaits it")
    func awaited() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let metadata = try await bench.storage.reference(withPath: "a/b.bin").putStreamAsync(
                StreamPieces(bytes: Self.bytes, pieceSize: 5000))
            #expect(metadata.size == 600_000)
        }
    }
}
