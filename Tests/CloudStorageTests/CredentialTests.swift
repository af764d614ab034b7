import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// Holds every question back until the test answers it, the oldest first. For users and for apps.
final class HeldTokens: StorageTokenProvider, StorageAppCheckProvider, Sendable {
    struct Failed: Error {}

    private struct State {
        var asked: [Bool] = []
        var given: [Bool] = []
        var waiting: [CheckedContinuation<String?, any Error>] = []
        var cancelled = 0
    }

    private let state = Lock(State())

    var asked: [Bool] { state.withLock { $0.asked } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    func answer(_ token: String?) {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?
            .resume(returning: token)
    }

    func token(forcingRefresh: Bool) async throws -> String? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.asked.append(forcingRefresh)
                    state.waiting.append(continuation)
                }
            }
        } onCancel: {
            state.withLock { $0.cancelled += 1 }
        }
    }

    func appCheckToken(forcingRefresh: Bool) async throws -> String? {
        try await token(forcingRefresh: forcingRefresh)
    }
}

/// Proves the app with tokens from a list, or fails.
final class ListedProofs: StorageAppCheckProvider, Sendable {
    let tokens: ListedTokens

    init(_ proofs: [String?], fails: Bool = false) { tokens = ListedTokens(proofs, fails: fails) }

    func appCheckToken(forcingRefresh: Bool) async throws -> String? {
        try await tokens.token(forcingRefresh: forcingRefresh)
    }
}

@Suite("Credentials")
struct CredentialTests {
    /// Where in the life of a call the server looks at the token.
    enum Place: CaseIterable, Sendable {
        case start, chunk, query, download, metadata, update, list, deletion

        /// The key of `ScriptedStore` for the request that is refused.
        var refused: String {
            switch self {
            case .start: "start"
            case .chunk: "chunk"
            case .query: "query"
            case .download: "get"
            case .metadata, .update, .list, .deletion: "meta"
            }
        }

        func call(_ storage: Storage) async throws {
            let place = storage.reference(withPath: "a/b.bin")
            switch self {
            case .start, .chunk, .query: _ = try await place.putDataAsync(Data(UploadTests.bytes))
            case .download: _ = try await place.data(maxSize: 10)
            case .metadata: _ = try await place.getMetadata()
            case .update: _ = try await place.updateMetadata(StorageMetadata())
            case .list: _ = try await storage.reference().listAll()
            case .deletion: try await place.delete()
            }
        }
    }

    /// Takes the token `new` and no other for the requests of one place; a query follows a 503.
    private static func store(refusingAt place: Place, good: String = "new") -> ScriptedStore {
        ScriptedStore(object: OperationTests.object) { name, _, request in
            if place == .query, name == "chunk#1" { return .answer(503) }
            guard ScriptedStore.key(request) == place.refused else { return nil }
            let isGood = request.headers["Authorization"] == "Firebase \(good)"
            return isGood ? nil : .answer(401, [:], Array("why".utf8))
        }
    }

    private func failure(_ body: () async throws -> Void) async -> StorageFailure? {
        do { try await body() } catch { return StorageFailure(error) }
        return nil
    }

    // MARK: A token that is refused

    @Test(
        "A token that is refused is renewed once, wherever that happens", arguments: Place.allCases)
    func renewed(place: Place) async throws {
        let tokens = ListedTokens(["old", "new"])
        let store = Self.store(refusingAt: place)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            try await place.call(bench.storage)
            #expect(tokens.asked.filter { $0 }.count == 1)
            let sent = bench.server.requests.filter {
                ScriptedStore.key($0) == place.refused
            }
            #expect(
                sent.prefix(2).map { $0.headers["Authorization"] }
                    == ["Firebase old", "Firebase new"])
        }
    }

    @Test(
        "A renewed token that is refused, too, ends the call as unauthenticated with the answer",
        arguments: Place.allCases)
    func refused(place: Place) async throws {
        let tokens = ListedTokens(["old", "newer", "newest"])
        let store = Self.store(refusingAt: place)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            let failure = await failure { try await place.call(bench.storage) }
            #expect(failure?.code == .unauthenticated)
            #expect(failure?.status == 401)
            #expect(failure?.body == "why")
            #expect(failure?.cause == nil)
            #expect(tokens.asked.filter { $0 }.count == 1)
        }
    }

    @Test(
        "A provider that fails ends the call as unauthenticated, with its error underneath",
        arguments: [Place.start, .download, .metadata, .list])
    func providerFails(place: Place) async throws {
        let tokens = ListedTokens([], fails: true)
        let store = Self.store(refusingAt: place)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            let failure = await failure { try await place.call(bench.storage) }
            #expect(failure?.code == .unauthenticated)
            #expect(failure?.status == nil)
            #expect(failure?.cause == ListedTokens.Missing() as NSError)
            #expect(failure?.message.hasSuffix("Missing()") == true)
            #expect(bench.requests == [])
        }
    }

    @Test(
        "A provider that fails to renew ends the call so, and nothing is repeated",
        arguments: Place.allCases)
    func renewalFails(place: Place) async throws {
        let store = Self.store(refusingAt: place)
        let tokens = ListedTokens(["old"], failsToRenew: true)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            let failure = await failure { try await place.call(bench.storage) }
            #expect(failure?.code == .unauthenticated)
            #expect(failure?.cause == ListedTokens.Missing() as NSError)
            let sent = bench.server.requests.filter {
                ScriptedStore.key($0) == place.refused
            }
            #expect(sent.count == 1)
        }
    }

    @Test("Of many requests that are refused with one token the first alone has it renewed")
    func oneRenewal() async throws {
        let tokens = ListedTokens(["old", "new"])
        let store = Self.store(refusingAt: .download)
        try await withBench(tokens: tokens, connections: 4, script: store.answer) { bench in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await Place.download.call(bench.storage) }
                }
                try await group.waitForAll()
            }
            #expect(tokens.asked.filter { $0 }.count == 1)
            #expect(tokens.asked.count <= 41)
        }
    }

    @Test("Requests that want the same at the same time share one question")
    func oneQuestion() async throws {
        let tokens = HeldTokens()
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            let calls = (0..<5).map { _ in
                Task(executorPreference: bench.loop) {
                    try await Place.metadata.call(bench.storage)
                }
            }
            _ = await bench.loop.sleep(for: .seconds(30))
            #expect(tokens.asked == [false])
            #expect(bench.requests == [])
            tokens.answer("t")
            for call in calls { try await call.value }
            #expect(bench.requests.count == 5)
        }
    }

    // MARK: A provider that takes its time

    /// Starts a transfer, lets it ask for a token, and does something.
    private func whileAsked(
        _ isUpload: Bool,
        _ act: @escaping @Sendable (ClientBench, StorageObservableTask, HeldTokens) async -> Void
    ) async throws {
        let tokens = HeldTokens()
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            let place = bench.storage.reference(withPath: "a/b.bin")
            let task: StorageObservableTask =
                isUpload
                ? place.putData(Data(OperationTests.object))
                : place.getData(maxSize: 10) { _, _ in }
            bench.record(task)
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(tokens.asked == [false])
            await act(bench, task, tokens)
        }
    }

    @Test(
        "A cancel while a token is asked for ends the transfer at once, and a late answer is nothing",
        arguments: [true, false])
    func cancelled(isUpload: Bool) async throws {
        try await whileAsked(isUpload) { bench, task, tokens in
            let time = bench.loop.now
            task.cancel()
            await bench.until("failure(cancelled)")
            #expect(bench.loop.now == time)
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(tokens.cancelled == 1)
            tokens.answer("late")
            _ = await bench.loop.sleep(for: .seconds(100))
            #expect(bench.log == ["resume@0", "failure(cancelled)"])
            #expect(bench.requests == [])
        }
    }

    @Test("A transfer that is paused while a token is asked for asks again when it goes on")
    func paused() async throws {
        try await whileAsked(false) { bench, task, tokens in
            task.pause()
            await bench.until("pause@0")
            task.resume()
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(tokens.asked == [false, false])
            tokens.answer("first, and late")
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.requests == [])
            tokens.answer("second")
            await bench.until("success@5")
            #expect(
                bench.server.requests.map { $0.headers["Authorization"] } == ["Firebase second"])
        }
    }

    @Test("One who waits for a token goes, and the others get it")
    func oneGoes() async throws {
        let tokens = HeldTokens()
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(tokens: tokens, script: store.answer) { bench in
            let place = bench.storage.reference(withPath: "a/b.bin")
            let first = place.getData(maxSize: 10) { _, _ in }
            let second = place.getData(maxSize: 10) { _, _ in }
            bench.record(second)
            _ = await bench.loop.sleep(for: .seconds(1))
            first.cancel()
            _ = await bench.loop.sleep(for: .seconds(1))
            tokens.answer("t")
            await bench.until("success@5")
            #expect(tokens.asked == [false])
            #expect(tokens.cancelled == 0)
            #expect(bench.requests.count == 1)
        }
    }

    @Test("A provider that blocks its thread holds up nobody who does not ask it")
    func blocking() async throws {
        final class Blocking: StorageTokenProvider {
            let gate = DispatchSemaphore(value: 0)

            func token(forcingRefresh: Bool) async throws -> String? {
                wait()
                return "t"
            }

            private func wait() { gate.wait() }
        }
        let provider = Blocking()
        try await runLoop { loop in
            let store = ScriptedStore(object: OperationTests.object)
            let server = LoopServer(loop: loop, script: store.answer)
            server.start()
            let engine = StorageEngine(loop: loop, isShared: true)
            func storage(_ tokens: (any StorageTokenProvider)?) -> Storage {
                let storage = Storage(bucket: "demo", engine: engine, tokens: tokens)
                storage.useEmulator(withHost: "127.0.0.1", port: Int(server.port))
                return storage
            }
            let (held, free) = (storage(provider), storage(nil))
            async let late: Void = Place.metadata.call(held)
            try await Place.metadata.call(free)
            provider.gate.signal()
            try await late
            engine.shutDown()
            server.stop()
        }
    }
}
