import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

/// Clients that send FIN, with the bytes before it or right behind them.
@Suite("The end of what a client sends", .serialized)
struct EndOfSendingTests {
    enum Body: String, CaseIterable, Sendable {
        case plain, chunked, expect

        var fields: [String] {
            switch self {
            case .plain: ["Content-Length: 100000"]
            case .chunked: ["Transfer-Encoding: chunked"]
            case .expect: ["Content-Length: 100000", "Expect: 100-continue"]
            }
        }

        /// So many bytes of a body of 100,000.
        func bytes(_ count: Int) -> [UInt8] {
            let bytes = [UInt8](repeating: 7, count: count)
            return self == .chunked ? Array("186A0\r\n".utf8) + bytes : bytes
        }
    }

    @Test("Inside a body it ends the exchange, every time", arguments: Body.allCases)
    func insideBody(body: Body) throws {
        for _ in 0..<10 {
            try withEngine { run in
                let before = try run.probe()
                for turn in 1...100 {
                    let probe = try run.probe()
                    try probe.ask("/up", method: "PUT", fields: body.fields)
                    if body == .expect, turn % 2 == 0 { _ = try probe.readHead() }
                    let count = 1 + turn * 901 % 99_000
                    try probe.send(body.bytes(count))
                    // Bytes that a client leaves unread make its FIN an RST.
                    let mayClose = body != .expect || turn % 2 == 0
                    if turn % 3 != 0, mayClose { probe.close() } else { probe.finish() }
                    try run.wait(for: "\(turn) client-left received=\(count) sent=0")
                    try run.wait(for: "closed \(turn + 1)")
                }
                before.close()
            }
        }
    }

    @Test("Inside a head it ends the connection, every time")
    func insideHead() throws {
        try withEngine { run in
            for turn in 1...1000 {
                let probe = try run.probe()
                try probe.send("PUT /up HTTP/1.1\r\nHost: a\r\nX")
                if turn % 3 == 0 { probe.finish() } else { probe.close() }
                try run.wait(for: "closed \(turn)")
            }
        }
    }

    @Test("Behind a whole request it leaves the answer alone, and ends the connection after it")
    func behindRequest() throws {
        try withEngine { run in
            for turn in 1...100 {
                let probe = try run.probe()
                let isUpload = turn % 2 == 0
                if isUpload { try probe.upload(turn * 970) } else { try probe.ask("/") }
                probe.finish()
                #expect(try probe.readAnswer().text == "hello")
                #expect(probe.readToEnd().ending == .closed)
                let received = isUpload ? turn * 970 : 0
                try run.wait(for: "\(turn) complete received=\(received) sent=5")
                try run.wait(for: "closed \(turn)")
            }
        }
    }

    @Test(
        "Behind a whole body it leaves the answer alone, wherever the exchange stood",
        arguments: [ExchangePoint.head, .requestBody(3), .requestBody(50_000), .requestEnd])
    func behindBodyOfOneThatStood(point: ExchangePoint) throws {
        for body in [Body.plain, .chunked] {
            var plan = Plan.at(point, .wait)
            plan.requestStops.append(99_999)
            try withEngine(plan) { run in
                // libmicrohttpd treats the oldest of its connections differently from all others.
                let older = try run.probe()
                for turn in 1...20 {
                    let probe = try run.probe()
                    try probe.ask("/up", method: "PUT", fields: body.fields)
                    try probe.send(body.bytes(100_000))
                    if body == .chunked { try probe.send("\r\n0\r\n\r\n") }
                    probe.finish()

                    let name =
                        switch point {
                        case .head: "\(turn) head"
                        case .requestBody(let offset): "\(turn) request-body \(offset)"
                        default: "\(turn) request-end"
                        }
                    try run.wait(for: name)
                    try run.proceed(turn)
                    #expect(try probe.readAnswer().text == "hello")
                    try run.wait(for: "\(turn) complete received=100000 sent=5")
                    #expect(probe.readToEnd().ending == .closed)
                }
                older.close()
            }
        }
    }

    @Test("Inside a body it ends one that stood before it, and all bytes count")
    func insideBodyOfOneThatStood() throws {
        try withEngine(.at(.requestBody(3), .wait)) { run in
            let older = try run.probe()
            for turn in 1...100 {
                let probe = try run.probe()
                try probe.upload(100_000, sending: [UInt8](repeating: 7, count: 60_000))
                probe.finish()
                try run.wait(for: "\(turn) request-body 3")
                try run.proceed(turn)
                try run.wait(for: "\(turn) client-left received=60000 sent=0")
            }
            older.close()
        }
    }
}
