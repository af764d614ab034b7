import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Upload")
struct UploadTests {
    static let bytes = SyntheticContent(size: 600_000, seed: 3).allBytes

    /// Uploads 600,000 bytes in chunks of 256 KiB and tells events and requests.
    private func upload(
        _ store: ScriptedStore, retry: Duration = .seconds(60),
        idle: Duration = .seconds(60),
        act: @escaping @Sendable (ClientBench, StorageUploadTask) -> Void = { _, _ in }
    ) async throws -> Outcome {
        try await withBench(idleTimeout: idle, script: store.answer) { bench in
            bench.storage.uploadRetryTime = retry
            let task = bench.storage.reference(withPath: "a/b.bin").putData(Data(Self.bytes))
            bench.record(task)
            task.whenEnded { _ in bench.note("ended") }
            act(bench, task)
            await bench.until("ended")
            // What comes after the end: nothing but a cancel command.
            _ = await bench.loop.sleep(for: .seconds(200))
            let error = task.snapshot.error.flatMap { StorageFailure($0) }
            return Outcome(
                events: bench.log.filter { $0 != "ended" }, requests: bench.requests, error: error,
                time: bench.loop.now - .seconds(200), resets: bench.server.resets)
        }
    }

    struct Outcome: Sendable {
        var events: [String]
        var requests: [String]
        var error: StorageFailure?
        var time: Duration
        var resets: Int
    }

    static let plainEvents = [
        "resume@0", "progress@262144", "progress@524288", "progress@600000", "success@600000",
    ]
    static let plainRequests = [
        "start", "upload @0 +262144", "upload @262144 +262144", "upload, finalize @524288 +75712",
    ]

    @Test("Of three chunks reports each acknowledged one and then success")
    func threeChunks() async throws {
        let store = ScriptedStore()
        let outcome = try await upload(store)
        #expect(outcome.events == Self.plainEvents)
        #expect(outcome.requests == Self.plainRequests)
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test("Of nothing finalises once and reports progress of zero once")
    func empty() async throws {
        let store = ScriptedStore()
        try await withBench(script: store.answer) { bench in
            let task = bench.storage.reference(withPath: "a/b.bin").putData(Data())
            bench.record(task)
            await bench.until("success@0")
            #expect(bench.log == ["resume@0", "progress@0", "success@0"])
            #expect(bench.requests == ["start", "finalize @0 +0"])
        }
    }

    @Test(
        "Asks what was kept after a break, and goes on from there",
        arguments: [
            ("503", 0), ("408", 0), ("429", 0), ("500", 0), ("423", 0), ("reset", 0),
            ("close", 0), ("400 active", 0), ("reset", 262_144),
        ])
    func goesOn(fault: String, kept: Int) async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "chunk#2" else { return nil }
            state.upload += request.body[..<kept]
            switch fault {
            case "reset": return .raw([], .reset)
            case "close": return .raw([], .close)
            case "400 active": return .answer(400, ["X-Goog-Upload-Status": "active"])
            default: return .answer(Int(fault) ?? 0)
            }
        }
        let outcome = try await upload(store)
        #expect(outcome.events == Self.plainEvents)
        let again = kept == 0 ? ["upload @262144 +262144"] : []
        #expect(
            outcome.requests
                == Self.plainRequests[..<3] + ["query +0"] + again
                + ["upload, finalize @524288 +75712"])
        #expect(store.state.withLock { $0.object } == Self.bytes)
        #expect(outcome.time >= .seconds(1) && outcome.time < .milliseconds(1251))
    }

    @Test(
        "Fails at once where nothing can be cured",
        arguments: [
            (400, "", StorageErrorCode.unknown), (402, "active", .quotaExceeded),
            (403, "active", .unauthorized), (403, "final", .unauthorized),
            (400, "final", .unknown), (302, "", .unknown), (412, "", .unknown),
            (401, "final", .unauthenticated),
        ])
    func fails(status: Int, upload: String, code: StorageErrorCode) async throws {
        let store = ScriptedStore { name, _, _ in
            guard name == "chunk#2" else { return nil }
            return .answer(status, ["X-Goog-Upload-Status": upload], Array("why".utf8))
        }
        let outcome = try await self.upload(store)
        #expect(outcome.events == ["resume@0", "progress@262144", "failure(\(code))"])
        #expect(outcome.requests == Array(Self.plainRequests[..<3]))
        #expect(outcome.error?.status == status)
        #expect(outcome.error?.body == "why")
    }

    @Test("Starts a lost session anew, once", arguments: [404, 410])
    func restarts(status: Int) async throws {
        let store = ScriptedStore { name, _, _ in
            name == "chunk#2" || name == "chunk#4" ? .answer(status) : nil
        }
        let outcome = try await upload(store)
        #expect(
            outcome.requests == Array(Self.plainRequests[..<3] + Self.plainRequests[..<3]))
        let code = status == 404 ? "objectNotFound" : "unknown"
        #expect(
            outcome.events == [
                "resume@0", "progress@262144", "progress@262144", "failure(\(code))",
            ])
        #expect(outcome.error?.status == status)
    }

    @Test("Gives up when the retry time is over, not before and not much later")
    func retryLimit() async throws {
        let store = ScriptedStore { name, _, _ in
            name.hasPrefix("chunk#") && name != "chunk#1" ? .answer(503) : nil
        }
        let outcome = try await upload(store, retry: .seconds(20))
        #expect(
            outcome.events == ["resume@0", "progress@262144", "failure(retryLimitExceeded)"])
        #expect(outcome.error?.status == 503)
        #expect(outcome.time == .seconds(20))
    }

    @Test("Tries nothing again with a retry time of zero")
    func noRetry() async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .answer(503) : nil }
        let outcome = try await upload(store, retry: .zero)
        #expect(outcome.requests == Array(Self.plainRequests[..<3]))
        #expect(
            outcome.events == ["resume@0", "progress@262144", "failure(retryLimitExceeded)"])
        #expect(outcome.time == .zero)
    }

    @Test("Waits as long as the server asks for")
    func retryAfter() async throws {
        let store = ScriptedStore { name, _, _ in
            name == "chunk#2" ? .answer(503, ["Retry-After": "7"]) : nil
        }
        let outcome = try await upload(store)
        #expect(outcome.events == Self.plainEvents)
        #expect(outcome.time == .seconds(7))
    }

    @Test("Asks once when the final answer is lost, and reads the metadata of what is stored")
    func finalAnswerLost() async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "finalize#1" else { return nil }
            _ = ScriptedStore.behave("finalize", &state, request)
            return .raw([], .reset)
        }
        let outcome = try await upload(store)
        #expect(outcome.events == Self.plainEvents)
        #expect(outcome.requests == Self.plainRequests + ["query +0", "GET"])
    }

    @Test("Finishes with an empty request when all bytes are there and the session is active")
    func allBytesButActive() async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "finalize#1" else { return nil }
            state.upload += request.body
            return .raw([], .reset)
        }
        let outcome = try await upload(store)
        #expect(outcome.events == Self.plainEvents)
        #expect(outcome.requests == Self.plainRequests + ["query +0", "finalize @600000 +0"])
    }

    @Test("Asks before it trusts an acknowledgement without a size")
    func noSize() async throws {
        let store = ScriptedStore { name, _, _ in
            name == "chunk#2" ? .answer(200, ["X-Goog-Upload-Status": "active"]) : nil
        }
        let outcome = try await upload(store)
        #expect(outcome.events == Self.plainEvents)
        #expect(
            outcome.requests
                == Self.plainRequests[..<3] + ["query +0"] + Self.plainRequests[2...])
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test("Fails when the server claims more than was sent")
    func claim() async throws {
        let store = ScriptedStore { name, _, _ in
            name == "chunk#2"
                ? .answer(
                    200,
                    [
                        "X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "600000",
                    ]) : nil
        }
        let outcome = try await upload(store)
        #expect(outcome.events == ["resume@0", "progress@262144", "failure(unknown)"])
        #expect(outcome.requests == Array(Self.plainRequests[..<3]))
    }

    @Test("Sends again what the server lost")
    func lost() async throws {
        let store = ScriptedStore { name, state, _ in
            guard name == "chunk#2" else { return nil }
            state.upload = []
            return .answer(503)
        }
        let outcome = try await upload(store)
        #expect(
            outcome.events == [
                "resume@0", "progress@262144", "progress@262144", "progress@524288",
                "progress@600000", "success@600000",
            ])
        #expect(store.state.withLock { $0.object } == Self.bytes)
    }

    @Test("Fails when what is stored is not what was sent")
    func checksum() async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "finalize#1" else { return nil }
            var wrong = Self.bytes
            wrong[1000] ^= 1
            return .answer(
                200, ["X-Goog-Upload-Status": "final"], ScriptedStore.resource(wrong))
        }
        let outcome = try await upload(store)
        #expect(outcome.events.last == "failure(nonMatchingChecksum)")
    }

    @Test("Does not take a final answer for half of the content for success")
    func half() async throws {
        let store = ScriptedStore { name, state, request in
            guard name == "finalize#1" else { return nil }
            return .answer(
                200, ["X-Goog-Upload-Status": "final"],
                ScriptedStore.resource(Array(Self.bytes[..<300_000])))
        }
        let outcome = try await upload(store)
        #expect(outcome.events.last == "failure(unknown)")
    }

    @Test("Gives a silent exchange up after the idle time, by RST, and goes on")
    func silence() async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .silence : nil }
        let outcome = try await upload(store, idle: .seconds(5))
        #expect(outcome.events == Self.plainEvents)
        #expect(outcome.resets == 1)
        #expect(outcome.time >= .seconds(6) && outcome.time < .milliseconds(6251))
    }

    @Test("Pauses at the offset that is safe, and resumes with a query")
    func pause() async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .silence : nil }
        let outcome = try await upload(store) { bench, task in
            task.observe(.progress) { if $0.completed == 262_144 { $0.task.pause() } }
            task.observe(.pause) { snapshot in
                bench.loop.timer(after: .seconds(5)) { snapshot.task.resume() }
            }
        }
        #expect(
            outcome.events == [
                "resume@0", "progress@262144", "pause@262144", "resume@262144",
                "progress@524288", "progress@600000", "success@600000",
            ])
        #expect(
            outcome.requests
                == Self.plainRequests[..<3] + ["query +0"] + Self.plainRequests[2...])
        #expect(outcome.time == .seconds(5))
    }

    @Test("Is cancelled at once, also while paused, with one cancel command", arguments: [0, 3])
    func cancel(pause: Int) async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .silence : nil }
        let outcome = try await upload(store) { bench, task in
            if pause == 0 {
                task.observe(.progress) { $0.task.cancel() }
            } else {
                task.observe(.progress) { $0.task.pause() }
                task.observe(.pause) { snapshot in
                    bench.loop.timer(after: .seconds(pause)) { snapshot.task.cancel() }
                }
            }
        }
        let paused = pause == 0 ? [] : ["pause@262144"]
        #expect(
            outcome.events
                == ["resume@0", "progress@262144"] + paused + ["failure(cancelled)"])
        #expect(outcome.requests.last == "cancel +0")
        #expect(outcome.requests.count { $0 == "cancel +0" } == 1)
        #expect(outcome.time == .seconds(pause))
    }

    @Test("Is cancelled without a request where it has not begun")
    func cancelBeforeStart() async throws {
        let outcome = try await upload(ScriptedStore()) { _, task in task.cancel() }
        #expect(outcome.events == ["failure(cancelled)"])
        #expect(outcome.requests == [])
    }
}
