import EventLoop
import TestSupport
import Testing

@Suite("Virtual time")
struct VirtualTimeTests {
    @Test("Hours pass without waiting")
    func hours() async throws {
        let now = try await runVirtually { loop -> Duration in
            _ = await loop.sleep(for: .seconds(36_000))
            return loop.now
        }
        #expect(now == .seconds(36_000))
    }

    @Test("Equal deadlines fire in the order of their setting")
    func equalDeadlines() async throws {
        let seen = Recorder<Int>()
        try await runVirtually { loop in
            for number in 0..<50 { loop.timer(after: .seconds(1)) { seen.append(number) } }
            _ = await loop.sleep(for: .seconds(2))
        }
        #expect(seen.values == Array(0..<50))
    }

    @Test("A negative delay counts as none")
    func negativeDelay() async throws {
        let now = try await runVirtually { loop -> Duration in
            _ = await loop.sleep(for: .seconds(-5))
            return loop.now
        }
        #expect(now == .zero)
    }

    @Test("A cancelled timer never moves the clock")
    func cancelledTimer() async throws {
        let (now, jumps) = try await runVirtually { loop -> (Duration, Int?) in
            for _ in 0..<1000 { loop.cancel(loop.timer(after: .seconds(1)) {}) }
            _ = await loop.sleep(for: .seconds(3))
            return (loop.now, loop.time?.statistics.jumps)
        }
        #expect(now == .seconds(3))
        #expect(jumps == 1)
    }

    @Test("A timer cancelled by the one before it at the same moment does not fire")
    func cancelledAtTheSameMoment() async throws {
        let seen = Recorder<String>()
        try await runVirtually { loop in
            let second = Lock<LoopTimer?>(nil)
            loop.timer(after: .seconds(1)) {
                seen.append("first")
                second.withLock { $0 }.map(loop.cancel)
            }
            let timer = loop.timer(after: .seconds(1)) { seen.append("second") }
            second.withLock { $0 = timer }
            _ = await loop.sleep(for: .seconds(2))
        }
        #expect(seen.values == ["first"])
    }

    @Test("Stages come before timers, steps before the door, whatever the order of addition")
    func stageOrder() async throws {
        #expect(try await stageLog(weakness: []) == ["step", "step", "door", "door", "timer"])
    }

    @Test("With the stages reversed the order is another one")
    func reversedStages() async throws {
        let log = try await stageLog(weakness: .reversedStages)
        #expect(log == ["door", "door", "step", "step", "timer"])
    }

    private func stageLog(weakness: VirtualTime.Weakness) async throws -> [String] {
        let seen = Recorder<String>()
        try await runVirtually(weakness: weakness) { loop in
            let left = Lock(["door": 2, "step": 2])
            for (name, priority) in [("door", VirtualTime.StagePriority.door), ("step", .steps)] {
                loop.time?.addStage(priority) {
                    let isDue = left.withLock { left -> Bool in
                        guard let count = left[name], count > 0 else { return false }
                        left[name] = count - 1
                        return true
                    }
                    return isDue ? .post(loop, { seen.append(name) }) : .nothing
                }
            }
            loop.timer(after: .seconds(1)) { seen.append("timer") }
            _ = await loop.sleep(for: .seconds(2))
        }
        return seen.values
    }

    @Test("When nothing can happen any more, that is said at once, with who waits for what")
    func stuck() async throws {
        let error = await #expect(throws: LoopStuck.self) {
            try await runVirtually { loop in
                loop.time?.describe("server") { ["holds exchange 3 until step 'stop'"] }
                loop.time?.describe("client") { ["waits for an answer", "has 1 upload"] }
                _ = await loop.sleep(for: .seconds(5))
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        }
        #expect(
            error?.report
                == StuckReport(
                    reason: .nothingLeft, time: .seconds(5),
                    waits: [
                        "client: waits for an answer", "client: has 1 upload",
                        "server: holds exchange 3 until step 'stop'",
                    ]))
    }

    @Test("The clock is not moved beyond its deadline")
    func deadline() async throws {
        let error = await #expect(throws: LoopStuck.self) {
            try await runVirtually { loop in
                loop.time?.setDeadline(.seconds(10))
                while await loop.sleep(for: .seconds(3)) {}
            }
        }
        #expect(error?.report.reason == .deadline)
        #expect(error?.report.time == .seconds(10))
    }

    @Test("A describer that was removed says nothing")
    func removedDescriber() async throws {
        let error = await #expect(throws: LoopStuck.self) {
            try await runVirtually { loop in
                (loop.time?.describe("gone") { ["never"] }).map { loop.time?.remove($0) }
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        }
        #expect(error?.report.waits == [])
    }

    @Test("The report of being stuck comes once")
    func stuckOnce() throws {
        let time = VirtualTime()
        let loop = try EventLoop(time: time)
        let seen = Recorder<StuckReport>()
        time.whenStuck { seen.append($0) }
        try loop.start()
        try seen.wait(count: 1)
        loop.post {}
        loop.stop()
        #expect(seen.values.count == 1)
    }

    @Test("A finished clock moves no more")
    func finished() throws {
        let time = VirtualTime()
        let loop = try EventLoop(time: time)
        let seen = Recorder<Int>()
        time.finish()
        try loop.start()
        loop.post { loop.timer(after: .seconds(1)) { seen.append(1) } }
        loop.stop()
        #expect(seen.values.isEmpty)
        #expect(time.now == 0)
    }

    @Test("Two loops share a clock: it moves only when both are idle")
    func twoLoops() throws {
        let time = VirtualTime()
        time.begin()
        let loops = [try EventLoop(time: time), try EventLoop(time: time)]
        for loop in loops { try loop.start() }
        let seen = Recorder<String>()
        for (name, loop, start) in [("a", loops[0], 1), ("b", loops[1], 2)] {
            @Sendable func tick(_ left: Int) {
                seen.append("\(name) at \(time.now / 1_000_000_000)")
                if left > 0 { loop.timer(after: .seconds(2)) { tick(left - 1) } }
            }
            loop.post { loop.timer(after: .seconds(start)) { tick(2) } }
        }
        time.end()
        let log = try seen.wait(count: 6)
        for loop in loops { loop.stop() }
        #expect(log == ["a at 1", "b at 2", "a at 3", "b at 4", "a at 5", "b at 6"])
    }
}
