import EventLoop
import Foundation
import Glibc
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Upload of a file")
struct FileUploadTests {
    static let bytes = UploadTests.bytes

    private struct Outcome: Sendable {
        var events: [String]
        var requests: [String]
        var message: String
    }

    private func upload(
        _ url: URL, _ store: ScriptedStore = ScriptedStore(),
        act: @escaping @Sendable (StorageUploadTask) -> Void = { _ in }
    ) async throws -> Outcome {
        try await withBench(script: store.answer) { bench in
            let task = bench.storage.reference(withPath: "a/b.bin").putFile(from: url) { _, _ in
                bench.note("ended")
            }
            bench.record(task)
            act(task)
            await bench.until("ended")
            return Outcome(
                events: bench.log.dropLast(), requests: bench.requests,
                message: task.snapshot.error?.localizedDescription ?? "")
        }
    }

    @Test("Sends its bytes, and the type that its name tells")
    func whole() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Self.bytes, to: "a file.JPG")
        let store = ScriptedStore { name, state, request in
            if name == "start#1" {
                state.contentType = request.headers["X-Goog-Upload-Content-Type"] ?? ""
            }
            return nil
        }
        let outcome = try await upload(URL(fileURLWithPath: path), store)
        #expect(outcome.events == UploadTests.plainEvents)
        #expect(outcome.requests == UploadTests.plainRequests)
        #expect(store.state.withLock { $0.object } == Self.bytes)
        #expect(store.state.withLock { $0.contentType } == "image/jpeg")
    }

    @Test(
        "That cannot be read fails alone, without a request, and is named",
        arguments: ["missing", "folder", "dangling", "pipe"])
    func unreadable(kind: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: kind)
        switch kind {
        case "folder": mkdir(path, 0o755)
        case "dangling": symlink("/nowhere/at/all", path)
        case "pipe": mkfifo(path, 0o644)
        default: break
        }
        let outcome = try await upload(URL(fileURLWithPath: path))
        #expect(outcome.events == ["failure(unknown)"])
        #expect(outcome.requests == [])
        #expect(outcome.message.contains(kind))
    }

    @Test("By a URL that is no file's fails alone and without a request")
    func noFile() async throws {
        let url = try #require(URL(string: "https://example.com/a.png"))
        let outcome = try await upload(url)
        #expect(outcome.events == ["failure(unknown)"])
        #expect(outcome.requests == [])
    }

    @Test(
        "Fails when the file is removed or changed on the way",
        arguments: ["removed", "grown", "shrunk", "replaced"])
    func changed(how: String) async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Self.bytes, to: "a.bin")
        let outcome = try await upload(URL(fileURLWithPath: path)) { task in
            task.observe(.progress) { _ in
                switch how {
                case "removed": unlink(path)
                case "grown":
                    let fd = open(path, O_WRONLY | O_APPEND)
                    write(fd, "x", 1)
                    close(fd)
                case "shrunk": truncate(path, 1000)
                default:
                    unlink(path)
                    _ = try? folder.write(Self.bytes, to: "a.bin")
                }
            }
        }
        #expect(outcome.events.first == "resume@0")
        #expect(outcome.events.last == "failure(unknown)")
        #expect(outcome.message.contains("a.bin"))
        #expect(!outcome.requests.contains { $0.hasPrefix("upload, finalize") })
    }

    @Test("To the root of a bucket fails alone and without a request")
    func root() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Self.bytes, to: "a.bin")
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = bench.storage.reference().putFile(from: URL(fileURLWithPath: path))
            bench.record(task)
            await bench.until("failure(invalidArgument)")
            #expect(bench.log == ["failure(invalidArgument)"])
            #expect(bench.requests == [])
        }
    }
}
