import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Download")
struct DownloadTests {
    static let bytes = SyntheticContent(size: 200_000, seed: 4).allBytes
    static let old = Array("old".utf8)

    struct Outcome: Sendable {
        var events: [String]
        var requests: [String]
        var error: StorageFailure?
        var time: Duration
        /// What the destination holds; nil: nothing is there.
        var content: [UInt8]?
        /// Names in the destination's folder.
        var files: [String]
        var resets: Int
        var total: Int64?
    }

    enum Target: Sendable, CaseIterable { case memory, file }

    private func download(
        _ store: ScriptedStore, to target: Target = .file, maxSize: Int64 = 1 << 20,
        retry: Duration = .seconds(60), idle: Duration = .seconds(60), existing: Bool = true,
        act: @escaping @Sendable (ClientBench, StorageDownloadTask) -> Void = { _, _ in }
    ) async throws -> Outcome {
        let folder = try TemporaryDirectory()
        if existing { _ = try folder.write(Self.old, to: "a.bin") }
        return try await withBench(idleTimeout: idle, script: store.answer) { bench in
            bench.storage.downloadRetryTime = retry
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let memory = Lock<Data?>(nil)
            let task: StorageDownloadTask
            switch target {
            case .memory:
                task = reference.getData(maxSize: maxSize) { data, _ in
                    memory.withLock { $0 = data }
                    bench.note("ended")
                }
            case .file:
                let url = URL(fileURLWithPath: folder.path(of: "a.bin"))
                task = reference.write(toFile: url) { _, _ in bench.note("ended") }
            }
            bench.record(task)
            act(bench, task)
            await bench.until("ended")
            _ = await bench.loop.sleep(for: .seconds(200))
            let files = try folder.names
            return Outcome(
                events: bench.log.filter { $0 != "ended" }, requests: bench.requests,
                error: task.snapshot.error.flatMap { StorageFailure($0) },
                time: bench.loop.now - .seconds(200),
                content: target == .file
                    ? try? folder.read("a.bin") : memory.withLock { $0.map(Array.init) },
                files: files, resets: bench.server.resets, total: task.snapshot.total)
        }
    }

    static let marks = ["progress@65536", "progress@131072", "progress@196608"]
    static let plain = ["resume@0"] + marks + ["progress@200000", "success@200000"]

    @Test("Reports each 64 KiB and the end, however the bytes arrive", arguments: Target.allCases)
    func whole(target: Target) async throws {
        let outcome = try await download(ScriptedStore(object: Self.bytes), to: target)
        #expect(outcome.events == Self.plain)
        #expect(outcome.requests == ["GET"])
        #expect(outcome.content == Self.bytes)
        #expect(outcome.total == 200_000)
        #expect(outcome.files == ["a.bin"])
    }

    @Test("Of nothing reports progress of zero once", arguments: Target.allCases)
    func empty(target: Target) async throws {
        let outcome = try await download(ScriptedStore(object: []), to: target)
        #expect(outcome.events == ["resume@0", "progress@0", "success@0"])
        #expect(outcome.content == [])
    }

    @Test(
        "Goes on by Range after a break", arguments: Target.allCases, ["reset", "close"])
    func goesOn(target: Target, fault: String) async throws {
        let store = ScriptedStore(object: Self.bytes) { name, state, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            let part = ScriptedStore.cut(200, headers, Self.bytes, at: 100_000)
            return .raw(part, fault == "reset" ? .reset : .close)
        }
        let outcome = try await download(store, to: target)
        #expect(outcome.events == Self.plain)
        #expect(outcome.requests == ["GET", "GET bytes=100000-"])
        #expect(outcome.content == Self.bytes)
        #expect(outcome.time >= .seconds(1) && outcome.time < .milliseconds(1251))
    }

    @Test("Gives a body up that falls silent, by RST, and goes on by Range")
    func silence() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, _, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .keep)
        }
        let outcome = try await download(store, idle: .seconds(5))
        #expect(outcome.events == Self.plain)
        #expect(outcome.requests == ["GET", "GET bytes=100000-"])
        #expect(outcome.resets == 1)
        #expect(outcome.time >= .seconds(6) && outcome.time < .milliseconds(6251))
    }

    @Test("Begins again where the object changed, or the range is ignored, or was refused")
    func beginsAgain() async throws {
        for fault in ["changed", "ignored", "shifted", "longer", "416"] {
            let store = ScriptedStore(object: Self.bytes) { name, state, _ in
                let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
                if name == "get#1" {
                    return .raw(
                        ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .reset)
                }
                guard name == "get#2" else { return nil }
                switch fault {
                case "changed":
                    state.generation = 2
                    return nil
                case "ignored": return .answer(200, headers, Self.bytes)
                case "shifted":
                    let range = ["Content-Range": "bytes 100100-199999/200000"]
                    return .answer(
                        206, headers.merging(range) { $1 }, Array(Self.bytes[100_100...]))
                case "longer":
                    let range = ["Content-Range": "bytes 100000-199999/200000"]
                    return .answer(
                        206, headers.merging(range) { $1 }, Array(Self.bytes[100_000...]) + [0])
                default: return .answer(416)
                }
            }
            let outcome = try await download(store)
            #expect(
                outcome.events
                    == ["resume@0", "progress@65536"] + Self.plain.dropFirst(), "\(fault)")
            #expect(
                outcome.requests
                    == ["GET", "GET bytes=100000-"] + (fault == "ignored" ? [] : ["GET"]),
                "\(fault)")
            #expect(outcome.content == Self.bytes, "\(fault)")
        }
    }

    @Test("Does not take an empty answer to the rest for the end")
    func emptyRest() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, state, _ in
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            if name == "get#1" {
                return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .reset)
            }
            return name == "get#2" ? .answer(200) : nil
        }
        let outcome = try await download(store)
        #expect(outcome.content == Self.bytes)
        #expect(outcome.requests == ["GET", "GET bytes=100000-", "GET"])
    }

    @Test(
        "Fails as the status says, and leaves the destination as it was",
        arguments: [
            (401, StorageErrorCode.unauthenticated), (402, .quotaExceeded), (403, .unauthorized),
            (404, .objectNotFound), (400, .unknown), (302, .unknown), (416, .unknown),
        ])
    func fails(status: Int, code: StorageErrorCode) async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            .answer(status, [:], Array("why".utf8))
        }
        let outcome = try await download(store)
        #expect(outcome.events == ["resume@0", "failure(\(code))"])
        #expect(outcome.requests == ["GET"])
        #expect(outcome.error?.status == status)
        #expect(outcome.error?.body == "why")
        #expect(outcome.content == Self.old)
        #expect(outcome.files == ["a.bin"])
    }

    @Test("Detects a wrong byte by CRC-32C, or by MD5 alone", arguments: ["crc32c", "md5"])
    func checksum(kind: String) async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            var wrong = Self.bytes
            wrong[70_000] ^= 1
            let hash =
                kind == "crc32c"
                ? ScriptedStore.downloadHeaders(Self.bytes, 1)["x-goog-hash"] ?? ""
                : "md5=1B2M2Y8AsgTpgAmY7PhCfg=="
            return .answer(200, ["x-goog-hash": hash], wrong)
        }
        let outcome = try await download(store)
        #expect(
            outcome.events
                == ["resume@0"] + Self.marks + ["failure(nonMatchingChecksum)"])
        #expect(outcome.content == Self.old)
        #expect(outcome.files == ["a.bin"])
    }

    @Test("Into memory holds no byte beyond its limit", arguments: [true, false])
    func tooLarge(isLengthKnown: Bool) async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            if isLengthKnown { return nil }
            let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
            return .raw(head + Self.bytes, .close)
        }
        let outcome = try await download(store, to: .memory, maxSize: 196_608)
        let marks = isLengthKnown ? [] : Self.marks
        #expect(outcome.events == ["resume@0"] + marks + ["failure(downloadSizeExceeded)"])
        #expect(outcome.error?.maxAllowedSize == 196_608)
        #expect(outcome.error?.totalSize == (isLengthKnown ? 200_000 : 196_609))
        #expect(outcome.content == nil)
    }

    @Test("Into memory succeeds at exactly its limit")
    func exactLimit() async throws {
        let store = ScriptedStore(object: Self.bytes)
        let outcome = try await download(store, to: .memory, maxSize: 200_000)
        #expect(outcome.content == Self.bytes)
    }

    @Test("Of unknown length reports no total")
    func unknownTotal() async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
            return .raw(head + Self.bytes, .close)
        }
        let outcome = try await download(store)
        #expect(outcome.events == Self.plain)
        #expect(outcome.total == nil)
    }

    @Test("Pauses at the bytes that are written, and resumes by Range")
    func pause() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, state, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .keep)
        }
        let outcome = try await download(store) { bench, task in
            bench.loop.timer(after: .seconds(2)) { task.pause() }
            bench.loop.timer(after: .seconds(5)) { task.resume() }
        }
        #expect(
            outcome.events == [
                "resume@0", "progress@65536", "pause@100000", "resume@100000",
                "progress@131072", "progress@196608", "progress@200000", "success@200000",
            ])
        #expect(outcome.requests == ["GET", "GET bytes=100000-"])
        #expect(outcome.resets == 1)
        #expect(outcome.content == Self.bytes)
    }

    @Test("Begins again when its temporary file was removed while it was paused")
    func purged() async throws {
        let store = ScriptedStore(object: Self.bytes) { name, state, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .keep)
        }
        let outcome = try await download(store) { bench, task in
            bench.loop.timer(after: .seconds(2)) { task.pause() }
            task.observe(.pause) { _ in task.purgeTemporaryFiles() }
            bench.loop.timer(after: .seconds(5)) { task.resume() }
        }
        #expect(outcome.requests == ["GET", "GET"])
        #expect(outcome.content == Self.bytes)
    }

    @Test("Is cancelled at once and leaves nothing behind", arguments: Target.allCases)
    func cancel(target: Target) async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .keep)
        }
        let outcome = try await download(store, to: target) {
            _, task in task.observe(.progress) { $0.task.cancel() }
        }
        #expect(outcome.events == ["resume@0", "progress@65536", "failure(cancelled)"])
        #expect(outcome.resets == 1)
        #expect(outcome.requests == ["GET"])
        #expect(outcome.content == (target == .file ? Self.old : nil))
        #expect(outcome.files == ["a.bin"])
    }

    @Test("Makes the folders of its destination, and tells where that cannot be")
    func folders() async throws {
        let folder = try TemporaryDirectory()
        _ = try folder.write("x", to: "file")
        try await withBench(script: ScriptedStore(object: Self.bytes).answer) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let url = URL(fileURLWithPath: folder.path(of: "x/y/z.bin"))
            _ = try await reference.writeAsync(toFile: url)
            #expect(try folder.read("x/y/z.bin") == Self.bytes)
            let bad = URL(fileURLWithPath: folder.path(of: "file/z.bin"))
            await #expect(throws: NSError.self) { try await reference.writeAsync(toFile: bad) }
        }
    }

    @Test("Gives up when the retry time is over, though nobody answers at all")
    func retryLimit() async throws {
        let store = ScriptedStore(object: Self.bytes) { _, _, _ in .raw([], .reset) }
        let outcome = try await download(store, retry: .seconds(10))
        #expect(outcome.events == ["resume@0", "failure(retryLimitExceeded)"])
        #expect(outcome.error?.transport == .reset)
        #expect(outcome.time == .seconds(10))
    }

    @Test("Of the root fails alone and without a request")
    func root() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = bench.storage.reference().getData(maxSize: 1) { _, _ in
                bench.note("ended")
            }
            bench.record(task)
            await bench.until("ended")
            #expect(bench.log == ["failure(invalidArgument)", "ended"])
            #expect(bench.requests == [])
        }
    }
}
