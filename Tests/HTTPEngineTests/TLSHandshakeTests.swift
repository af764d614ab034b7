import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("TLS handshakes", .serialized)
struct TLSHandshakeTests {
    private func plan(_ change: (inout TLSPlan) -> Void) -> Plan {
        var handshake = TLSPlan()
        change(&handshake)
        var plan = Plan()
        plan.handshakes[1] = handshake
        return plan
    }

    private func refusal(_ client: TLSProbe) -> TLSProbe.Refusal? {
        do throws(TLSProbe.Refusal) {
            try client.shakeHands()
            return nil
        } catch { return error }
    }

    @Test(
        "A good certificate is good for each of its names",
        arguments: ["localhost", "127.0.0.1", "::1"])
    func names(name: String) throws {
        try SecureEngine.with { secure in
            let client = try secure.stranger(name: name)
            try client.shakeHands()
            try secure.run.wait(for: "handshake 1 done")
        }
    }

    static let flaws: [(TLSPlan.Flaws, String)] = [
        (.expired, "expired"), (.wrongName, "wrong name"), (.untrusted, "untrusted"),
        ([.expired, .wrongName], "expired, wrong name"),
    ]

    @Test(
        "A certificate has exactly the flaws that it is to have, on its connection alone",
        arguments: flaws, TLSProbe.Version.allCases)
    func flawed(flaw: (TLSPlan.Flaws, String), version: TLSProbe.Version) throws {
        try SecureEngine.with(plan { $0.flaws = flaw.0 }) { secure in
            let client = try secure.stranger(version: version)
            #expect(refusal(client) == .certificate(flaw.1))
            let line = try secure.run.wait(prefix: "handshake 1 failed")
            #expect(line.contains("the client refused the certificate: alert 4"))
            client.wire.close()
            try secure.run.wait(for: "closed 1")
            let second = try secure.client(version: version)
            try second.ask("/")
            #expect(try second.readAnswer().head.status == 200)
        }
    }

    @Test("Who does not know the authority refuses its certificate")
    func unknownAuthority() throws {
        try SecureEngine.with { secure in
            let client = try secure.stranger(trusts: false)
            #expect(refusal(client) == .certificate("untrusted"))
        }
    }

    @Test("A failing handshake ends with the alert handshake_failure and FIN")
    func fails() throws {
        try SecureEngine.with(plan { $0.failsHandshake = true }) { secure in
            let client = try secure.stranger()
            #expect(refusal(client) == .alert(40))
            #expect(client.wire.readToEnd().ending == .closed)
            client.wire.close()
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test("A slow handshake takes so long, and holds up no other")
    func slow() throws {
        try SecureEngine.with(plan { $0.delay = .milliseconds(300) }) { secure in
            let start = ContinuousClock.now
            let slow = try secure.stranger()
            try slow.wire.send([])
            try secure.run.wait(for: "accepted 1")
            let quick = try secure.client()
            try quick.ask("/")
            #expect(try quick.readAnswer().head.status == 200)
            #expect(!secure.run.log.values.contains("handshake 1 done"))
            try slow.shakeHands()
            #expect(ContinuousClock.now - start >= .milliseconds(300))
            try slow.ask("/")
            #expect(try slow.readAnswer().head.status == 200)
        }
    }

    @Test("A client that leaves during the delay is let go at once", arguments: [true, false])
    func leavesSlow(byReset: Bool) throws {
        try SecureEngine.with(plan { $0.delay = .seconds(600) }) { secure in
            let probe = try secure.run.probe()
            try probe.send([22, 3, 1])
            try secure.run.wait(for: "accepted 1")
            if byReset { probe.reset() } else { probe.close() }
            try secure.run.wait(for: "handshake 1 clientLeft")
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test("HTTP without TLS is answered in the clear")
    func plainHTTP() throws {
        try SecureEngine.with { secure in
            let probe = try secure.run.probe()
            try probe.ask("/v0/b")
            let answer = try probe.readAnswer()
            #expect(answer.status == 400 && answer.text.contains("https://"))
            #expect(probe.readToEnd().ending == .closed)
            try secure.run.wait(for: "handshake 1 plainHTTP")
            probe.close()
            try secure.run.wait(for: "closed 1")
        }
    }

    @Test(
        "What is no TLS gets an alert and an end, and the next client is served",
        arguments: [[0, 1, 2, 3, 4, 5], [22, 3, 1, 255, 255, 1], [21, 3, 1, 0, 2, 2, 40], [71]])
    func garbage(bytes: [UInt8]) throws {
        try SecureEngine.with { secure in
            let probe = try secure.run.probe()
            try probe.send(bytes + [UInt8](repeating: 1, count: 70_000))
            _ = probe.readToEnd()
            probe.close()
            _ = try secure.run.wait(prefix: "handshake 1")
            try secure.run.wait(for: "closed 1")
            let client = try secure.client()
            try client.ask("/")
            #expect(try client.readAnswer().head.status == 200)
        }
    }

    @Test("Other protocols than HTTP/1.1 are not chosen")
    func otherProtocol() throws {
        try SecureEngine.with { secure in
            let client = try secure.stranger(protocols: ["h2"])
            try client.shakeHands()
            #expect(client.chosenProtocol == nil)
        }
    }

    @Test("Verdicts on a connection come before its handshake", arguments: ["", "garbage"])
    func verdicts(bytes: String) throws {
        var plan = Plan()
        plan.accepts[1] = bytes.isEmpty ? .close : .send(Array(bytes.utf8))
        try SecureEngine.with(plan) { secure in
            let seen = try secure.run.probe().readToEnd()
            #expect(String(decoding: seen.bytes, as: UTF8.self) == bytes)
            #expect(seen.ending == .closed)
        }
    }

    @Test("Two hundred clients at once need no further thread")
    func many() throws {
        try SecureEngine.with(.at(.requestEnd, .wait)) { secure in
            let first = try secure.client()
            try first.ask("/")
            try secure.run.wait(for: "1 request-end")
            let threads = ProcessState.threadCount
            var clients: [TLSProbe] = []
            for number in 2...200 {
                let client = try secure.client()
                try client.ask("/\(number)")
                clients.append(client)
                try secure.run.wait(for: "\(number) request-end")
            }
            // Tests beside this one have threads, too.
            #expect(ProcessState.threadCount < threads + 100)
            for number in 1...200 { try secure.run.proceed(number) }
            for client in [first] + clients { #expect(try client.readAnswer().head.status == 200) }
        }
    }

    @Test("Beyond the limit a client is told so through TLS")
    func limit() throws {
        var limits = EngineLimits()
        limits.connections = 2
        try SecureEngine.with(limits: limits) { secure in
            let two = try [secure.client(), secure.client()]
            let third = try secure.client()
            #expect(try third.readAnswer().head.status == 503)
            _ = two
        }
    }

    @Test("Clients that leave at any byte of the handshake leave no descriptor behind")
    func abandoned() throws {
        // What a client sends first, to be cut anywhere.
        let listener = try WireListener()
        let source = try TLSProbe(
            WireProbe(port: listener.port, deadline: .milliseconds(50)), authority: nil)
        _ = refusal(source)
        let hello = try listener.accept().readToEnd(silence: .milliseconds(50)).bytes
        try #require(hello.count > 100)
        try SecureEngine.with { secure in
            func crowd(_ base: Int) throws {
                for index in 0..<60 {
                    let probe = try secure.run.probe()
                    let count = index % 3 == 0 ? hello.count : index * hello.count / 60
                    try probe.send(Array(hello[..<count]))
                    if index % 4 == 0 { _ = probe.isSilent(for: .milliseconds(2)) }
                    if index % 2 == 0 { probe.reset() } else { probe.close() }
                }
                for index in 1...60 { try secure.run.wait(for: "closed \(base + index)") }
            }
            try crowd(0)
            // Tests beside this one open and close some: the lowest count of several tells.
            func lowest(_ round: Int) throws -> Int {
                var lowest = Int.max
                for turn in 0..<5 {
                    try crowd(60 + (round * 5 + turn) * 60)
                    lowest = min(lowest, ProcessState.descriptorCount)
                }
                return lowest
            }
            let before = try lowest(0)
            var after = try lowest(1)
            for round in 2..<12 where after > before + 20 { after = try lowest(round) }
            #expect(after <= before + 20)
        }
    }
}
