import EventLoop
import TestSupport
import Testing

@Suite("Counted worker")
struct CountedWorkerTests {
    @Test("Work runs off the loop, and its completion on it")
    func places() async throws {
        let places = try await runLoop { loop in
            await withCheckedContinuation { continuation in
                loop.offload({ loop.isCurrent }) {
                    continuation.resume(returning: ($0, loop.isCurrent))
                }
            }
        }
        #expect(places == (false, true))
    }

    @Test("The virtual clock does not move over a computation")
    func clockWaits() async throws {
        let (seen, result) = try await runVirtually { loop -> (Duration, Int) in
            loop.timer(after: .seconds(1)) {}
            let time = Recorder<Bool>()
            // The virtual clock does not wait for the wall's: it could move all the while.
            loop.realTimer(after: .milliseconds(20)) { time.append(true) }
            let result = await loop.offloaded { () -> Int in
                (try? time.wait(count: 1)) == nil ? 0 : 7
            }
            return (loop.now, result)
        }
        #expect(seen == .zero)
        #expect(result == 7)
    }

    @Test("Completions come in the order of the calls, whichever way the works end")
    func completionOrder() async throws {
        let seen = Recorder<Int>()
        try await runVirtually { loop in
            for number in 0..<20 { loop.offload({ number }) { seen.append($0) } }
            _ = await loop.sleep(for: .seconds(1))
        }
        #expect(seen.values == Array(0..<20))
    }

    @Test("A completion gives way to all work on the loop, however long that takes")
    func completionIsLast() async throws {
        let seen = Recorder<String>()
        try await runVirtually { loop in
            let computed = Recorder<Bool>()
            loop.offload {
                computed.append(true)
            } then: { _ in
                seen.append("completion")
            }
            // Goes on for a while after the computation is done.
            @Sendable func more(_ left: Int) {
                let isDone = !computed.values.isEmpty
                guard left > 0 else { return seen.append("work") }
                loop.post { more(isDone ? left - 1 : left) }
            }
            more(10)
            _ = await loop.sleep(for: .seconds(1))
        }
        #expect(seen.values == ["work", "completion"])
    }

    @Test("The end waits for computations and tells their results", arguments: [true, false])
    func end(isVirtual: Bool) throws {
        let loop = try EventLoop(time: isVirtual ? VirtualTime() : nil)
        let seen = Recorder<Int>()
        try loop.start()
        let begun = Recorder<Bool>()
        let end = Recorder<Bool>()
        loop.post {
            loop.offload {
                begun.append(true)
                return (try? end.wait(count: 1)) == nil ? 0 : 3
            } then: {
                seen.append($0)
            }
        }
        try begun.wait(count: 1)
        // The last thing that the loop does before it is told to stop, or after that.
        loop.post { end.append(true) }
        loop.stop()
        #expect(seen.values == [3])
    }
}
