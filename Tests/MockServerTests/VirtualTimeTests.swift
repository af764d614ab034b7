import EventLoop
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Mock server in virtual time")
struct VirtualTimeTests {
    @Test("A delay of 130 s takes 130 s of virtual time exactly")
    func delay() async throws {
        let late = try fault(
            "download", .exactly(1), at: .responseHead, .delay(.fixed(.seconds(130))))
        try await withVirtualServer([late], settings: .made { $0.give("a", 10) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            let answer = await client.get("a")
            #expect(answer?.status == 200)
            #expect(loop.now == .seconds(130))
            client.close()
        }
    }

    @Test("The backend's latency comes before each answer")
    func latency() async throws {
        let settings = BackendSettings.made {
            $0.give("a", 10)
            $0.latency = .milliseconds(250)
        }
        try await withVirtualServer(settings: settings) { loop, server, port in
            let client = LoopClient(loop, port: port)
            for count in 1...4 {
                _ = await client.get("a")
                #expect(loop.now == .milliseconds(250) * count)
            }
            client.close()
        }
    }

    @Test("A throttled answer keeps its rate exactly")
    func throttle() async throws {
        let slow = try fault("download", at: .responseHead, .throttle(rate: 10_000))
        try await withVirtualServer([slow], settings: .made { $0.give("a", 100_000) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            let answer = await client.get("a")
            #expect(answer?.body == sample(100_000))
            // The last piece may go at once when those before it have taken their time; the head is one
            // of the rate's pieces, or a few.
            #expect(loop.now >= .milliseconds(9900) && loop.now <= .milliseconds(10_200))
            client.close()
        }
    }

    @Test("The backend's bandwidth bounds both directions")
    func bandwidth() async throws {
        let settings = BackendSettings.made {
            $0.give("a", 100_000)
            $0.bandwidthDown = 10_000
            $0.bandwidthUp = 20_000
        }
        try await withVirtualServer(settings: settings) { loop, server, port in
            let client = LoopClient(loop, port: port)
            _ = await client.get("a")
            let down = loop.now
            #expect(down >= .milliseconds(9900) && down <= .seconds(10))
            _ = await client.exchange(
                "POST", WireProbe.objects + "?name=b", body: sample(100_000))
            let up = loop.now - down
            // The answer's few hundred bytes have to come down, too.
            #expect(up >= .milliseconds(4900) && up <= .milliseconds(5200))
            client.close()
        }
    }

    @Test("A token is valid from its first use on, to the second")
    func token() async throws {
        let settings = BackendSettings.made {
            $0.give("a", 10)
            $0.access = .signedIn
            $0.tokens = ["alice": .init(valid: .seconds(3600))]
        }
        try await withVirtualServer(settings: settings) { loop, server, port in
            let client = LoopClient(loop, port: port)
            func status() async -> Int? {
                await client.exchange(
                    "GET", WireProbe.object("a"), fields: ["Authorization: Firebase alice"]
                )?.status
            }
            _ = await loop.sleep(for: .seconds(100))
            let first = await status()
            _ = await loop.sleep(for: .milliseconds(3_599_999))
            let before = await status()
            _ = await loop.sleep(for: .milliseconds(1))
            let after = await status()
            #expect([first, before, after] == [200, 200, 401])
            client.close()
        }
    }

    @Test("An upload session lives for its time, then it is unknown")
    func session() async throws {
        try await withVirtualServer { loop, server, port in
            let client = LoopClient(loop, port: port)
            let target = try await client.startUpload("a")
            _ = await loop.sleep(for: .seconds(7 * 86_400 - 1))
            let before = await client.command(target, "query")?.status
            _ = await loop.sleep(for: .seconds(1))
            let after = await client.command(target, "query")?.status
            #expect([before, after] == [200, 404])
            client.close()
        }
    }

    @Test(
        "Two overlapping final requests make one object and get equal answers (B071)",
        arguments: [true, false])
    func overlappingFinals(leaves: Bool) async throws {
        let late = try fault(
            "upload.finalize", .exactly(1), at: .afterCommit,
            .delay(.fixed(.milliseconds(500))))
        try await withVirtualServer([late]) { loop, server, port in
            let bytes = sample(300_000)
            let one = LoopClient(loop, port: port)
            let target = try await one.startUpload("a")
            await one.begin(
                "POST", target, fields: WireProbe.command("upload, finalize", offset: 0),
                length: bytes.count, sending: bytes)
            _ = await loop.sleep(for: .milliseconds(200))
            if leaves { one.close() }
            let two = LoopClient(loop, port: port)
            let second = await two.command(target, "upload, finalize", offset: 0, body: bytes)
            #expect(second?.status == 200)
            #expect(second?.field("X-Goog-Upload-Status") == "final")
            #expect(loop.now == .milliseconds(200))
            if !leaves {
                let first = await one.answer()
                #expect(loop.now == .milliseconds(500))
                #expect(first?.status == 200)
                #expect(first?.body == second?.body)
                one.close()
            }
            let versions = await server.versions(of: "a")
            #expect(versions.count == 1)
            let complaints = await server.complaints
            #expect(complaints == [])
            two.close()
        }
    }

    @Test("A second final request that comes before the first has committed makes no second object")
    func overlappingBeforeCommit() async throws {
        let late = try fault(
            "upload.finalize", .exactly(1), at: .beforeCommit,
            .delay(.fixed(.milliseconds(500))))
        try await withVirtualServer([late]) { loop, server, port in
            let bytes = sample(300_000)
            let one = LoopClient(loop, port: port)
            let target = try await one.startUpload("a")
            await one.begin(
                "POST", target, fields: WireProbe.command("upload, finalize", offset: 0),
                length: bytes.count, sending: bytes)
            _ = await loop.sleep(for: .milliseconds(200))
            one.close()
            let two = LoopClient(loop, port: port)
            let second = await two.command(target, "upload, finalize", offset: 0, body: bytes)
            #expect(second?.status == 200)
            _ = await loop.sleep(for: .seconds(1))
            let versions = await server.versions(of: "a")
            #expect(versions.count == 1)
            two.close()
        }
    }

    @Test("A query during a body of its session is answered and marked as overlapping (B051)")
    func overlap() async throws {
        try await withVirtualServer { loop, server, port in
            let one = LoopClient(loop, port: port)
            let target = try await one.startUpload("a")
            let other = try await one.startUpload("b")
            await one.begin(
                "POST", target, fields: WireProbe.command("upload, finalize", offset: 0),
                length: 100, sending: sample(50))
            _ = await loop.sleep(for: .seconds(1))
            let two = LoopClient(loop, port: port)
            let query = await two.command(target, "query")
            #expect(query?.status == 200)
            #expect(query?.field("X-Goog-Upload-Size-Received") == "0")
            _ = await two.command(other, "query")
            let overlaps = await server.records.map(\.overlaps)
            #expect(overlaps == [false, false, false, true, false])
            one.close()
            two.close()
        }
    }

    @Test("A locked session answers that it is in use, then takes requests again")
    func locked() async throws {
        let lock = try fault(
            "upload.query", .exactly(1), at: .beforeCommit,
            .backend(.session(.lock(.seconds(3)))))
        try await withVirtualServer([lock]) { loop, server, port in
            let client = LoopClient(loop, port: port)
            let target = try await client.startUpload("a")
            _ = await client.command(target, "query")
            let during = await client.command(target, "query")
            _ = await loop.sleep(for: .seconds(3))
            let after = await client.command(target, "query")
            #expect(during?.status == 423)
            #expect(during?.field("X-Goog-Upload-Status") == "active")
            #expect(after?.status == 200)
            client.close()
        }
    }

    @Test(
        "Only a request that comes again at once, on a new connection, is marked as a resend",
        arguments: [(true, Duration.zero, 200), (false, .zero, 404), (true, .seconds(1), 404)])
    func resend(ignores: Bool, wait: Duration, status: Int) async throws {
        var options = MockServer.Options()
        options.ignoresResends = ignores
        let faults = [
            try fault(
                "download", .exactly(2), at: .requestHead, per: .run, .disconnect(.close)),
            try fault(
                "download", .exactly(3), at: .beforeCommit, position: 2, per: .run, .status(404)),
        ]
        try await withVirtualServer(faults, settings: .made { $0.give("a", 10) }, options: options)
        {
            loop, server, port in
            let one = LoopClient(loop, port: port)
            let first = await one.get("a")
            #expect(first?.status == 200)
            let second = await one.get("a")
            #expect(second == nil)
            if wait > .zero { _ = await loop.sleep(for: wait) }
            let two = LoopClient(loop, port: port)
            let third = await two.get("a")
            #expect(third?.status == status)
            let marks = await server.records.map(\.resendOf)
            #expect(marks == [nil, nil, wait == .zero ? 2 : nil])
            one.close()
            two.close()
        }
    }

    @Test("The report of a stuck run names the exchange, its place and what it waits for")
    func stuck() async throws {
        let held = try fault(
            "download", .exactly(1), at: .responseBody(.bytes(5)),
            .hold(until: .step(name: "go-on"), atMost: nil))
        let report = Recorder<String>()
        do {
            try await withVirtualServer([held], settings: .made { $0.give("a", 10) }) {
                loop, server, port in
                let client = LoopClient(loop, port: port)
                loop.timer(after: .seconds(1)) {
                    report.append(server.assumeIsolated { $0.waiting.joined() })
                }
                _ = await client.get("a")
            }
        } catch let stuck as LoopStuck {
            #expect(stuck.description.contains("response-body 5 for step go-on"))
        }
        #expect(
            report.values == [
                "exchange 1, download of a, waits at response-body 5 for step go-on"
            ])
    }

    @Test("Parallel uploads with faults give the same journal in 20 runs")
    func sameJournal() async throws {
        let faults = [
            try fault(
                "upload.chunk", .exactly(1), at: .requestBody(.bytes(100_000)),
                .disconnect(.reset)),
            try fault(
                "*", at: .responseHead, position: 2, .delay(.uniform(.zero, .seconds(2)))),
        ]
        var logs: Set<String> = []
        for _ in 1...20 {
            let log = Recorder<String>()
            try await withVirtualServer(faults) { loop, server, port in
                await withTaskGroup(of: Void.self) { group in
                    for name in ["a", "b", "c"] {
                        group.addTask(executorPreference: loop) {
                            await Self.upload(name, loop, port)
                        }
                    }
                }
                for record in await server.records {
                    log.append(
                        "\(record.ordinal) \(record.operation) \(record.path ?? "") "
                            + "\(record.received) \(record.status ?? 0) \(record.start) "
                            + "\(record.faults.map(\.rule))")
                }
            }
            logs.insert(log.values.joined(separator: "\n"))
        }
        #expect(logs.count == 1)
        #expect(logs.first?.contains("100000 0") == true, "\(logs)")
    }

    private static func upload(_ name: String, _ loop: EventLoop, _ port: UInt16) async {
        let one = LoopClient(loop, port: port)
        guard let target = try? await one.startUpload(name) else { return }
        let bytes = sample(524_288)
        _ = await one.command(target, "upload", offset: 0, body: Array(bytes[..<262_144]))
        one.close()
        let two = LoopClient(loop, port: port)
        _ = await two.command(target, "query")
        _ = await two.command(target, "upload, finalize", offset: 0, body: bytes)
        two.close()
    }
}
