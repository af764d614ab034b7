import MockServer
import StorageModel
import Testing
import WireProbe

@Suite("Limits of a server", .serialized)
struct LimitTests {
    private func limited(
        _ limits: ServerLimits, _ body: (ServerRun) throws -> Void
    ) throws {
        var options = MockServer.Options()
        options.limits = limits
        try withServer(options: options, body)
    }

    /// The server goes on: it stores and gives what fits.
    private func expectService(_ run: ServerRun) throws {
        let probe = try run.probe()
        let bytes = [UInt8]("fits".utf8)
        let answer = try probe.exchange("POST", "\(WireProbe.objects)?name=after", body: bytes)
        #expect(answer.status == 200)
        #expect(try probe.get("after").body == bytes)
    }

    private func put(_ size: Int, _ run: ServerRun) throws -> WireAnswer {
        let body = [UInt8](repeating: 7, count: size)
        return try run.probe().exchange("POST", "\(WireProbe.objects)?name=large", body: body)
    }

    @Test("More than the memory gets a 507 that says so, and nothing is stored")
    func memory() throws {
        try limited(.made { $0.memory = 100_000 }) { run in
            let answer = try put(200_000, run)
            #expect(answer.status == 507)
            #expect(answer.text.contains("100000 bytes of memory, the limit"))
            #expect(try run.stored("large") == nil)
            try expectService(run)
        }
    }

    @Test("Older generations give way to newer ones before memory runs out")
    func replaced() throws {
        try limited(.made { $0.memory = 250_000 }) { run in
            for _ in 0..<20 { #expect(try put(100_000, run).status == 200) }
            try expectService(run)
        }
    }

    @Test("An object beyond the limit gets a 413, whether it comes whole or in a session")
    func object() throws {
        try limited(.made { $0.objectSize = 1000 }) { run in
            #expect(try put(1001, run).status == 413)
            #expect(try put(1000, run).status == 200)
            let probe = try run.probe()
            let target = try probe.startUpload("session")
            let bytes = [UInt8](repeating: 1, count: 1001)
            #expect(try probe.chunk(target, offset: 0, bytes, last: true).status == 413)
            #expect(try run.stored("session") == nil)
            try expectService(run)
        }
    }

    @Test("A head beyond the limit gets a 431")
    func head() throws {
        try limited(.made { $0.headSize = 2000 }) { run in
            let probe = try run.probe()
            let filler = String(repeating: "x", count: 3000)
            try probe.ask(WireProbe.object("none"), fields: ["X-Filler: \(filler)"])
            #expect(try probe.readAnswer().status == 431)
            try expectService(run)
        }
    }

    @Test("One connection too many gets a 503; where one has left another is taken")
    func connections() throws {
        try limited(.made { $0.connections = 2 }) { run in
            let (first, second) = (try run.probe(), try run.probe())
            for probe in [first, second] {
                try probe.ask(WireProbe.object("none"))
                #expect(try probe.readAnswer().status == 404)
            }
            let third = try run.probe()
            #expect(try third.readAnswer().status == 503)
            #expect(third.readToEnd().ending == .closed)
            first.close()
            second.close()
            third.close()
            try run.waitForConnections(0)
            try expectService(run)
        }
    }

    @Test("One open session too many gets a 429; where one is cancelled another is taken")
    func sessions() throws {
        try limited(.made { $0.sessions = 2 }) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            _ = try probe.startUpload("b")
            let answer = try probe.exchange(
                "POST", "\(WireProbe.objects)?name=c",
                fields: ["X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start"])
            #expect(answer.status == 429)
            #expect(try probe.cancel(target).status == 200)
            _ = try probe.startUpload("c")
            try expectService(run)
        }
    }

    @Test("Only so many generations of an object are remembered")
    func generations() throws {
        try limited(.made { $0.generations = 3 }) { run in
            for _ in 0..<5 { #expect(try put(10, run).status == 200) }
            let versions = try run.on { $0.versions(of: "large") }
            #expect(versions.count == 3)
        }
    }
}

extension ServerRun {
    /// Waits until so many connections are open.
    fileprivate func waitForConnections(_ count: Int) throws {
        for _ in 0..<100_000 {
            let open = try on { $0.openConnections }
            if open == count { return }
        }
        Issue.record("\(try on { $0.openConnections }) connections are open, not \(count)")
    }
}

extension ServerLimits {
    fileprivate static func made(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }
}
