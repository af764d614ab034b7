import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Image loader")
struct ImageLoaderTests {
    /// A store whose object has an ETag, and which answers 304 to who has it.
    private static func store(
        _ object: Data?,
        fault: @escaping @Sendable (Int, inout ScriptedStore.State) -> ServerDoing? = { _, _ in
            nil
        }
    ) -> ScriptedStore {
        ScriptedStore(object: object.map { Array($0) }) { name, state, request in
            guard name.hasPrefix("get#") else { return nil }
            if let doing = fault(state.seen["get"] ?? 0, &state) { return doing }
            let tag = "\"\(state.generation)\""
            guard state.object != nil, request.headers["If-None-Match"] == tag else { return nil }
            return .answer(304, ["ETag": tag])
        }
    }

    private static func text(_ state: StorageImageState) -> String {
        func mark(_ image: StorageImage) -> String {
            "\(image.origin) \(image.data.count)\(image.isStale ? " stale" : "")"
        }
        switch state {
        case .placeholder(let data): return "placeholder \(data?.count ?? 0)"
        case .cached(let image): return "cached \(mark(image))"
        case .image(let image): return "image \(mark(image))"
        case .failure(let error):
            return "failure \(StorageFailure(error)?.code ?? .internalError)"
        }
    }

    /// Loads and waits for the end.
    private static func load(
        _ loader: StorageImageLoader, _ bench: ClientBench, _ path: String = "a/b.png",
        placeholder: Data? = nil
    ) async -> [String] {
        var states: [String] = []
        let reference = bench.storage.reference(withPath: path)
        for await state in loader.states(of: reference, placeholder: placeholder) {
            states.append(text(state))
        }
        return states
    }

    private static func replace(_ store: ScriptedStore, _ data: Data) {
        store.state.withLock { state in
            state.object = Array(data)
            state.generation += 1
        }
    }

    @Test("Shows the placeholder that was given, then the image")
    func first() async throws {
        try await withBench(script: Self.store(png(5000)).answer) { bench in
            let states = await Self.load(
                StorageImageLoader(), bench, placeholder: Data([1, 2, 3]))
            #expect(states == ["placeholder 3", "image server 5000"])
            #expect(bench.requests == ["GET"])
        }
    }

    @Test("Shows a cached image at once, and the server that is asked does not send it again")
    func revalidated() async throws {
        try await withBench(script: Self.store(png(5000)).answer) { bench in
            let loader = StorageImageLoader()
            _ = await Self.load(loader, bench)
            let states = await Self.load(loader, bench, placeholder: Data([1]))
            #expect(states == ["cached memory 5000", "image memory 5000"])
            #expect(bench.server.requests.count == 2)
            #expect(bench.server.requests[0].headers["If-None-Match"] == nil)
            #expect(bench.server.requests[1].headers["If-None-Match"] == "\"1\"")
        }
    }

    @Test("An image that was replaced comes after the cached one, and stays")
    func replaced() async throws {
        let store = Self.store(png(5000))
        try await withBench(script: store.answer) { bench in
            let loader = StorageImageLoader()
            _ = await Self.load(loader, bench)
            Self.replace(store, png(6000, 1))
            #expect(
                await Self.load(loader, bench) == ["cached memory 5000", "image server 6000"])
            #expect(
                await Self.load(loader, bench) == ["cached memory 6000", "image memory 6000"])
        }
    }

    @Test("A fresh image is taken without a request, and asked for again when it is old")
    func fresh() async throws {
        try await withBench(script: Self.store(png(5000)).answer) { bench in
            let time = Lock(1000.0)
            var settings = StorageImageLoader.Settings()
            settings.freshness = 60
            let loader = StorageImageLoader(settings: settings) { time.withLock { $0 } }
            _ = await Self.load(loader, bench)
            time.withLock { $0 += 59 }
            #expect(await Self.load(loader, bench) == ["image memory 5000"])
            #expect(bench.server.requests.count == 1)
            time.withLock { $0 += 1 }
            #expect(
                await Self.load(loader, bench) == ["cached memory 5000", "image memory 5000"])
            time.withLock { $0 += 59 }
            #expect(await Self.load(loader, bench) == ["image memory 5000"])
            #expect(bench.server.requests.count == 2)
        }
    }

    @Test("Another loader finds the image on disk and shows it while it asks")
    func disk() async throws {
        let folder = try TemporaryDirectory()
        try await withBench(script: Self.store(png(5000)).answer) { bench in
            var settings = StorageImageLoader.Settings()
            settings.diskFolder = URL(fileURLWithPath: folder.path(of: "images"))
            _ = await Self.load(StorageImageLoader(settings: settings), bench)
            // The file is written after the image was told.
            _ = await bench.loop.offloaded {}
            let second = StorageImageLoader(settings: settings)
            #expect(
                await Self.load(second, bench)
                    == ["placeholder 0", "cached disk 5000", "image disk 5000"])
            #expect(bench.server.requests.last?.headers["If-None-Match"] == "\"1\"")
            second.removeAll()
            #expect(
                await Self.load(second, bench) == ["placeholder 0", "image server 5000"])
        }
    }

    @Test("Many who wait for one image wait for one request")
    func shared() async throws {
        try await withBench(script: Self.store(png(5000)).answer) { bench in
            let loader = StorageImageLoader()
            await withTaskGroup(of: [String].self) { group in
                for _ in 0..<50 {
                    group.addTask { await Self.load(loader, bench) }
                }
                for await states in group {
                    #expect(
                        states.last == "image server 5000"
                            || states.last?.hasPrefix("image memory") == true)
                }
            }
            let full = bench.server.requests.filter { $0.headers["If-None-Match"] == nil }
            #expect(full.count == 1)
        }
    }

    @Test("Who cancels hears of it, and the others get their image")
    func cancelOne() async throws {
        let slow: @Sendable (SeenRequest) -> ServerDoing = {
            .after(.seconds(1), [Self.store(png(5000)).answer($0)])
        }
        try await withBench(script: slow) { bench in
            let loader = StorageImageLoader()
            let reference = bench.storage.reference(withPath: "a/b.png")
            let first = loader.load(reference) { bench.note("one " + Self.text($0)) }
            loader.load(reference) { bench.note("two " + Self.text($0)) }
            first.cancel()
            first.cancel()
            await bench.until("two image server 5000")
            _ = await bench.loop.sleep(for: .seconds(5))
            #expect(
                bench.log == [
                    "one placeholder 0", "two placeholder 0", "one failure cancelled",
                    "two image server 5000",
                ])
            #expect(bench.requests == ["GET"])
        }
    }

    @Test("When the last one cancels, the request is given up and the next load begins anew")
    func cancelAll() async throws {
        let store = Self.store(png(5000)) { count, _ in count == 1 ? .silence : nil }
        try await withBench(script: store.answer) { bench in
            let loader = StorageImageLoader()
            let reference = bench.storage.reference(withPath: "a/b.png")
            let request = loader.load(reference) { bench.note(Self.text($0)) }
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.requests == ["GET"])
            request.cancel()
            await bench.until("failure cancelled")
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.server.resets == 1)
            #expect(
                await Self.load(loader, bench) == ["placeholder 0", "image server 5000"])
        }
    }

    @Test("Cancelling the Swift task cancels the load")
    func cancelledTask() async throws {
        let silent: @Sendable (SeenRequest) -> ServerDoing = { _ in .silence }
        try await withBench(script: silent) { bench in
            let loader = StorageImageLoader()
            let reference = bench.storage.reference(withPath: "a/b.png")
            let task = Task(executorPreference: bench.loop) {
                try await loader.image(at: reference)
            }
            _ = await bench.loop.sleep(for: .seconds(1))
            task.cancel()
            let result = await task.result
            #expect(throws: (any Error).self) { try result.get() }
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.server.resets == 1)
        }
    }

    @Test(
        "After a refusal a cached image is neither the end nor kept",
        arguments: [(401, "unauthenticated"), (403, "unauthorized"), (404, "objectNotFound")])
    func refused(_ status: Int, _ code: String) async throws {
        let store = Self.store(png(5000)) { count, _ in
            count == 2 ? .answer(status) : nil
        }
        try await withBench(script: store.answer) { bench in
            let loader = StorageImageLoader()
            _ = await Self.load(loader, bench)
            #expect(
                await Self.load(loader, bench) == ["cached memory 5000", "failure \(code)"])
            #expect(
                await Self.load(loader, bench) == ["placeholder 0", "image server 5000"])
        }
    }

    @Test("A server that cannot be asked leaves the cached image, marked as stale")
    func unreachable() async throws {
        let store = Self.store(png(5000)) { count, _ in
            count >= 2 ? .raw([], .reset) : nil
        }
        try await withBench(script: store.answer) { bench in
            bench.storage.downloadRetryTime = .seconds(3)
            let loader = StorageImageLoader()
            _ = await Self.load(loader, bench)
            #expect(
                await Self.load(loader, bench)
                    == ["cached memory 5000", "image memory 5000 stale"])
        }
    }

    @Test("Without a copy the failure is told with its code")
    func failed() async throws {
        try await withBench(script: Self.store(nil).answer) { bench in
            #expect(
                await Self.load(StorageImageLoader(), bench, placeholder: Data([1]))
                    == ["placeholder 1", "failure objectNotFound"])
        }
    }

    @Test("What is no image, and what is too large, is a failure and is not kept")
    func unfit() async throws {
        let store = Self.store(Data("<html>".utf8))
        try await withBench(script: store.answer) { bench in
            var settings = StorageImageLoader.Settings()
            settings.maxImageSize = 4999
            let loader = StorageImageLoader(settings: settings)
            #expect(await Self.load(loader, bench) == ["placeholder 0", "failure unknown"])
            Self.replace(store, png(5000))
            #expect(
                await Self.load(loader, bench)
                    == ["placeholder 0", "failure downloadSizeExceeded"])
            Self.replace(store, png(4999))
            #expect(
                await Self.load(loader, bench) == ["placeholder 0", "image server 4999"])
        }
    }

    @Test("A reference that names no place is a failure at once, and nothing is asked")
    func flawed() async throws {
        try await withBench(script: Self.store(png(5000)).answer) { bench in
            let loader = StorageImageLoader()
            loader.load(bench.storage.reference(forURL: "ftp://nowhere")) {
                bench.note(Self.text($0))
            }
            await bench.until("failure pathError")
            #expect(bench.log == ["failure pathError"])
            #expect(bench.requests == [])
        }
    }

    @Test("A connection that breaks in the middle is no failure: the rest is fetched")
    func broken() async throws {
        let object = png(5000, 3)
        let store = Self.store(object) { count, state in
            guard count == 1, let bytes = state.object else { return nil }
            let headers = ScriptedStore.downloadHeaders(bytes, state.generation)
            return .raw(ScriptedStore.cut(200, headers, bytes, at: 1000), .reset)
        }
        try await withBench(script: store.answer) { bench in
            let image = try await StorageImageLoader().image(
                at: bench.storage.reference(withPath: "a/b.png"))
            #expect(image.data == object)
            #expect(image.format == .png)
            #expect(bench.requests == ["GET", "GET bytes=1000-"])
        }
    }
}
