import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// Tokens from a list, the last one again and again; notes what was asked.
final class ListedTokens: StorageTokenProvider, Sendable {
    struct Missing: Error, Equatable {}

    private let state: Lock<(tokens: [String?], asked: [Bool])>
    private let fails: Bool
    private let failsToRenew: Bool

    init(_ tokens: [String?], fails: Bool = false, failsToRenew: Bool = false) {
        state = Lock((tokens, []))
        self.fails = fails
        self.failsToRenew = failsToRenew
    }

    var asked: [Bool] { state.withLock { $0.asked } }

    func token(forcingRefresh: Bool) async throws -> String? {
        let token = state.withLock { state in
            state.asked.append(forcingRefresh)
            if forcingRefresh, state.tokens.count > 1 { state.tokens.removeFirst() }
            return state.tokens.first ?? nil
        }
        if fails || (failsToRenew && forcingRefresh) { throw Missing() }
        return token
    }
}

@Suite("Operation")
struct OperationTests {
    typealias Script = @Sendable (SeenRequest) -> ServerDoing

    static let object = Array("hello".utf8)

    private func code(
        _ body: @Sendable () async throws -> Void
    ) async -> StorageErrorCode? {
        do { try await body() } catch { return StorageFailure(error)?.code }
        return nil
    }

    @Test("Reads metadata, and makes the download URL of the first token")
    func metadata() async throws {
        try await withBench(script: ScriptedStore(object: Self.object).answer) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let metadata = try await reference.getMetadata()
            #expect(metadata.size == 5)
            #expect(metadata.name == "b.bin")
            #expect(metadata.path == "a/b.bin")
            #expect(metadata.contentType == "image/png")
            let url = try await reference.downloadURL()
            #expect(
                url.absoluteString
                    == "http://127.0.0.1:\(bench.server.port)/v0/b/demo.appspot.com/o/a%2Fb.bin"
                    + "?alt=media&token=t-1")
        }
    }

    @Test("Of a missing object says so in every operation")
    func notFound() async throws {
        let store = ScriptedStore { _, _, _ in .answer(404, [:], Array("gone".utf8)) }
        try await withBench(script: store.answer) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let codes = [
                await code { _ = try await reference.getMetadata() },
                await code { _ = try await reference.updateMetadata(StorageMetadata()) },
                await code { _ = try await reference.downloadURL() },
                await code { try await reference.delete() },
                await code { _ = try await reference.data(maxSize: 100) },
                await code { _ = try await reference.listAll() },
            ]
            #expect(codes.allSatisfy { $0 == .objectNotFound })
            #expect(bench.requests.count == 6)
        }
    }

    @Test("Sends an update of what differs alone, null for what was removed")
    func update() async throws {
        try await withBench(script: ScriptedStore(object: Self.object).answer) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let metadata = try await reference.getMetadata()
            metadata.contentType = nil
            metadata.cacheControl = "no-cache"
            metadata.customMetadata = ["mood": "calm"]
            _ = try await reference.updateMetadata(metadata)
            let request = try #require(bench.server.requests.last)
            #expect(request.method == "PATCH")
            #expect(
                String(decoding: request.body, as: UTF8.self)
                    == #"{"cacheControl":"no-cache","contentType":null,"metadata":{"mood":"calm"}}"#
            )
        }
    }

    @Test("Lists all pages, with the prefix closed by a slash and a plus kept")
    func listAll() async throws {
        try await withBench(
            script: { request in
                request.target.contains("pageToken=next%2B1")
                    ? .json(200, #"{"prefixes":["a+b/c/"],"items":[]}"#)
                    : .json(
                        200,
                        #"{"prefixes":[],"items":[{"name":"a+b/x","bucket":"b"}],"#
                            + #""nextPageToken":"next+1"}"#)
            },
            { bench in
                let all = try await bench.storage.reference(withPath: "a+b").listAll()
                #expect(all.items.map(\.fullPath) == ["a+b/x"])
                #expect(all.prefixes.map(\.fullPath) == ["a+b/c"])
                #expect(all.pageToken == nil)
                #expect(
                    bench.server.requests.map(\.target) == [
                        "/v0/b/demo.appspot.com/o?delimiter=%2F&prefix=a%2Bb%2F",
                        "/v0/b/demo.appspot.com/o?delimiter=%2F&prefix=a%2Bb%2F"
                            + "&pageToken=next%2B1",
                    ])
            })
    }

    @Test("Does not follow pages in a circle")
    func circle() async throws {
        let circle: Script = { _ in .json(200, #"{"nextPageToken":"same"}"#) }
        try await withBench(script: circle) { bench in
            let code = await code { _ = try await bench.storage.reference().listAll() }
            #expect(code == .unknown)
            #expect(bench.requests.count == 2)
        }
    }

    @Test("Refuses a page size beyond its bounds without a request", arguments: [0, 1001, -1])
    func pageSize(size: Int64) async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let code = await code {
                _ = try await bench.storage.reference().list(maxResults: size)
            }
            #expect(code == .invalidArgument)
            #expect(bench.requests == [])
        }
    }

    @Test("Is tried again within its limit, and fails with the last answer kept")
    func retry() async throws {
        try await withBench(
            script: { request in request.ordinal < 3 ? .answer(503) : .answer(429) },
            { bench in
                bench.storage.operationRetryTime = .seconds(6)
                let reference = bench.storage.reference(withPath: "a")
                do {
                    _ = try await reference.getMetadata()
                    Issue.record("it succeeded")
                } catch {
                    #expect(StorageFailure(error)?.code == .retryLimitExceeded)
                    #expect(StorageFailure(error)?.status == 429)
                }
                #expect(bench.loop.now == .seconds(6))
                #expect(bench.requests.count == 3)
            })
    }

    @Test("Of deletion counts an object that is gone after a lost answer as deleted")
    func lostDelete() async throws {
        try await withBench(
            script: { request in request.ordinal == 1 ? .raw([], .reset) : .answer(404) },
            { bench in try await bench.storage.reference(withPath: "a").delete() })
    }

    @Test("Reports an answer that is no JSON, with its text")
    func noJSON() async throws {
        let page: Script = { _ in .json(200, "<html>") }
        try await withBench(script: page) { bench in
            do {
                _ = try await bench.storage.reference(withPath: "a").getMetadata()
                Issue.record("it succeeded")
            } catch {
                #expect(StorageFailure(error)?.code == .unknown)
                #expect(StorageFailure(error)?.body == "<html>")
            }
        }
    }

    // MARK: Tokens

    @Test("Sends the token, and asks once for a fresh one when it is refused")
    func freshToken() async throws {
        let tokens = ListedTokens(["old", "new"])
        let store = ScriptedStore(object: Self.object) { _, _, request in
            request.headers["Authorization"] == "Firebase new" ? nil : .answer(401)
        }
        try await withBench(tokens: tokens, script: store.answer) { bench in
            _ = try await bench.storage.reference(withPath: "a/b.bin").getMetadata()
            #expect(tokens.asked == [false, true])
            #expect(
                bench.server.requests.map { $0.headers["Authorization"] }
                    == ["Firebase old", "Firebase new"])
        }
    }

    @Test("Fails as unauthenticated when the fresh token is refused, too")
    func refusedTwice() async throws {
        let tokens = ListedTokens(["old", "new", "newer"])
        let refusal: Script = { _ in .answer(401) }
        try await withBench(tokens: tokens, script: refusal) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            #expect(
                await code { _ = try await reference.data(maxSize: 10) } == .unauthenticated)
            #expect(bench.requests.count == 2)
            #expect(
                await code { _ = try await reference.putDataAsync(Data([1])) }
                    == .unauthenticated)
            #expect(bench.requests.count == 4)
        }
    }

    @Test("Fails as unauthenticated without a request when there is no token to be had")
    func noToken() async throws {
        let tokens = ListedTokens([], fails: true)
        try await withBench(tokens: tokens, script: ScriptedStore().answer) { bench in
            let reference = bench.storage.reference(withPath: "a/b.bin")
            #expect(await code { _ = try await reference.getMetadata() } == .unauthenticated)
            #expect(bench.requests == [])
        }
    }

    @Test("Of nobody signed in carries no token")
    func signedOut() async throws {
        let tokens = ListedTokens([nil])
        try await withBench(tokens: tokens, script: ScriptedStore(object: [1]).answer) { bench in
            _ = try await bench.storage.reference(withPath: "a/b.bin").getMetadata()
            #expect(bench.server.requests.last?.headers["Authorization"] == nil)
        }
    }

    @Test("Renews the token in the middle of an upload and repeats the chunk")
    func renewsInUpload() async throws {
        let tokens = ListedTokens(["old", "new"])
        let bytes = UploadTests.bytes
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .answer(401) : nil }
        try await withBench(tokens: tokens, script: store.answer) { bench in
            _ = try await bench.storage.reference(withPath: "a/b.bin").putDataAsync(Data(bytes))
            #expect(
                bench.requests
                    == Array(UploadTests.plainRequests[..<3] + UploadTests.plainRequests[2...]))
            #expect(tokens.asked == [false, false, false, true, false])
        }
    }

    @Test("Never gives the token to another server than the service")
    func foreignSession() async throws {
        let tokens = ListedTokens(["secret"])
        let seen = Lock<[String?]>([])
        try await runVirtually { loop in
            let foreign = LoopServer(loop: loop) { request in
                seen.withLock { $0.append(request.headers["Authorization"]) }
                return .answer(403)
            }
            foreign.start()
            let bench = ClientBench(loop, tokens: tokens) { _ in
                .answer(
                    200,
                    [
                        "X-Goog-Upload-Status": "active",
                        "X-Goog-Upload-URL": "http://127.0.0.1:\(foreign.port)/session",
                    ])
            }
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let code = await code { _ = try await reference.putDataAsync(Data([1])) }
            #expect(code == .unauthorized)
            bench.stop()
            foreign.stop()
        }
        #expect(seen.withLock { $0 } == [nil])
    }
}
