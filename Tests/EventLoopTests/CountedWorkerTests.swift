import EventLoop
import Glibc
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
            let result = await loop.offloaded { () -> Int in
                usleep(20_000)
                return 7
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
            loop.offload({ 0 }) { _ in seen.append("completion") }
            @Sendable func more(_ left: Int) {
                usleep(1000)
                if left > 0 { loop.post { more(left - 1) } } else { seen.append("work") }
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
        loop.post {
            loop.offload {
                usleep(10_000)
                return 3
            } then: {
                seen.append($0)
            }
        }
        loop.stop()
        #expect(seen.values == [3])
    }
}
