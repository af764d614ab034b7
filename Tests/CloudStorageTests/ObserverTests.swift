import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Observers")
struct ObserverTests {
    /// - Parameter prepare: runs in the turn in which the task was made.
    private func withTask(
        _ prepare: @escaping @Sendable (ClientBench, StorageUploadTask) -> Void,
        then body: @escaping @Sendable (ClientBench, StorageUploadTask) async throws -> Void
    ) async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let bytes = Data(UploadTests.bytes)
            let task = bench.storage.reference(withPath: "a/b.bin").putData(bytes)
            prepare(bench, task)
            try await body(bench, task)
        }
    }

    @Test("Are called in the order of their adding, and the completion after them")
    func order() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = bench.storage.reference(withPath: "a/b.bin").putData(Data()) { _, _ in
                bench.note("completion")
            }
            for name in ["a", "b", "c"] { task.observe(.success) { _ in bench.note(name) } }
            await bench.until("completion")
            #expect(bench.log == ["a", "b", "c", "completion"])
        }
    }

    @Test("Are removed by handle, by status and all at once")
    func removal() async throws {
        let prepare: @Sendable (ClientBench, StorageUploadTask) -> Void = { bench, task in
            bench.record(task, "one ")
            let handle = task.observe(.progress) { _ in bench.note("removed") }
            task.removeObserver(withHandle: handle)
            task.removeObserver(withHandle: handle)
            task.removeObserver(withHandle: "no such handle")
            task.observe(.success) { _ in bench.note("removed") }
            task.observe(.progress) { snapshot in
                bench.note("mark")
                snapshot.task.removeAllObservers()
            }
            task.removeAllObservers(for: .success)
            task.whenEnded { _ in bench.note("ended") }
        }
        try await withTask(prepare) { bench, _ in
            await bench.until("ended")
            #expect(bench.log == ["one resume@0", "one progress@262144", "mark", "ended"])
        }
    }

    @Test("That remove themselves are not called for what was queued before")
    func selfRemoval() async throws {
        let prepare: @Sendable (ClientBench, StorageUploadTask) -> Void = { bench, task in
            let handle = Lock<StorageHandle>("")
            let given = task.observe(.progress) { snapshot in
                bench.note("seen@\(snapshot.completed)")
                snapshot.task.removeObserver(withHandle: handle.withLock { $0 })
            }
            handle.withLock { $0 = given }
            task.whenEnded { _ in bench.note("ended") }
        }
        try await withTask(prepare) { bench, _ in
            await bench.until("ended")
            #expect(bench.log == ["seen@262144", "ended"])
        }
    }

    @Test("That come late are told the end once, if they wait for it", arguments: [false, true])
    func late(isCancelled: Bool) async throws {
        let prepare: @Sendable (ClientBench, StorageUploadTask) -> Void = { bench, task in
            task.whenEnded { _ in bench.note("ended") }
            if isCancelled { task.observe(.progress) { $0.task.cancel() } }
        }
        try await withTask(prepare) { bench, task in
            await bench.until("ended")
            for status in StorageTaskStatus.allCases {
                task.observe(status) { bench.note("late " + ClientBench.text($0)) }
            }
            _ = await bench.loop.sleep(for: .seconds(1))
            let end = isCancelled ? "late failure(cancelled)" : "late success@600000"
            #expect(bench.log == ["ended", end])
            #expect(task.state.withLock { $0.observers.isEmpty })
        }
    }

    @Test("Get snapshots that show the task, what is uploaded, and then what is stored")
    func snapshots() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let metadata = StorageMetadata()
            metadata.contentType = "image/jpeg"
            metadata.customMetadata = ["mood": "calm"]
            let reference = bench.storage.reference(withPath: "a/b.bin")
            let task = reference.putData(Data([1, 2, 3]), metadata: metadata)
            metadata.contentType = "changed/afterwards"
            task.observe(.progress) { snapshot in
                #expect(snapshot.task === task)
                #expect(snapshot.reference == reference)
                #expect(snapshot.metadata?.contentType == "image/jpeg")
                #expect(snapshot.metadata?.generation == 0)
                #expect(snapshot.progress?.completedUnitCount == 3)
                #expect(snapshot.progress?.totalUnitCount == 3)
                #expect(snapshot.error == nil)
            }
            task.observe(.success) { snapshot in
                #expect(snapshot.metadata?.contentType == "image/png")
                #expect(snapshot.metadata?.generation == 1)
                bench.note("ended")
            }
            await bench.until("ended")
            #expect(
                bench.server.requests.first.map { String(decoding: $0.body, as: UTF8.self) }
                    == #"{"contentType":"image/jpeg","metadata":{"mood":"calm"},"name":"a/b.bin"}"#
            )
        }
    }

    @Test("May pause, resume and cancel; twelve quick pairs tell twelve pauses")
    func cycles() async throws {
        let store = ScriptedStore { name, _, request in
            request.command?.hasPrefix("upload") == true && name != "chunk#1"
                ? .after(.seconds(10), [.answer(408)]) : nil
        }
        try await withBench(script: store.answer) { bench in
            let bytes = Data(UploadTests.bytes)
            let task = bench.storage.reference(withPath: "a/b.bin").putData(bytes)
            bench.record(task)
            await bench.until("progress@262144")
            for _ in 0..<12 {
                task.pause()
                task.resume()
                _ = await bench.loop.sleep(for: .milliseconds(20))
            }
            task.cancel()
            await bench.until("failure(cancelled)")
            var expected = ["resume@0", "progress@262144"]
            for _ in 0..<12 { expected += ["pause@262144", "resume@262144"] }
            expected.append("failure(cancelled)")
            #expect(bench.log == expected)
            #expect(bench.requests.count { $0 == "start" } == 1)
        }
    }

    @Test("See a pause that was asked for before the start, behind the start")
    func earlyPause() async throws {
        let prepare: @Sendable (ClientBench, StorageUploadTask) -> Void = { bench, task in
            bench.record(task)
            task.pause()
        }
        try await withTask(prepare) { bench, task in
            await bench.until("pause@0")
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(bench.requests == [])
            task.resume()
            await bench.until("success@600000")
            #expect(Array(bench.log.prefix(3)) == ["resume@0", "pause@0", "resume@0"])
        }
    }

    @Test("Of a task that nobody holds are called, and nothing of it stays behind")
    func unheld() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let isGone = Self.begin(bench)
            await bench.until("ended")
            _ = await bench.loop.sleep(for: .seconds(1))
            #expect(isGone())
        }
    }

    private static func begin(_ bench: ClientBench) -> @Sendable () -> Bool {
        let task = bench.storage.reference(withPath: "a/b.bin").putData(Data([1]))
        task.observe(.success) { _ in bench.note("ended") }
        return { [weak task] in task == nil }
    }
}
