import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Clients that leave", .serialized)
struct LeavingTests {
    private static let unit = 262_144

    @Test("A body whose client has left overlaps with nobody's", arguments: [true, false])
    func noFalseOverlap(leaves: Bool) throws {
        try withServer([
            try fault(
                "upload.chunk", .exactly(1), at: .beforeCommit,
                .hold(until: .gate(name: "go"), atMost: nil))
        ]) { run in
            let first = try run.probe()
            let target = try first.startUpload("a")
            let bytes = sample(Self.unit)
            try first.beginChunk(target, offset: 0, length: bytes.count, sending: bytes)
            try run.firstFault()
            if leaves { first.reset() }
            // After two turns of its loop the server has seen it.
            for _ in 0..<2 { try run.on { _ in } }
            let second = try run.probe()
            #expect(try second.chunk(target, offset: 0, bytes).status == 200)
            let names = try run.on { $0.complaints.map(\.name) }
            #expect(names.contains("overlapping-requests") == !leaves, "\(names)")
        }
    }

    @Test(
        "A connection is closed although its last bytes are unread; the overtaken is not to blame",
        arguments: [true, false])
    func closedBehindBytes(closes: Bool) throws {
        try withServer([
            try fault(
                "upload.chunk", .exactly(1), at: .requestBody(.bytes(250_000)),
                .hold(until: .gate(name: "go"), atMost: nil))
        ]) { run in
            let first = try run.probe()
            let target = try first.startUpload("a")
            let bytes = sample(Self.unit)
            try first.beginChunk(target, offset: 0, length: bytes.count, sending: bytes)
            try run.firstFault()
            if closes { first.finish() }
            let second = try run.probe()
            #expect(try second.query(target).head["X-Goog-Upload-Size-Received"] == "0")
            #expect(try second.chunk(target, offset: 0, bytes).status == 200)
            try run.on { $0.openGate("go") }
            #expect(try first.readAnswer().status == 400)
            let names = try run.on { $0.complaints.map(\.name) }
            #expect(names == (closes ? [] : ["overlapping-requests"]))
        }
    }

    @Test("A fault has fired where its exchange stood for a step when the client left")
    func standingForStep() throws {
        let faults = [
            try fault(
                "upload.body", .exactly(1), at: .requestBody(.bytes(65_536)),
                .hold(until: .step(name: "never"), atMost: nil)),
            try fault(
                "upload.body", .exactly(1), at: .requestBody(.bytes(65_536)), position: 2,
                .backend(.session(.expire))),
            try fault(
                "upload.body", .exactly(1), at: .requestBody(.bytes(65_537)), position: 3,
                .status(503)),
        ]
        try withServer(faults) { run in
            let reached = Recorder<Int>()
            let selector = ExchangeSelector(
                operation: .uploadBody, ordinal: .exactly(1))
            try run.on { server in
                _ = server.hold(at: selector, phase: .requestBody(.bytes(65_536))) {
                    reached.append($0.ordinal)
                }
            }
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(
                target, offset: 0, length: Self.unit, sending: sample(65_536))
            #expect(try reached.wait(count: 1) == [2])
            #expect(try run.on { $0.firedCounts } == [0, 0, 0])
            probe.close()
            let record = try run.ended(2)
            #expect(record.ending == .clientLeft)
            #expect(record.received == 65_536)
            // The first never lets go, so that the second does not begin.
            #expect(try run.on { $0.firedCounts } == [1, 0, 0])
            #expect(record.faults.map(\.rule) == [1])
        }
    }

    @Test("What a fault does to the backend is done although its exchange's client left")
    func backendActionAfterLeaving() throws {
        try withServer([
            try fault(
                "upload.body", .exactly(1), at: .requestBody(.bytes(1000)),
                .backend(.session(.expire)))
        ]) { run in
            let reached = Recorder<Int>()
            let selector = ExchangeSelector(operation: .uploadBody, ordinal: .exactly(1))
            try run.on { server in
                _ = server.hold(at: selector, phase: .requestBody(.bytes(1000))) {
                    reached.append($0.ordinal)
                }
            }
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            try probe.beginChunk(target, offset: 0, length: Self.unit, sending: sample(1000))
            try reached.wait(count: 1)
            probe.close()
            try run.ended(2)
            #expect(try run.probe().query(target).status == 404)
        }
    }

    @Test("A fault that could not be carried out is a problem, and is told")
    func problem() throws {
        let faults = [
            try fault(
                "download", .exactly(1), at: .beforeCommit, name: "tidy",
                .backend(.object(.delete(path: "nothing"))), .backend(.session(.expire)),
                .status(503))
        ]
        try withServer(faults, settings: .made { $0.give("a", 10) }) { run in
            // What follows in the fault is done all the same.
            #expect(try run.probe().get("a").status == 503)
            let problems = try run.on { $0.problems.map(\.message) }
            #expect(problems.count == 2)
            #expect(
                problems.first?.hasPrefix(
                    "the fault 'tidy' could not be carried out: object 'nothing': ") == true)
            #expect(
                problems.last
                    == "the fault 'tidy' could not be carried out: there is no upload session")
            let told = run.log.values.filter { if case .problem = $0 { true } else { false } }
            #expect(told.count == 2)
        }
    }

    @Test("A step that wants a session where there is none is refused")
    func stepWithoutSession() throws {
        try withServer { run in
            #expect(throws: MockServerError.noSession) {
                try run.on { try $0.apply(.session(.expire)) }
            }
        }
    }
}
