import EventLoop
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Connections")
struct ConnectionTests {
    @Test("Both loopback addresses are served", arguments: WireHost.allCases)
    func hosts(host: WireHost) throws {
        try withEngine(host: host) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.readAnswer().text == "hello")
        }
    }

    @Test("A port in use is refused by name")
    func portInUse() throws {
        try withEngine { run in
            let port = run.port
            let error = try run.onLoop { [handler = run.handler, loop = run.loop] _ in
                let second = HTTPEngine(loop: loop, handler: handler)
                do throws(HTTPEngineError) {
                    _ = try second.start(port: port)
                    return HTTPEngineError?.none
                } catch { return error }
            }
            #expect(error == .addressInUse(host: "127.0.0.1", port: port))
        }
    }

    @Test("A host that is no address is refused")
    func badHost() throws {
        try withEngine { run in
            let error = try run.onLoop { [handler = run.handler, loop = run.loop] _ in
                let second = HTTPEngine(loop: loop, handler: handler)
                do throws(HTTPEngineError) {
                    _ = try second.start(host: "example.com")
                    return HTTPEngineError?.none
                } catch { return error }
            }
            #expect(error == .badHost("example.com"))
        }
    }

    @Test("A connection can be closed, reset, ignored or given bytes when it is accepted")
    func accepts() throws {
        var plan = Plan()
        plan.accepts = [1: .close, 2: .reset, 3: .silence, 4: .send(Array("nonsense".utf8))]
        try withEngine(plan) { run in
            let one = try run.probe()
            try? one.ask("/")
            #expect(one.readToEnd().ending == .closed)
            one.close()
            try run.wait(for: "closed 1")
            // The RST may come before the client's `connect` has returned.
            if let two = try? run.probe() { #expect(two.readToEnd().ending == .reset) }
            try run.wait(for: "closed 2")
            let three = try run.probe()
            try three.ask("/")
            #expect(three.isSilent(for: .milliseconds(30)))
            three.reset()
            try run.wait(for: "closed 3")
            let four = try run.probe()
            try four.ask("/")
            let seen = four.readToEnd()
            #expect(seen.bytes == Array("nonsense".utf8) && seen.ending == .closed)
            let five = try run.probe()
            try five.ask("/")
            #expect(try five.readAnswer().text == "hello")
        }
    }

    @Test("A port that refuses comes back as the same port, and live connections stay")
    func refusing() throws {
        try withEngine { run in
            let old = try run.probe()
            try old.ask("/")
            _ = try old.readAnswer()
            try run.onLoop { try $0.refuseConnections() }
            #expect(throws: WireError.refused) { _ = try run.probe() }
            try old.ask("/")
            #expect(try old.readAnswer().text == "hello")
            try run.onLoop { try $0.listenAgain() }
            let new = try run.probe()
            try new.ask("/")
            #expect(try new.readAnswer().text == "hello")
        }
    }

    @Test("One connection too many is told so, and closed")
    func tooMany() throws {
        var limits = EngineLimits()
        limits.connections = 2
        try withEngine(limits: limits) { run in
            let probes = [try run.probe(), try run.probe()]
            for probe in probes {
                try probe.ask("/")
                #expect(try probe.readAnswer().status == 200)
            }
            let third = try run.probe()
            #expect(try third.readAnswer().status == 503)
            #expect(third.readToEnd().ending == .closed)
            third.close()
            probes[0].close()
            try run.wait(for: "closed 1")
            try run.wait(for: "closed 3")
            let fourth = try run.probe()
            try fourth.ask("/")
            #expect(try fourth.readAnswer().status == 200)
        }
    }

    @Test("An exchange whose body was read whole goes on without its client")
    func goesOn() throws {
        for closing in [WireProbe.close, WireProbe.reset] {
            try withEngine(.at(.requestEnd, .wait)) { run in
                let probe = try run.probe()
                try probe.upload(5)
                try run.wait(for: "1 request-end")
                closing(probe)()
                try run.wait(for: "1 left")
                #expect(try run.exchange(1).isClientGone)
                try run.proceed(1)
                try run.wait(for: "1 client-left received=5 sent=0")
                #expect(
                    run.log.values.filter { $0.hasPrefix("1 ") } == [
                        "1 head", "1 request-end", "1 left", "1 request-end", "1 response-head",
                        "1 client-left received=5 sent=0",
                    ])
                try run.wait(for: "closed 1")
            }
        }
    }

    @Test("An exchange whose body was cut ends with its client", arguments: [true, false])
    func cut(isWaiting: Bool) throws {
        try withEngine(isWaiting ? .at(.requestBody(5), .wait) : .at(.requestBody(5), .proceed)) {
            run in
            let probe = try run.probe()
            try probe.upload(10, sending: [1, 2, 3, 4, 5])
            try run.wait(for: "1 request-body 5")
            probe.close()
            try run.wait(for: "1 client-left received=5 sent=0")
            #expect(
                run.log.values.filter { $0.hasPrefix("1 ") } == [
                    "1 head", "1 request-body 5", "1 left", "1 client-left received=5 sent=0",
                ])
        }
    }

    @Test(
        "A client that only finished sending gets its answer",
        arguments: [ExchangePoint.head, .requestBody(3), .requestEnd, .responseHead])
    func halfClosed(point: ExchangePoint) throws {
        try withEngine(.at(point, .wait)) { run in
            let probe = try run.probe()
            try probe.upload(5)
            probe.finish()
            let name = point == .head ? "head" : "re"
            _ = try run.wait(prefix: "1 \(name)")
            #expect(probe.isSilent(for: .milliseconds(30)))
            #expect(!run.log.values.contains("1 left"))
            try run.proceed(1)
            #expect(try probe.readAnswer().text == "hello")
            try run.wait(for: "1 complete received=5 sent=5")
        }
    }

    @Test("A client that finished sending and leaves later is seen to leave")
    func halfClosedThenGone() throws {
        try withEngine(.at(.requestEnd, .wait)) { run in
            let probe = try run.probe()
            try probe.upload(5)
            probe.finish()
            try run.wait(for: "1 request-end")
            #expect(probe.isSilent(for: .milliseconds(10)))
            probe.close()
            try run.wait(for: "1 left")
        }
    }

    @Test("A client that leaves inside its answer ends the exchange")
    func leavesInAnswer() throws {
        for reason in [nil, "Own"] {
            var plan = Plan.at(.responseBody(1000), .wait)
            plan.response = HTTPResponse(
                status: 200, reason: reason, body: SyntheticContent(size: 50_000_000, seed: 1))
            try withEngine(plan) { run in
                let waiting = try run.probe()
                try waiting.ask("/")
                try run.wait(for: "1 response-body 1000")
                waiting.reset()
                try run.wait(for: "1 left")
                try run.wait(for: "1 client-left received=0 sent=1000")
                let reading = try run.probe()
                try reading.ask("/")
                try run.wait(for: "2 response-body 1000")
                try run.proceed(2)
                _ = try reading.read(exactly: 200_000)
                reading.reset()
                try run.wait(for: "2 left")
                #expect(try run.wait(prefix: "2 client-left received=0").contains("sent="))
                try run.wait(for: "closed 2")
            }
        }
    }
}
