import Dispatch
import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Sequence of snapshots")
struct SnapshotSequenceTests {
    private static func begin(_ bench: ClientBench) -> StorageUploadTask {
        bench.storage.reference(withPath: "a/b.bin").putData(Data(UploadTests.bytes))
    }

    private static let all = [
        "resume@0", "progress@262144", "progress@524288", "progress@600000", "success@600000",
    ]

    @Test("Has every event in order, for each of several subscribers, and ends behind the last")
    func whole() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            let (one, other) = (task.snapshots, task.snapshots)
            var first = one.makeAsyncIterator()
            var second = other.makeAsyncIterator()
            var third = one.makeAsyncIterator()
            var seen: [[String]] = [[], [], []]
            while let snapshot = await first.next() { seen[0].append(ClientBench.text(snapshot)) }
            while let snapshot = await second.next() { seen[1].append(ClientBench.text(snapshot)) }
            while let snapshot = await third.next() { seen[2].append(ClientBench.text(snapshot)) }
            #expect(seen == [Self.all, Self.all, Self.all])
            #expect(await first.next() == nil)
            #expect(task.state.withLock { $0.observers.isEmpty })
        }
    }

    @Test("Has the end alone where the task is over", arguments: [false, true])
    func late(isCancelled: Bool) async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            task.whenEnded { _ in bench.note("ended") }
            if isCancelled { task.cancel() }
            await bench.until("ended")
            var seen: [String] = []
            for await snapshot in task.snapshots { seen.append(ClientBench.text(snapshot)) }
            #expect(seen == [isCancelled ? "failure(cancelled)" : "success@600000"])
        }
    }

    @Test("Has what happens from then on, where it is joined midway on the callback queue")
    func midway() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            bench.record(task)
            await bench.until("progress@262144")
            var seen: [String] = []
            for await snapshot in task.snapshots { seen.append(ClientBench.text(snapshot)) }
            // By the time that the loop is entered the second chunk is there, too.
            #expect(seen == ["progress@600000", "success@600000"])
        }
    }

    @Test("Is left by its subscriber with the loop, and the transfer goes on")
    func left() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            let snapshots = task.snapshots
            for await snapshot in snapshots where snapshot.status == .progress { break }
            #expect(task.state.withLock { $0.observers.isEmpty })
            bench.record(task)
            await bench.until("success@600000")
        }
    }

    @Test("Ends when the Swift task is cancelled, and the transfer goes on")
    func cancelled() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            let reader = Task(executorPreference: bench.loop) {
                var count = 0
                for await _ in task.snapshots { count += 1 }
                return count
            }
            reader.cancel()
            #expect(await reader.value <= 1)
            bench.record(task)
            await bench.until("success@600000")
            #expect(task.state.withLock { $0.observers.isEmpty })
        }
    }

    @Test("Is not ended by the removal of all observers")
    func removal() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            var iterator = task.snapshots.makeAsyncIterator()
            task.removeAllObservers()
            var seen: [String] = []
            while let snapshot = await iterator.next() { seen.append(ClientBench.text(snapshot)) }
            #expect(seen == Self.all)
        }
    }

    @Test("Observers that are added on the callback queue hear what happens from then on")
    func lateObservers() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            bench.record(task)
            task.observe(.progress) { snapshot in
                guard snapshot.completed == 262_144 else { return }
                task.observe(.resume) { bench.note("late " + ClientBench.text($0)) }
                task.observe(.progress) { bench.note("late " + ClientBench.text($0)) }
            }
            await bench.until("success@600000")
            #expect(
                bench.log == [
                    "resume@0", "progress@262144", "progress@524288", "late progress@524288",
                    "progress@600000", "late progress@600000", "success@600000",
                ])
        }
    }

    @Test(
        "Who comes from elsewhere is told that the transfer runs, once, and may be too late for more"
    )
    func elsewhere() async throws {
        let store = ScriptedStore { name, _, _ in name == "chunk#2" ? .silence : nil }
        try await withBench(script: store.answer) { bench in
            let queue = DispatchQueue(label: "callbacks of the test")
            bench.storage.callbackQueue = queue
            let seen = Recorder<String>()
            let task = queue.sync {
                let task = Self.begin(bench)
                task.observe(.progress) { _ in bench.loop.post { bench.note("runs") } }
                return task
            }
            await bench.until("runs")
            // On the loop, which is not the callback queue here.
            for status in StorageTaskStatus.allCases {
                task.observe(status) { seen.append("late " + ClientBench.text($0)) }
            }
            var snapshots = task.snapshots.makeAsyncIterator()
            queue.sync {
                _ = task.observe(.resume) { _ in seen.append("on the queue") }
            }
            task.cancel()
            var all: [String] = []
            while let snapshot = await snapshots.next() { all.append(ClientBench.text(snapshot)) }
            #expect(all == ["resume@262144", "failure(cancelled)"])
            #expect(seen.values == ["late resume@262144", "late failure(cancelled)"])
        }
    }

    @Test("A second start of a task does nothing")
    func secondStart() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            bench.record(task)
            task.enqueue()
            await bench.until("progress@262144")
            task.enqueue()
            await bench.until("success@600000")
            #expect(bench.log == Self.all)
            #expect(bench.requests.count { $0 == "start" } == 1)
        }
    }

    /// Cancels a task when it goes away.
    private final class Canceller: Sendable {
        let task: StorageUploadTask

        init(_ task: StorageUploadTask) { self.task = task }

        deinit { task.cancel() }
    }

    @Test("What an observer held may call the task while it is let go of")
    func releasedHandlers() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let task = Self.begin(bench)
            bench.record(task)
            let handle = { [canceller = Canceller(task)] in
                task.observe(.failure) { [canceller] _ in _ = canceller }
            }()
            task.removeObserver(withHandle: handle)
            await bench.until("failure(cancelled)")
        }
    }
}
