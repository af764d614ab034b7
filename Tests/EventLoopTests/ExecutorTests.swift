import EventLoop
import TestSupport
import Testing

private actor Counter {
    let loop: EventLoop
    private(set) var value = 0

    init(_ loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func add() -> Bool {
        value += 1
        return loop.isCurrent
    }
}

@Suite("Loop as executor")
struct ExecutorTests {
    @Test("An actor runs on the loop")
    func actorOnLoop() async throws {
        let loop = try EventLoop()
        try loop.start()
        let counter = Counter(loop)
        #expect(await counter.add())
        loop.stop()
    }

    @Test("A task with the loop as its executor runs there, also after it was suspended")
    func taskOnLoop() async throws {
        let places = try await runLoop { loop -> [Bool] in
            var places = [loop.isCurrent]
            await Task.yield()
            places.append(loop.isCurrent)
            _ = await loop.sleep(for: .milliseconds(1))
            places.append(loop.isCurrent)
            return places
        }
        #expect(places == [true, true, true])
    }

    @Test("Child tasks stay on the loop")
    func childTasks() async throws {
        let places = try await runLoop { loop in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 { group.addTask { loop.isCurrent } }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
        }
        #expect(places == [Bool](repeating: true, count: 10))
    }

    @Test("A stream's values arrive on the loop, in order")
    func asyncStream() async throws {
        let values = try await runVirtually { loop -> [Int] in
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            for number in 0..<5 {
                loop.timer(after: .seconds(5 - number)) {
                    continuation.yield(number)
                    if number == 0 { continuation.finish() }
                }
            }
            var values: [Int] = []
            for await value in stream where loop.isCurrent { values.append(value) }
            return values
        }
        #expect(values == [4, 3, 2, 1, 0])
    }

    @Test("A loop that has stopped still lets its actors be asked, one call at a time")
    func actorAfterEnd() async throws {
        let loop = try EventLoop()
        try loop.start()
        let counter = Counter(loop)
        loop.stop()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = await counter.add() } }
        }
        #expect(await counter.value == 50)
    }

    @Test("Sleeping tasks wake up with false when the loop stops")
    func sleepersAtEnd() throws {
        let loop = try EventLoop(time: VirtualTime())
        loop.time?.finish()
        try loop.start()
        let seen = Recorder<Bool>()
        let asleep = Recorder<Int>()
        _ = Task(executorPreference: loop) {
            asleep.append(1)
            seen.append(await loop.sleep(for: .seconds(3600)))
        }
        try asleep.wait(count: 1)
        loop.stop()
        #expect(try seen.wait(count: 1) == [false])
    }

    @Test("A cancelled sleep returns false at once and does not move the clock")
    func cancelledSleep() async throws {
        let result = try await runVirtually { loop -> (Bool, Duration) in
            let sleeper = Task(executorPreference: loop) { await loop.sleep(for: .seconds(60)) }
            _ = await loop.sleep(for: .seconds(1))
            sleeper.cancel()
            let value = await sleeper.value
            // Nothing is left that could move it.
            _ = await loop.sleep(for: .seconds(1))
            return (value, loop.now)
        }
        #expect(!result.0)
        #expect(result.1 == .seconds(2))
    }

    @Test("A task cancelled before its sleep does not sleep")
    func cancelledBefore() async throws {
        let result = try await runVirtually { loop -> (Bool, Duration) in
            let sleeper = Task(executorPreference: loop) {
                while !Task.isCancelled { await Task.yield() }
                return await loop.sleep(for: .seconds(60))
            }
            sleeper.cancel()
            return (await sleeper.value, loop.now)
        }
        #expect(!result.0)
        #expect(result.1 == .zero)
    }
}
