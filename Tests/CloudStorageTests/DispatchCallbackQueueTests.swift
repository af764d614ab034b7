import Dispatch
import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

@Suite("Dispatch callback queue")
struct DispatchCallbackQueueTests {
    @Test("Runs everything in order and one by one on a concurrent queue")
    func concurrentQueue() throws {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let callbacks = DispatchCallbackQueue(queue, time: nil)
        let seen = Recorder<Int>()
        let inside = Lock(0)
        let overlaps = Lock(0)
        for number in 0..<2000 {
            callbacks.enqueue {
                let others = inside.withLock { inside in
                    inside += 1
                    return inside - 1
                }
                if others > 0 { overlaps.withLock { $0 += 1 } }
                if number % 7 == 0 { sched_yield() }
                inside.withLock { $0 -= 1 }
                seen.append(number)
            }
        }
        let order = try seen.wait(count: 2000)
        #expect(order == Array(0..<2000))
        #expect(overlaps.withLock { $0 } == 0)
    }

    @Test("Keeps the place of each call among other work of a serial queue")
    func serialQueue() throws {
        let queue = DispatchQueue(label: "serial")
        let callbacks = DispatchCallbackQueue(queue, time: nil)
        let seen = Recorder<String>()
        queue.suspend()
        callbacks.enqueue { seen.append("first") }
        callbacks.enqueue { seen.append("second") }
        queue.async { seen.append("between") }
        callbacks.enqueue { seen.append("third") }
        queue.resume()
        #expect(try seen.wait(count: 4) == ["first", "second", "between", "third"])
    }

    @Test("Takes further work from inside a call, behind what is there")
    func nested() throws {
        let callbacks = DispatchCallbackQueue(
            DispatchQueue(label: "nested", attributes: .concurrent), time: nil)
        let seen = Recorder<String>()
        callbacks.enqueue {
            callbacks.enqueue { seen.append("inner") }
            seen.append("outer")
        }
        #expect(try seen.wait(count: 2) == ["outer", "inner"])
    }

    @Test("Knows code that runs on its queue, as a call or otherwise, from other code")
    func isCurrent() throws {
        let queue = DispatchQueue(label: "one")
        let callbacks = DispatchCallbackQueue(queue, time: nil)
        let other = DispatchCallbackQueue(DispatchQueue(label: "other"), time: nil)
        #expect(!callbacks.isCurrent)
        #expect(queue.sync { callbacks.isCurrent && !other.isCurrent })
        let seen = Recorder<Bool>()
        callbacks.enqueue { seen.append(callbacks.isCurrent && !other.isCurrent) }
        #expect(try seen.wait(count: 1) == [true])
    }

    @Test("Holds the virtual clock until its calls are over")
    func virtualTime() async throws {
        try await runVirtually { loop in
            let queue = DispatchQueue(label: "slow")
            let callbacks = DispatchCallbackQueue(queue, time: loop.time)
            let moments = Recorder<Duration>()
            queue.suspend()
            callbacks.enqueue { moments.append(loop.now) }
            // The clock would jump here if the call that waits were not counted.
            loop.timer(after: .seconds(1)) { moments.append(loop.now) }
            loop.realTimer(after: .milliseconds(20)) { queue.resume() }
            _ = await loop.sleep(for: .seconds(2))
            #expect(moments.values == [.zero, .seconds(1)])
        }
    }

    @Test("Is where a storage's observers and completions are called")
    func storage() async throws {
        try await withBench(script: ScriptedStore().answer) { bench in
            let key = DispatchSpecificKey<String>()
            let queue = DispatchQueue(label: "of the user")
            queue.setSpecific(key: key, value: "here")
            bench.storage.callbackQueue = queue
            #expect(bench.storage.callbackQueue === queue)
            let seen = Recorder<String>()
            let note: @Sendable (String) -> Void = { what in
                seen.append("\(what) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")")
            }
            // Set up in a turn of the queue, where nothing can start before.
            queue.sync {
                let reference = bench.storage.reference(withPath: "a")
                let task = reference.putData(Data([1])) { _, _ in
                    note("completion")
                    reference.getMetadata { _, _ in
                        note("operation")
                        bench.loop.post { bench.note("ended") }
                    }
                }
                task.observe(.success) { _ in note("observer") }
            }
            await bench.until("ended")
            #expect(seen.values == ["observer here", "completion here", "operation here"])
        }
    }
}
