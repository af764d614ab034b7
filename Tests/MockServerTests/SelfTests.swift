import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("What the backend must not get wrong", .serialized)
struct SelfTests {
    @Test("Faults are accounted for: two fired at their bytes, one is pending (B159)")
    func accounting() throws {
        let faults = [
            try fault(
                "upload.chunk", .exactly(2), at: .requestBody(.object(257 << 10)),
                .status(503)),
            try fault("upload.chunk", .exactly(3), at: .beforeCommit, position: 2, .status(503)),
            try fault("upload.chunk", .exactly(4), at: .beforeCommit, position: 3, .status(503)),
        ]
        try withServer(faults) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let bytes = sample(262_144)
            let statuses = [
                try probe.chunk(target, offset: 0, bytes).status,
                try run.probe().chunk(target, offset: 262_144, bytes).status,
                try run.probe().chunk(target, offset: 262_144, bytes).status,
            ]
            #expect(statuses == [200, 503, 503])
            let records = try run.on { $0.records }
            #expect(records.map { $0.faults.map(\.rule) } == [[], [], [1], [2]])
            let unfired = try run.on { $0.unfired }
            #expect(unfired.map(\.rule.position) == [3])
            #expect(unfired[0].message.contains("`upload.chunk#4` never came"))
            #expect(unfired[0].message.contains("upload.chunk x3"))
        }
    }

    @Test(
        "The byte after a chunk is the first of the next, and none of the chunk (B159)",
        arguments: [
            (ByteOffset.bytes(262_144), [[], []]), (.object(262_144), [[], [1]]),
            (.bytes(500_000), [[], []]),
        ] as [(ByteOffset, [[Int]])])
    func byteBehindChunk(offset: ByteOffset, fired: [[Int]]) throws {
        try withServer([try fault("upload.chunk", at: .requestBody(offset), .delay(.fixed(.zero)))])
        {
            run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            for place in [0, 262_144] {
                #expect(try probe.chunk(target, offset: place, sample(262_144)).status == 200)
            }
            #expect(try run.on { $0.records.dropFirst().map { $0.faults.map(\.rule) } } == fired)
        }
    }

    @Test(
        "Starts are counted on one connection, on two, and pipelined (B155)", arguments: [0, 1, 2])
    func counting(way: Int) throws {
        try withServer(
            [
                try fault(
                    "upload.start", .range(from: 1, through: 2), at: .beforeCommit, .status(503))
            ], settings: .made { $0.give("x", 1) }
        ) { run in
            let target = "\(WireProbe.objects)?name=a"
            let fields = [
                "X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start",
                "Content-Length: 0",
            ]
            var statuses: [Int] = []
            let probe = try run.probe()
            for number in 1...3 {
                let used = way == 1 && number > 1 ? try run.probe() : probe
                try used.ask(target, method: "POST", fields: fields)
                if way < 2 {
                    statuses.append(try used.readAnswer().status)
                    #expect(try used.get("x").status == 200)
                }
            }
            if way == 2 { statuses = try (1...3).map { _ in try probe.readAnswer().status } }
            #expect(statuses == [503, 503, 200])
        }
    }

    @Test("Ten queries change nothing, and none of them finishes an upload (B163)")
    func queries() throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a", size: 262_144)
            #expect(try probe.chunk(target, offset: 0, sample(262_144)).uploadStatus == "active")
            for _ in 1...10 {
                let answer = try probe.query(target)
                #expect(answer.uploadStatus == "active")
                #expect(answer.head["X-Goog-Upload-Size-Received"] == "262144")
            }
            #expect(try run.stored("a") == nil)
        }
    }

    @Test(
        "A cut body is credited exactly: whole units, or what `commit` says (B163)",
        arguments: [
            (nil, 0), (.bytes(100_000), 100_000),
        ] as [(CommitAmount?, Int)])
    func credit(amount: CommitAmount?, size: Int) throws {
        try withServer([
            try fault(
                "upload.chunk", .exactly(1), at: .requestBody(.bytes(100_000)), commit: amount,
                .disconnect(.close))
        ]) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try? probe.beginChunk(target, offset: 0, length: 262_144, sending: sample(100_000))
            _ = probe.readToEnd()
            #expect(try run.probe().receivedSize(target) == size)
        }
    }

    @Test("Commands on finished sessions get regular answers, and 20 uploads follow (B173)")
    func finishedSessions() throws {
        var refusal = ForcedResponse(status: 403)
        refusal.uploadStatus = .final
        try withServer([
            try fault(
                "upload.finalize", .exactly(1), at: .beforeCommit, per: .run, .respond(refusal))
        ]) { run in
            let probe = try run.probe()
            let done = try probe.startUpload("done")
            #expect(try probe.chunk(done, offset: 0, [1], last: true).status == 403)
            #expect(try run.stored("done") == nil)
            #expect(try probe.chunk(done, offset: 0, [1], last: true).status == 200)
            #expect(try probe.cancel(done).status == 400)
            let query = try probe.query(done)
            #expect(query.status == 200)
            #expect(query.uploadStatus == "final")
            let gone = try probe.startUpload("gone")
            for _ in 1...2 {
                let cancelled = try probe.cancel(gone)
                #expect(cancelled.status == 200)
                #expect(cancelled.uploadStatus == "cancelled")
            }
            #expect(try probe.cancel("\(WireProbe.objects)?name=x&upload_id=none").status == 404)
            for number in 1...20 {
                let target = try probe.startUpload("file-\(number)")
                #expect(try probe.chunk(target, offset: 0, sample(100), last: true).status == 200)
            }
        }
    }

    @Test("A session that lost bytes or claims others tells so, and blames nobody")
    func lyingSessions() throws {
        let faults = [
            try fault(
                "upload.chunk", .exactly(1), at: .afterCommit,
                .backend(.session(.lose(262_144)))),
            try fault(
                "upload.query", .exactly(2), at: .beforeCommit, position: 2,
                .backend(.session(.claim(7)))),
        ]
        try withServer(faults) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            #expect(try probe.chunk(target, offset: 0, sample(262_144)).status == 200)
            #expect(try probe.receivedSize(target) == 0)
            #expect(try probe.receivedSize(target) == 7)
            #expect(try probe.chunk(target, offset: 262_144, sample(10), last: true).status == 400)
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test("An object is replaced, touched and deleted by a fault and by a step")
    func objects() throws {
        let content = Content(.synthetic(size: 20, seed: 9))
        try withServer(
            [
                try fault(
                    "download", .exactly(1), at: .responseHead, per: .run,
                    .backend(.object(.replace(path: "a", with: content))))
            ], settings: .made { $0.give("a", 10) }
        ) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").body == sample(10))
            #expect(try probe.get("a").body == sample(20, seed: 9))
            #expect(try run.on { $0.versions(of: "a").count } == 2)
            try run.on { try $0.apply(.object(.touch(path: "a"))) }
            #expect(try run.on { $0.object("a")?.attributes.metageneration } == 2)
            try run.on { try $0.apply(.object(.delete(path: "a"))) }
            #expect(try probe.get("a").status == 404)
            #expect(throws: MockServerError.self) {
                try run.on { try $0.apply(.object(.delete(path: "a"))) }
            }
        }
    }

    @Test("A restart breaks connections, and forgets or keeps sessions", arguments: [true, false])
    func restart(keeps: Bool) throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try run.on {
                try $0.apply(.server(.restart(keepsSessions: keeps, down: .milliseconds(50))))
            }
            #expect(probe.readToEnd().ending != .silence)
            let end = ContinuousClock.now + .seconds(5)
            var again: WireProbe?
            while again == nil, ContinuousClock.now < end { again = try? run.probe() }
            let answer = try #require(again).query(target)
            #expect(answer.status == (keeps ? 200 : 404))
        }
    }

    @Test(
        "A restart in the middle of an exchange leaves it without an answer",
        arguments: [
            FaultPhase.requestHead, .beforeCommit, .afterCommit, .responseHead,
            .responseBody(.bytes(400)),
        ])
    func restartsInside(phase: FaultPhase) throws {
        let restart = FaultAction.backend(.server(.restart(keepsSessions: true, down: .zero)))
        try withServer(
            [try fault("download", .exactly(1), at: phase, restart)],
            settings: .made { $0.give("a", 1000) }
        ) { run in
            let probe = try run.probe()
            try probe.send(
                "GET \(WireProbe.objects)/a?alt=media HTTP/1.1\r\nHost: h\r\n\r\n")
            let seen = probe.readToEnd()
            #expect(seen.ending != .silence)
            if phase == .responseBody(.bytes(400)) {
                #expect(Array(seen.bytes.suffix(4)) != Array("\r\n\r\n".utf8))
                #expect(seen.bytes.count < 2000)
            } else {
                #expect(seen.bytes == [])
            }
            let end = ContinuousClock.now + .seconds(5)
            var again: WireProbe?
            while again == nil, ContinuousClock.now < end { again = try? run.probe() }
            #expect(try #require(again).get("a").body.count == 1000)
        }
    }

    @Test("A server without room refuses objects until it has room again")
    func full() throws {
        try withServer { run in
            let probe = try run.probe()
            try run.on { try $0.apply(.server(.full(true))) }
            let refused = try probe.exchange("POST", WireProbe.objects + "?name=a", body: [1])
            #expect(refused.status >= 400)
            try run.on { try $0.apply(.server(.full(false))) }
            let taken = try probe.exchange("POST", WireProbe.objects + "?name=a", body: [1])
            #expect(taken.status == 200)
        }
    }

    @Test("A link that is down refuses, and silences what is established (B041)")
    func link() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            #expect(try probe.get("a").status == 200)
            try run.on { try $0.apply(.link(.down(.refuse, keeps: false))) }
            #expect(throws: WireError.refused) { _ = try run.probe() }
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(probe.isSilent(for: .milliseconds(80)))
            try run.on { try $0.apply(.link(.up)) }
            #expect(try run.probe().get("a").status == 200)
            #expect(probe.isSilent(for: .milliseconds(30)))
        }
    }
}
