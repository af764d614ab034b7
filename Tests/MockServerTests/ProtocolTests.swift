import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Mock server without faults", .serialized)
struct ProtocolTests {
    @Test("The whole resumable protocol, by hand")
    func resumable() throws {
        try withServer { run in
            let bytes = sample(600_000)
            let probe = try run.probe()
            let target = try probe.startUpload("images/rivers.jpg", size: bytes.count)
            #expect(try probe.receivedSize(target) == 0)
            let first = try probe.chunk(target, offset: 0, Array(bytes[..<262_144]))
            #expect(first.status == 200)
            #expect(first.uploadStatus == "active")
            #expect(try probe.receivedSize(target) == 262_144)
            let last = try probe.chunk(
                target, offset: 262_144, Array(bytes[262_144...]), last: true)
            #expect(last.status == 200)
            #expect(last.uploadStatus == "final")
            #expect(last.text.contains("\"600000\""))
            #expect(try run.stored("images/rivers.jpg") == bytes)
            let got = try probe.get("images/rivers.jpg")
            #expect(got.status == 200)
            #expect(got.body == bytes)
            let part = try probe.get("images/rivers.jpg", range: "bytes=100-199")
            #expect(part.status == 206)
            #expect(part.body == Array(bytes[100..<200]))
            let records = try run.on { $0.records }
            #expect(
                records.map(\.operation) == [
                    .uploadStart, .uploadQuery, .uploadChunk, .uploadQuery, .uploadFinalize,
                    .download, .download,
                ])
            #expect(records.map(\.transfer) == [1, 1, 1, 1, 1, 2, 3])
            #expect(records.map(\.offset) == [nil, nil, 0, nil, 262_144, 0, 100])
            #expect(records.map(\.committed) == [0, 0, 262_144, 0, 337_856, 0, 0])
            #expect(records.allSatisfy { $0.complaints.isEmpty })
            #expect(records.map(\.path).allSatisfy { $0 == "images/rivers.jpg" })
        }
    }

    @Test("Metadata, list and delete, and a 404 afterwards")
    func otherOperations() throws {
        try withServer(settings: .made { $0.give("a/b.txt", 10) }) { run in
            let probe = try run.probe()
            let object = WireProbe.object("a/b.txt")
            #expect(try probe.exchange("GET", object).status == 200)
            let patched = try probe.exchange(
                "PATCH", object, fields: ["Content-Type: application/json"],
                body: Array(#"{"contentType":"text/plain"}"#.utf8))
            #expect(patched.status == 200)
            #expect(patched.text.contains("text/plain"))
            let list = try probe.exchange("GET", WireProbe.objects + "?prefix=a/&delimiter=/")
            #expect(list.text.contains("a/b.txt"))
            #expect(try probe.exchange("DELETE", object).status == 204)
            #expect(try probe.get("a/b.txt").status == 404)
            #expect(
                try run.on { $0.records.map(\.operation) } == [
                    .metadataGet, .metadataUpdate, .list, .delete, .download,
                ])
        }
    }

    @Test("The journal says whether credentials came, and never shows them")
    func credentials() throws {
        try withServer(
            settings: .made { settings in
                settings.access = .signedIn
                settings.tokens = ["alice": .init()]
            }
        ) { run in
            let probe = try run.probe()
            let target = try probe.startUpload(
                "a", fields: ["Authorization: Firebase alice"])
            let done = try probe.chunk(target, offset: 0, [1, 2, 3], last: true)
            #expect(done.status == 200)
            let refused = try probe.exchange(
                "GET", WireProbe.object("a"), fields: ["Authorization: Firebase mallory"])
            #expect(refused.status == 401)
            let records = try run.on { $0.records }
            #expect(records.map(\.hasCredentials) == [true, false, true])
            #expect(records.map(\.token) == ["alice", nil, nil])
            #expect(records[0].requestHeaders["Authorization"] == "present")
            #expect(!"\(records)".contains("Firebase alice"))
            #expect(!"\(records)".contains("mallory"))
        }
    }

    @Test("A start request without credentials is refused when it finishes")
    func lateRefusal() throws {
        try withServer(
            settings: .made { settings in
                settings.access = .signedIn
                settings.tokens = ["alice": .init()]
            }
        ) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let answer = try probe.chunk(target, offset: 0, [1], last: true)
            #expect(answer.status == 401)
            #expect(try run.stored("a") == nil)
        }
    }

    @Test("With fresh connections every answer ends its connection")
    func freshConnections() throws {
        try withServer(
            settings: .made {
                $0.freshConnections = true
                $0.give("a", 10)
            }
        ) { run in
            let probe = try run.probe()
            let answer = try probe.get("a")
            #expect(answer.head["Connection"]?.lowercased() == "close")
            #expect(probe.readToEnd().ending == .closed)
        }
    }

    @Test("A chunk that is neither last nor a whole number of units is refused and blamed")
    func oddChunk() throws {
        try withServer { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let answer = try probe.chunk(target, offset: 0, sample(100_000))
            #expect(answer.status == 400)
            #expect(answer.uploadStatus == "active")
            #expect(try probe.receivedSize(target) == 0)
            #expect(try run.on { $0.complaints.count } == 1)
        }
    }

    @Test("A body that was cut is credited in whole units, and goes on after a query")
    func cutBody() throws {
        try withServer(settings: .made { $0.granularity = 65_536 }) { run in
            let bytes = sample(200_000)
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(
                target, offset: 0, length: bytes.count, sending: Array(bytes[..<150_000]),
                last: true)
            try run.log.wait { $0.last?.record.operation == .uploadFinalize }
            probe.reset()
            let cut = try run.ended(2)
            #expect(cut.ending == .clientLeft)
            #expect(cut.status == nil)
            let other = try run.probe()
            let size = try other.receivedSize(target)
            #expect(size % 65_536 == 0 && size <= 150_000)
            #expect(Int64(size) == cut.committed)
            let done = try other.chunk(target, offset: size, Array(bytes[size...]), last: true)
            #expect(done.status == 200)
            #expect(try run.stored("a") == bytes)
        }
    }
}
