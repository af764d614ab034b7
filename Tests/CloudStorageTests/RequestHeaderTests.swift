import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// Notes what would be sent and answers nothing.
private final class SilentTransport: HTTPTransport {
    private let started = Lock<[TransportRequest]>([])

    var requests: [TransportRequest] { started.withLock { $0 } }

    func start(_ request: TransportRequest, _ sink: any TransportSink) -> Int {
        started.withLock { started in
            started.append(request)
            return started.count
        }
    }

    func cancel(_ id: Int) {}
    func shutDown() {}
}

@Suite("Request headers")
struct RequestHeaderTests {
    private static let everything = RequestValues(
        userToken: "user", appCheckToken: "app", appID: "1:2:ios:3", command: "start", offset: 4,
        size: 5, type: "image/png", from: 6,
        unless: "\"7\"")

    private static let common = [
        "Authorization: Firebase user", "X-Firebase-AppCheck: app",
        "X-Firebase-GMPID: 1:2:ios:3", "X-Firebase-Storage-Version: linux/1.0",
        "User-Agent: CloudStorage/1.0",
    ]

    private static let own: [RequestKind: [String]] = [
        .start: [
            "Content-Type: application/json; charset=UTF-8", "X-Goog-Upload-Protocol: resumable",
            "X-Goog-Upload-Command: start", "X-Goog-Upload-Content-Length: 5",
            "X-Goog-Upload-Content-Type: image/png",
        ],
        .chunk: [
            "X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start",
            "X-Goog-Upload-Offset: 4",
        ],
        .query: ["X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start"],
        .cancel: ["X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start"],
        .media: ["Range: bytes=6-", "If-None-Match: \"7\""],
        .metadata: [],
        .update: ["Content-Type: application/json; charset=UTF-8"],
        .delete: [],
        .list: [],
    ]

    @Test("Are those of the request's kind, in the table's order", arguments: RequestKind.allCases)
    func table(kind: RequestKind) throws {
        let fields = RequestHeaders.standard.fields(of: kind, Self.everything)
        let own = try #require(Self.own[kind])
        #expect(fields.fields.map { "\($0.name): \($0.value)" } == Self.common + own)
    }

    @Test("Of nothing known are what the library says of itself", arguments: RequestKind.allCases)
    func empty(kind: RequestKind) {
        let fields = RequestHeaders.standard.fields(of: kind, RequestValues())
        let own = Set(["Content-Type", "X-Goog-Upload-Protocol"])
        #expect(
            fields.fields.map(\.name).filter { !own.contains($0) }
                == ["X-Firebase-Storage-Version", "User-Agent"])
    }

    @Test("Take no line end from a program's text")
    func lineEnds() {
        var values = RequestValues()
        values.userToken = "a\r\nX-Evil: b"
        values.type = "text/plain\nX-Evil: b"
        let fields = RequestHeaders.standard.fields(of: .start, values)
        #expect(fields["Authorization"] == "Firebase aX-Evil: b")
        #expect(fields["X-Goog-Upload-Content-Type"] == "text/plainX-Evil: b")
    }

    @Test("Are on the wire as the table says, for every kind of request")
    func wire() async throws {
        let store = ScriptedStore { name, _, _ in
            switch name {
            case "chunk#1": .answer(503)
            case "finalize#1": .silence
            default: nil
            }
        }
        try await withBench(
            tokens: ListedTokens(["user"]), proofs: ListedProofs(["app"]), script: store.answer
        ) { bench in
            let place = bench.storage.reference(withPath: "a/b.bin")
            let task = place.putData(Data(UploadTests.bytes))
            bench.record(task)
            await bench.until("progress@524288")
            _ = await bench.loop.sleep(for: .seconds(1))
            task.cancel()
            store.state.withLock { $0.object = OperationTests.object }
            _ = try await place.data(maxSize: 10)
            _ = try await place.updateMetadata(StorageMetadata())
            _ = try await bench.storage.reference().listAll()
            try await place.delete()
            let own: Set<String> = ["Host", "Accept", "Content-Length"]
            let seen = bench.server.requests.map { request in
                request.headers.fields.map(\.name).filter { !own.contains($0) }
            }
            let kinds: [RequestKind] = [
                .start, .chunk, .query, .chunk, .chunk, .chunk, .cancel, .media, .update, .list,
                .delete,
            ]
            let table = RequestHeaders.standard
            let optional: Set<String> = ["X-Firebase-GMPID", "Range", "If-None-Match"]
            #expect(
                seen
                    == kinds.map { kind in
                        table.rows.filter { $0.kinds.contains(kind) }.map(\.name)
                            .filter { !optional.contains($0) }
                    })
        }
    }

    // MARK: The app's token

    @Test("Carry the app's token without a user's")
    func appAlone() async throws {
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(proofs: ListedProofs(["proof"]), script: store.answer) { bench in
            try await CredentialTests.Place.metadata.call(bench.storage)
            let sent = bench.server.requests.map(\.headers)
            #expect(sent.map { $0["X-Firebase-AppCheck"] } == ["proof"])
            #expect(sent.map { $0["Authorization"] } == [nil])
        }
    }

    @Test("Carry no app's token where its provider has none")
    func noApp() async throws {
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(proofs: ListedProofs([nil]), script: store.answer) { bench in
            try await CredentialTests.Place.metadata.call(bench.storage)
            #expect(bench.server.requests.map { $0.headers["X-Firebase-AppCheck"] } == [nil])
        }
    }

    @Test("Carry a placeholder where the app's provider fails, and the request goes on")
    func appFails() async throws {
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(proofs: ListedProofs([], fails: true), script: store.answer) { bench in
            try await CredentialTests.Place.metadata.call(bench.storage)
            #expect(
                bench.server.requests.map { $0.headers["X-Firebase-AppCheck"] }
                    == ["eyJlcnJvciI6IlVOS05PV05fRVJST1IifQ=="])
        }
    }

    @Test("Carry a renewed app's token after a 401, and the same user's where he has none newer")
    func appRenewed() async throws {
        let store = ScriptedStore(object: OperationTests.object) { _, _, request in
            request.headers["X-Firebase-AppCheck"] == "new" ? nil : .answer(401)
        }
        let proofs = ListedProofs(["old", "new"])
        try await withBench(
            tokens: ListedTokens([nil]), proofs: proofs, script: store.answer
        ) { bench in
            try await CredentialTests.Place.metadata.call(bench.storage)
            #expect(proofs.tokens.asked == [false, true])
            #expect(bench.requests.count == 2)
        }
    }

    @Test("Are not repeated where the app's provider fails to renew and nobody is signed in")
    func appNotRenewed() async throws {
        let refusal: @Sendable (SeenRequest) -> ServerDoing = { _ in .answer(401) }
        let proofs = ListedProofs(["old"], fails: true)
        try await withBench(proofs: proofs, script: refusal) { [self] bench in
            let code = await code { try await CredentialTests.Place.metadata.call(bench.storage) }
            #expect(code == .unauthenticated)
            #expect(bench.requests.count == 1)
        }
    }

    @Test("Ask both providers at once")
    func both() async throws {
        let (user, app) = (HeldTokens(), HeldTokens())
        let store = ScriptedStore(object: OperationTests.object)
        try await withBench(tokens: user, proofs: app, script: store.answer) { bench in
            let call = Task(executorPreference: bench.loop) {
                try await CredentialTests.Place.metadata.call(bench.storage)
            }
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(user.asked == [false] && app.asked == [false])
            app.answer("app")
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.requests == [])
            user.answer("user")
            try await call.value
        }
    }

    // MARK: Other servers

    private func code(_ body: () async throws -> Void) async -> StorageErrorCode? {
        do { try await body() } catch { return StorageFailure(error)?.code }
        return nil
    }

    static let signedIn = StorageCredentials.Held(user: .init(text: "t", renewals: 0))
    static let proven = StorageCredentials.Held(app: .init(text: "t", renewals: 0))
    static let unproven = StorageCredentials.Held(
        user: .init(text: nil, renewals: 0), app: .init(text: "t", renewals: 0),
        isAppUnproven: true)

    @Test(
        "With credentials go over HTTPS or to this machine alone; without, anywhere",
        arguments: [
            ("https://example.com", true), ("http://localhost:9199", true),
            ("http://127.0.0.1:9199", true), ("http://[::1]:9199", true),
            ("http://192.168.1.7:9199", false), ("http://10.0.2.2:9199", false),
            ("http://example.com", false), ("http://127.0.0.1.example.com", false),
        ])
    func inTheClear(url: String, isSafe: Bool) throws {
        let endpoint = try #require(StorageEndpoint(url: url))
        for held in [Self.signedIn, Self.proven] {
            let problem = endpoint.problem(carrying: held)
            #expect((problem == nil) == isSafe)
            #expect(isSafe || problem?.code == .invalidArgument)
            #expect(isSafe || problem?.message.contains(url) == true)
        }
        for held in [StorageCredentials.Held(), Self.unproven] {
            #expect(endpoint.problem(carrying: held) == nil)
        }
    }

    @Test(
        "With credentials for another host in the clear fail before anything is sent",
        arguments: [CredentialTests.Place.start, .download, .metadata])
    func nothingSent(place: CredentialTests.Place) async throws {
        try await runVirtually { [self] loop in
            let transport = SilentTransport()
            let engine = StorageEngine(loop: loop, transport: transport)
            func storage(_ token: String?) -> Storage {
                let storage = Storage(
                    bucket: "demo", engine: engine, tokens: ListedTokens([token]))
                storage.useEmulator(withHost: "192.168.1.7", port: 9199)
                return storage
            }
            #expect(await code { try await place.call(storage("secret")) } == .invalidArgument)
            #expect(transport.requests.isEmpty)
            storage(nil).reference(withPath: "a").getMetadata { _, _ in }
            _ = await loop.sleep(for: .seconds(1))
            #expect(transport.requests.map { $0.headers["Authorization"] } == [nil])
        }
    }

    @Test("Are not sent where a redirect points", arguments: [301, 302, 307, 308])
    func redirected(status: Int) async throws {
        try await runVirtually { [self] loop in
            let foreign = LoopServer(loop: loop) { _ in .answer(200) }
            foreign.start()
            let place = "http://localhost:\(foreign.port)/v0/b/demo/o/a"
            let bench = ClientBench(loop, tokens: ListedTokens(["secret"])) { _ in
                .answer(status, ["Location": place])
            }
            for call in [CredentialTests.Place.start, .download, .metadata] {
                #expect(await code { try await call.call(bench.storage) } == .unknown)
            }
            #expect(bench.requests.count == 3)
            #expect(foreign.requests.isEmpty)
            bench.stop()
            foreign.stop()
        }
    }
}
