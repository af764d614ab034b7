import EventLoop
import Foundation
import Glibc
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Destination of a download")
struct LocalDestinationTests {
    static let bytes = DownloadTests.bytes

    private struct Outcome: Sendable {
        var events: [String]
        var message: String
        var requests: Int
        var resets: Int
    }

    private func download(
        to url: URL, _ store: ScriptedStore = ScriptedStore(object: bytes),
        act: @escaping @Sendable (StorageDownloadTask) -> Void = { _ in }
    ) async throws -> Outcome {
        try await withBench(script: store.answer) { bench in
            let task = bench.storage.reference(withPath: "a/b.bin").write(toFile: url)
            bench.record(task)
            task.whenEnded { _ in bench.note("ended") }
            act(task)
            await bench.until("ended")
            _ = await bench.loop.sleep(for: .seconds(1))
            return Outcome(
                events: bench.log.filter { $0 != "ended" },
                message: task.snapshot.error?.localizedDescription ?? "",
                requests: bench.requests.count, resets: bench.server.resets)
        }
    }

    @Test("That is a folder fails before anything is read into it, and is named")
    func folder() async throws {
        let folder = try TemporaryDirectory()
        _ = try folder.write("x", to: "inner/file")
        let outcome = try await download(
            to: URL(fileURLWithPath: folder.path(of: "inner"), isDirectory: true))
        #expect(outcome.events == ["resume@0", "failure(unknown)"])
        #expect(outcome.message.contains("inner"))
        #expect(outcome.requests == 1)
        #expect(try folder.names == ["inner"])
        #expect(try folder.read("inner/file") == Array("x".utf8))
    }

    // Root may write everywhere but in these: they are made by the kernel, and a file below a file is
    // impossible for anybody.
    @Test(
        "Where no file can be made fails once, and is not tried again",
        arguments: ["/proc/squall-test.bin", "/dev/null/a.bin", "/proc/squall/a.bin"])
    func notWritable(path: String) async throws {
        let outcome = try await download(to: URL(fileURLWithPath: path))
        #expect(outcome.events == ["resume@0", "failure(unknown)"])
        #expect(outcome.requests == 1)
        #expect(outcome.message.contains("/proc/squall") || outcome.message.contains("/dev/null"))
    }

    @Test("By a URL that is no file's fails alone and without a request")
    func noFile() async throws {
        let url = try #require(URL(string: "https://example.com/a.png"))
        let outcome = try await download(to: url)
        #expect(outcome.events == ["failure(unknown)"])
        #expect(outcome.requests == 0)
    }

    @Test("That is a link is replaced, and what it leads to stays as it was")
    func link() async throws {
        let folder = try TemporaryDirectory()
        let target = try folder.write("old", to: "target")
        symlink(target, folder.path(of: "link"))
        let outcome = try await download(to: URL(fileURLWithPath: folder.path(of: "link")))
        #expect(outcome.events.last == "success@200000")
        #expect(try folder.read("link") == Self.bytes)
        #expect(try folder.read("target") == Array("old".utf8))
    }

    @Test("Of which the folder is removed meanwhile fails, and leaves nothing")
    func folderRemoved() async throws {
        let folder = try TemporaryDirectory()
        let inner = folder.path(of: "inner")
        mkdir(inner, 0o755)
        let store = ScriptedStore(object: Self.bytes) { name, _, _ in
            guard name == "get#1" else { return nil }
            let headers = ScriptedStore.downloadHeaders(Self.bytes, 1)
            return .raw(ScriptedStore.cut(200, headers, Self.bytes, at: 100_000), .reset)
        }
        let outcome = try await download(to: URL(fileURLWithPath: inner + "/a.bin"), store) {
            task in
            task.observe(.progress) { _ in
                _ = try? FileManager.default.removeItem(atPath: inner)
            }
        }
        #expect(outcome.events.last == "failure(unknown)")
        #expect(try folder.names == [])
    }

    @Test("Has nothing but whole contents at any moment, for who looks at each event")
    func wholeOnly() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("old", to: "a.bin")
        let seen = Lock<Set<Int>>([])
        let outcome = try await download(to: URL(fileURLWithPath: path)) { task in
            for status in [StorageTaskStatus.resume, .progress, .success] {
                task.observe(status) { _ in
                    let size = (try? folder.read("a.bin").count) ?? -1
                    seen.withLock { _ = $0.insert(size) }
                }
            }
        }
        #expect(outcome.events.last == "success@200000")
        #expect(seen.withLock { $0 }.isSubset(of: [3, 200_000]))
        #expect(seen.withLock { $0 }.contains(200_000))
        #expect(try folder.names == ["a.bin"])
    }

    @Test("Of a name as long as names can be is written")
    func longName() async throws {
        let folder = try TemporaryDirectory()
        let name = String(repeating: "n", count: 255)
        let outcome = try await download(to: URL(fileURLWithPath: folder.path(of: name)))
        #expect(outcome.events.last == "success@200000")
        #expect(try folder.read(name) == Self.bytes)
    }
}
