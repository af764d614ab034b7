import CEpoll
import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("Event loop")
struct EventLoopTests {
    @Test("Work runs on the loop's thread, in the order of the posts")
    func workInOrder() throws {
        let loop = try EventLoop()
        let seen = Recorder<Int>()
        for number in 0..<100 { loop.post { seen.append(loop.isCurrent ? number : -1) } }
        try loop.start()
        loop.stop()
        #expect(seen.values == Array(0..<100))
        #expect(!loop.isCurrent)
    }

    @Test("Posts from many threads all run, those of one thread in order")
    func manyThreads() async throws {
        let loop = try EventLoop()
        try loop.start()
        let seen = Recorder<[Int]>()
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for number in 0..<200 { loop.post { seen.append([lane, number]) } }
                }
            }
        }
        loop.stop()
        #expect(seen.values.count == 1600)
        for lane in 0..<8 {
            #expect(seen.values.filter { $0[0] == lane }.map { $0[1] } == Array(0..<200))
        }
    }

    @Test("Stop runs what was posted before, and what that posts")
    func stopDrains() throws {
        let loop = try EventLoop()
        try loop.start()
        let seen = Recorder<String>()
        loop.post {
            seen.append("first")
            loop.post {
                seen.append("second")
                loop.post { seen.append("third") }
            }
        }
        loop.stop()
        #expect(seen.values == ["first", "second", "third"])
    }

    @Test("A second stop does nothing, and neither does one before the start")
    func stopTwice() throws {
        let loop = try EventLoop()
        loop.stop()
        try loop.start()
        loop.stop()
        loop.stop()
    }

    @Test("Work posted after the end is dropped")
    func workAfterEnd() throws {
        let loop = try EventLoop()
        try loop.start()
        loop.stop()
        let seen = Recorder<Int>()
        loop.post { seen.append(1) }
        #expect(seen.values.isEmpty)
    }

    @Test("Timers do not fire after the end, and the end does not wait for them")
    func timersAtEnd() throws {
        let loop = try EventLoop()
        try loop.start()
        let seen = Recorder<Int>()
        loop.post { loop.timer(after: .seconds(3600)) { seen.append(1) } }
        let start = EventLoop.monotonic()
        loop.stop()
        #expect(EventLoop.monotonic() - start < 10_000_000_000)
        #expect(seen.values.isEmpty)
    }

    @Test("Wall-clock timers fire in the order of their deadlines")
    func wallTimers() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<Int>()
        loop.post {
            for milliseconds in [15, 5, 10] {
                loop.realTimer(after: .milliseconds(milliseconds)) { seen.append(milliseconds) }
            }
        }
        #expect(try seen.wait(count: 3) == [5, 10, 15])
    }

    @Test("A cancelled wall-clock timer does not fire")
    func cancelledWallTimer() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<String>()
        loop.post {
            let timer = loop.realTimer(after: .milliseconds(1)) { seen.append("cancelled") }
            loop.realTimer(after: .milliseconds(2)) { seen.append("kept") }
            loop.cancel(timer)
        }
        #expect(try seen.wait(count: 1) == ["kept"])
    }

    @Test("A timer without delay that sets itself anew leaves descriptors their turn")
    func zeroDelayTimer() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<String>()
        @Sendable func again() { loop.realTimer(after: .zero) { again() } }
        let bell = eventfd(1, 0)
        defer { close(bell) }
        loop.post {
            again()
            loop.watch(bell, EventLoop.readable) { _ in
                loop.unwatch(bell)
                seen.append("read")
            }
        }
        try seen.wait(count: 1)
    }

    @Test("A watch is level-triggered: it is told again until it was read")
    func levelTriggered() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<UInt32>()
        let bell = eventfd(1, 0)
        defer { close(bell) }
        loop.post {
            loop.watch(bell, EventLoop.readable) { events in
                seen.append(events)
                if seen.values.count == 3 { loop.unwatch(bell) }
            }
        }
        #expect(try seen.wait(count: 3) == [1, 1, 1])
    }

    @Test("A descriptor that cannot be watched is told as failed")
    func refusedWatch() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<UInt32>()
        let file = open("/proc/self/status", O_RDONLY)
        defer { close(file) }
        loop.post { loop.watch(file, EventLoop.readable) { seen.append($0) } }
        #expect(try seen.wait(count: 1) == [EventLoop.failed])
    }

    @Test("A descriptor's number that comes back is watched anew")
    func reusedNumber() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<String>()
        loop.post {
            let first = eventfd(0, 0)
            loop.watch(first, EventLoop.readable) { _ in seen.append("first") }
            let second = eventfd(1, 0)
            // Closes and replaces in one step: no other thread can get the number in between.
            dup2(second, first)
            loop.watch(first, EventLoop.readable) { _ in
                seen.append("second")
                loop.unwatch(first)
                close(first)
                close(second)
            }
        }
        #expect(try seen.wait(count: 1) == ["second"])
    }

    @Test("An event of a watch that has ended does not reach the next one of that number")
    func staleEvent() throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let seen = Recorder<String>()
        loop.post {
            let bells = [eventfd(1, 0), eventfd(1, 0)]
            for (own, other) in [(bells[0], bells[1]), (bells[1], bells[0])] {
                loop.watch(own, EventLoop.readable) { _ in
                    // Both events are fetched; the first handler replaces the other watch.
                    loop.unwatch(own)
                    loop.unwatch(other)
                    var value: UInt64 = 0
                    read(other, &value, 8)
                    loop.watch(other, EventLoop.readable) { _ in seen.append("stale") }
                    loop.realTimer(after: .milliseconds(5)) { seen.append("done") }
                }
            }
        }
        #expect(try seen.wait(count: 1) == ["done"])
    }

    @Test("Components get a turn at each round, and again when they ask for it")
    func components() throws {
        final class Component: LoopComponent {
            let seen: Recorder<Int>
            var turns = 0
            init(_ seen: Recorder<Int>) { self.seen = seen }
            func runOnce() -> Int64? {
                turns += 1
                seen.append(turns)
                return turns < 5 ? 0 : nil
            }
        }
        let seen = Recorder<Int>()
        let loop = try EventLoop()
        loop.add(Component(seen))
        try loop.start()
        #expect(try seen.wait(count: 5).prefix(5) == [1, 2, 3, 4, 5])
        loop.stop()
    }

    @Test("A loop that has stopped is let go, with its descriptors", arguments: [true, false])
    func letGo(isVirtual: Bool) throws {
        weak var loop: EventLoop?
        func once() throws {
            let made = try EventLoop(time: isVirtual ? VirtualTime() : nil)
            loop = made
            try made.start()
            made.post {
                made.timer(after: .seconds(3600)) { _ = made.isCurrent }
                made.time?.addStage { made.isCurrent ? .nothing : .nothing }
            }
            made.offload({ 1 }, then: { _ in _ = made.isCurrent })
            made.stop()
        }
        try once()
        #expect(loop == nil)
    }
}
