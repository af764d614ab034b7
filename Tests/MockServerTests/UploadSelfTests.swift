import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("What the backend must not get wrong about upload sessions", .serialized)
struct UploadSelfTests {
    private static let unit = 262_144

    @Test("Commands on a session whose end was refused get regular answers (B173)")
    func refusedEnd() throws {
        try withServer(settings: .made { $0.access = .rules([]) }) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let bytes = sample(300_000)
            let before = try run.on { $0.store.memoryUsed }
            #expect(try probe.chunk(target, offset: 0, Array(bytes[..<Self.unit])).status == 200)
            #expect(try run.on { $0.store.memoryUsed } > before)
            let refused = try probe.chunk(
                target, offset: Self.unit, Array(bytes[Self.unit...]), last: true)
            #expect(refused.status == 403)
            #expect(refused.uploadStatus == "final")
            let cancel = try probe.cancel(target)
            #expect(cancel.status == 400)
            #expect(cancel.uploadStatus == "final")
            let query = try probe.query(target)
            #expect(query.status == 200)
            #expect(query.uploadStatus == "final")
            #expect(try run.on { $0.versions(of: "a").isEmpty })
            #expect(try run.on { $0.store.memoryUsed } == before)
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test("Follow-ups without credentials are taken where the start had them (B058)")
    func credentials() throws {
        let settings = BackendSettings.made { settings in
            settings.access = .signedIn
            settings.tokens = ["alice": .init()]
        }
        try withServer(settings: settings) { run in
            let probe = try run.probe()
            let token = ["Authorization: Firebase alice"]
            let target = try probe.startUpload("a", fields: token)
            #expect(try probe.chunk(target, offset: 0, sample(Self.unit)).status == 200)
            #expect(try probe.query(target).status == 200)
            let done = try probe.chunk(target, offset: Self.unit, [1], last: true)
            #expect(done.status == 200)
            let other = try probe.startUpload("b")
            #expect(try probe.chunk(other, offset: 0, [1], last: true).status == 401)
            #expect(try probe.exchange("GET", WireProbe.object("a")).status == 401)
            let seen = try probe.exchange("GET", WireProbe.object("a"), fields: token)
            #expect(seen.status == 200)
            let records = try run.on { $0.records }
            #expect(
                records.map(\.hasCredentials)
                    == [true, false, false, false, false, false, false, true])
        }
    }

    @Test(
        "The announced total is kept, in both spellings (B084)",
        arguments: ["X-Goog-Upload-Header-Content-Length", "X-Goog-Upload-Content-Length"],
        [100, 0])
    func announcedTotal(header: String, total: Int) throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a", fields: ["\(header): \(total)"])
            for size in [total + 1, total - 1] where size >= 0 {
                let answer = try probe.chunk(target, offset: 0, sample(size), last: true)
                #expect(answer.status == 400)
                #expect(answer.uploadStatus == "active")
            }
            #expect(
                try run.on { $0.complaints.map(\.kind) }
                    == (total == 0
                        ? [.beyondAnnouncedSize] : [.beyondAnnouncedSize, .totalMismatch]))
            let done = try probe.chunk(target, offset: 0, sample(total), last: true)
            #expect(done.status == 200)
            #expect(try run.stored("a") == sample(total))
        }
    }

    @Test(
        "Where no total was announced any is taken, without a body too (B140)",
        arguments: [0, 1, 300_000])
    func unannouncedTotal(size: Int) throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            #expect(try probe.chunk(target, offset: 0, sample(size), last: true).status == 200)
            #expect(try run.stored("a") == sample(size))
            let empty = try probe.startUpload("b", size: 0)
            let done = try probe.exchange(
                "POST", empty, fields: WireProbe.command("finalize", offset: 0))
            #expect(done.status == 200)
            #expect(try run.stored("b") == [])
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test(
        "A chunk of another size than whole units keeps nothing (B142)",
        arguments: [1, 262_143, 262_145, 300_000])
    func granularity(size: Int) throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let answer = try probe.chunk(target, offset: 0, sample(size))
            #expect(answer.status == 400)
            #expect(answer.uploadStatus == "active")
            #expect(try probe.receivedSize(target) == 0)
            #expect(try run.on { $0.complaints.map(\.kind) } == [.oddGranularity])
        }
    }

    @Test("A query during a body overlaps, one of another session does not (B051)")
    func overlap() throws {
        try withServer { run in
            let probe = try run.probe()
            let one = try probe.startUpload("a")
            let two = try probe.startUpload("b")
            try probe.beginChunk(one, offset: 0, length: Self.unit, sending: sample(100))
            try run.log.wait { $0.last?.record.operation == .uploadChunk }
            let other = try run.probe()
            #expect(try other.receivedSize(one) == 0)
            #expect(try other.receivedSize(two) == 0)
            try probe.send(Array(sample(Self.unit)[100...]))
            #expect(try probe.readAnswer().status == 200)
            #expect(try other.receivedSize(one) == Self.unit)
            let records = try run.on { $0.records }
            #expect(records.map(\.ordinal) == [1, 2, 3, 4, 5, 6])
            #expect(records.map(\.overlaps) == [false, false, false, true, false, false])
            #expect(records.allSatisfy { $0.complaints.isEmpty })
        }
    }

    @Test("By the settings a query ends the body under way, of which whole units are kept")
    func overlappingQuery() throws {
        let settings = BackendSettings.made {
            $0.overlappingQuery = .resetBody
            $0.granularity = 1000
        }
        try withServer(settings: settings) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let other = try probe.startUpload("b")
            try probe.beginChunk(target, offset: 0, length: 10_000, sending: sample(2500))
            try run.log.wait { $0.last?.record.operation == .uploadChunk }
            let asking = try run.probe()
            #expect(try asking.receivedSize(other) == 0)
            #expect(try asking.receivedSize(target) % 1000 == 0)
            #expect(probe.readToEnd().ending == .reset)
            let cut = try run.ended(3)
            #expect(cut.ending == .disconnected)
            #expect(cut.status == nil)
            #expect(try asking.receivedSize(target) == Int(cut.committed))
            let rest = Array(sample(10_000)[Int(cut.committed)...])
            let done = try asking.chunk(target, offset: Int(cut.committed), rest, last: true)
            #expect(done.status == 200)
            #expect(try run.stored("a") == sample(10_000))
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test("By the settings a query ends a body that stands still, too")
    func overlappingQueryOfHeldBody() throws {
        let hold = try fault(
            "upload.chunk", at: .requestBody(.bytes(1000)),
            .hold(until: .gate(name: "never"), atMost: nil))
        let settings = BackendSettings.made {
            $0.overlappingQuery = .resetBody
            $0.granularity = 1000
        }
        try withServer([hold], settings: settings) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: 10_000, sending: sample(5000))
            try run.firstFault()
            #expect(try run.probe().receivedSize(target) == 1000)
            #expect(probe.readToEnd().ending == .reset)
            #expect(try run.ended(2).committed == 1000)
            #expect(try run.on { $0.waiting } == [])
        }
    }
}
