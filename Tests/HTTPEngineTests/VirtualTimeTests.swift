import EventLoop
import Glibc
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

/// Clients and server on one loop, in virtual time; one log of both.
private final class SharedLoop: ExchangeHandler, @unchecked Sendable {
    // Invariant: confined to the loop, but for the log.
    let log = Recorder<String>()
    let loop: EventLoop
    private(set) var port: UInt16 = 0
    private var engine: HTTPEngine?
    private var clients: [WireProbe] = []
    private var waited: Set<Int> = []
    private var ends = 0
    /// What comes when so many exchanges are over.
    private var done: (count: Int, then: () -> Void)?

    init(_ loop: EventLoop) throws {
        self.loop = loop
        let engine = HTTPEngine(loop: loop, handler: self)
        self.engine = engine
        port = try engine.start()
    }

    func note(_ text: String) { log.append("\(loop.now / .milliseconds(1)) \(text)") }

    func wait(forExchanges count: Int) async {
        await withCheckedContinuation { continuation in
            done = (count, { continuation.resume() })
            if ends >= count { finish() }
        }
    }

    private func finish() {
        guard let (_, then) = done else { return }
        done = nil
        for client in clients {
            loop.unwatch(client.fd)
            loop.time?.clientClosed(client.fd)
            client.close()
        }
        engine?.stop()
        then()
    }

    /// A client that sends a request and writes down what comes, 64 KiB at a time.
    func client(_ lane: String, _ request: String, body: Int = 0) throws -> Int {
        let probe = try WireProbe(port: port)
        clients.append(probe)
        loop.time?.clientOpened(probe.fd)
        try probe.send("\(request)Host: h\r\nX-Lane: \(lane)\r\nContent-Length: \(body)\r\n\r\n")
        try probe.send([UInt8](repeating: 1, count: body))
        var total = 0
        var told = 0
        loop.watch(probe.fd, EventLoop.readable) { [self] _ in
            var block = [UInt8](repeating: 0, count: 1 << 20)
            let count = recv(probe.fd, &block, block.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                total += count
                while told + 65536 <= total {
                    told += 65536
                    note("\(lane) has \(told)")
                }
            } else if count == 0 || errno != EAGAIN {
                note("\(lane) \(count == 0 ? "closed" : "reset")")
                loop.unwatch(probe.fd)
            }
        }
        return clients.count - 1
    }

    func leave(_ index: Int) {
        let client = clients.remove(at: index)
        loop.unwatch(client.fd)
        loop.time?.clientClosed(client.fd)
        client.close()
    }

    func accepted(_ connection: ConnectionID) -> AcceptVerdict { .proceed }

    func closed(_ connection: ConnectionID) {}

    func reached(_ exchange: HTTPExchange, _ point: ExchangePoint) -> ExchangeVerdict {
        note("server \(exchange.head.target) \(point)")
        switch (exchange.head.target, point) {
        case ("/reset", .head): exchange.requestStops = [100_000]
        case ("/reset", .requestBody): return .disconnect(.reset)
        case ("/late", .requestEnd):
            if waited.insert(exchange.ordinal).inserted {
                loop.timer(after: .seconds(40)) { exchange.proceed() }
                return .wait
            }
        default: break
        }
        guard point == .requestEnd else { return .proceed }
        return .respond(HTTPResponse(status: 200, body: SyntheticContent(size: 200_000, seed: 1)))
    }

    func received(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) {}

    func clientLeft(_ exchange: HTTPExchange) { note("server \(exchange.head.target) left") }

    func ended(_ exchange: HTTPExchange, _ ending: ExchangeRecord.Ending) {
        note("server \(exchange.head.target) \(ending.rawValue)")
        ends += 1
        guard let done, ends >= done.count else { return }
        // Not from inside a call of the engine.
        loop.post { [self] in finish() }
    }

    func doorKey(_ exchange: HTTPExchange) -> DoorKey {
        DoorKey(lane: exchange.head.headers["X-Lane"] ?? "", number: exchange.ordinal)
    }
}

@Suite("Virtual time")
struct VirtualTimeTests {
    @Test("Exchanges are let in by lane, one at a time, and time passes only for the waiting one")
    func order() async throws {
        let log = try await runVirtually { loop in
            let shared = try SharedLoop(loop)
            _ = try shared.client("b", "PUT /b HTTP/1.1\r\n", body: 3)
            _ = try shared.client("c", "GET /late HTTP/1.1\r\n")
            _ = try shared.client("a", "PUT /reset HTTP/1.1\r\n", body: 300_000)
            await shared.wait(forExchanges: 3)
            return shared.log.values
        }
        #expect(
            log.filter { !$0.contains("has") } == [
                "0.0 server /reset head", "0.0 server /reset requestBody(100000)",
                "0.0 server /reset disconnected", "0.0 a reset", "0.0 server /b head",
                "0.0 server /b requestEnd", "0.0 server /b responseHead",
                "0.0 server /b responseEnd", "0.0 server /b complete",
                "0.0 server /late head", "0.0 server /late requestEnd",
                "40000.0 server /late requestEnd", "40000.0 server /late responseHead",
                "40000.0 server /late responseEnd", "40000.0 server /late complete",
            ])
    }

    @Test(
        "Each 64 KiB of a download pass the door, so that what they cause happens before the next")
    func pieces() async throws {
        let log = try await runVirtually { loop in
            let shared = try SharedLoop(loop)
            loop.time?.addStage(.steps) {
                let has = shared.log.values.filter { $0.contains("a has") }.count
                let steps = shared.log.values.filter { $0.contains("step") }.count
                guard has > steps else { return .nothing }
                return .post(loop) { shared.note("step \(has)") }
            }
            _ = try shared.client("a", "GET /a HTTP/1.1\r\n")
            await shared.wait(forExchanges: 1)
            return shared.log.values.filter { !$0.contains("server") }
        }
        #expect(
            log == [
                "0.0 a has 65536", "0.0 step 1", "0.0 a has 131072", "0.0 step 2",
                "0.0 a has 196608", "0.0 step 3",
            ])
    }

    @Test("A client that leaves at the door is let in by its turn, and then told to have left")
    func leavesAtDoor() async throws {
        let log = try await runVirtually { loop in
            let shared = try SharedLoop(loop)
            let isGone = Lock(false)
            let client = Lock(0)
            // The first time that everybody is idle both stand at the door.
            loop.time?.addStage(.steps) {
                let isFirst = isGone.withLock { gone in
                    defer { gone = true }
                    return !gone
                }
                return isFirst ? .post(loop) { shared.leave(client.withLock { $0 }) } : .nothing
            }
            let index = try shared.client("b", "GET /b HTTP/1.1\r\n")
            client.withLock { $0 = index }
            _ = try shared.client("c", "PUT /c HTTP/1.1\r\n", body: 10)
            await shared.wait(forExchanges: 2)
            return shared.log.values.filter { !$0.contains("has") }
        }
        #expect(
            log == [
                "0.0 server /b head", "0.0 server /b left", "0.0 server /b requestEnd",
                "0.0 server /b responseHead", "0.0 server /b client-left", "0.0 server /c head",
                "0.0 server /c requestEnd", "0.0 server /c responseHead",
                "0.0 server /c responseEnd", "0.0 server /c complete",
            ])
    }

}
