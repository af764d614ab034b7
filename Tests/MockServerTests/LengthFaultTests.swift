import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Answers of another length", .serialized)
struct LengthFaultTests {
    private static let size = 1000
    private let body = sample(size)

    private func answer(
        _ phase: FaultPhase, _ action: FaultAction,
        _ check: (WireHead, [UInt8], WireEnding, ServerRun, WireProbe) throws -> Void
    ) throws {
        try withServer(
            [try fault("download", .exactly(1), at: phase, action)],
            settings: .made { $0.give("a", Self.size) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            let head = try probe.readHead()
            let seen = probe.readToEnd(silence: .milliseconds(60))
            try check(head, seen.bytes, seen.ending, run, probe)
        }
    }

    @Test(
        "Bytes are left out from the byte on, and the declared length is what is left",
        arguments: FramingFaultTests.places.indices)
    func drop(index: Int) throws {
        let (offset, place) = FramingFaultTests.places[index]
        try answer(.responseBody(offset), .corrupt(.drop(10))) { head, bytes, ending, run, _ in
            let expected = body[..<place] + body[min(Self.size, place + 10)...]
            #expect(bytes == Array(expected) && ending == .silence)
            #expect(head["Content-Length"] == "\(expected.count)")
            let record = try run.ended(1)
            #expect(record.faults.count == 1)
        }
    }

    @Test(
        "Bytes come twice, and the declared length counts them twice",
        arguments: FramingFaultTests.places.indices)
    func duplicate(index: Int) throws {
        let (offset, place) = FramingFaultTests.places[index]
        try answer(.responseBody(offset), .corrupt(.duplicate(10))) { head, bytes, ending, _, _ in
            let expected = body[..<min(Self.size, place + 10)] + body[place...]
            #expect(bytes == Array(expected) && ending == .silence)
            #expect(head["Content-Length"] == "\(expected.count)")
        }
    }

    @Test(
        "Made-up bytes stand before the byte, and the declared length counts them",
        arguments: FramingFaultTests.places.indices)
    func insert(index: Int) throws {
        let (offset, place) = FramingFaultTests.places[index]
        try answer(.responseBody(offset), .corrupt(.insert(10))) { head, bytes, ending, _, _ in
            #expect(bytes.count == 1010 && ending == .silence)
            #expect(Array(bytes[..<place] + bytes[(place + 10)...]) == body)
            #expect(head["Content-Length"] == "1010")
        }
    }

    @Test("Later faults count the bytes that are sent")
    func laterFaults() throws {
        try withServer(
            [
                try fault("download", at: .responseBody(.bytes(100)), .corrupt(.drop(500))),
                try fault(
                    "download", at: .responseBody(.bytes(300)), position: 2, .corrupt(.flip(1))),
                try fault(
                    "download", at: .responseBody(.beforeEnd(0)), position: 3, .disconnect(.reset)),
            ], settings: .made { $0.give("a", Self.size) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try probe.readHead()["Content-Length"] == "500")
            let seen = probe.readToEnd()
            var expected = Array(body[..<100] + body[600...])
            expected[300] = ~expected[300]
            #expect(seen.bytes == expected && seen.ending == .reset)
            #expect(try run.on { $0.firedCounts } == [1, 1, 1])
        }
    }

    static let lies: [(DeclaredLength, String, WireEnding)] = [
        (.exactly(0), "0", .silence), (.exactly(1), "1", .silence),
        (.exactly(500), "500", .silence),
        (.exactly(999), "999", .silence), (.exactly(1000), "1000", .silence),
        (.exactly(1001), "1001", .closed), (.off(by: 1), "1001", .closed),
        (.off(by: -1), "999", .silence), (.off(by: -5000), "0", .silence),
        (.exactly(5 << 40), "5497558138880", .closed),
    ]

    @Test(
        "The declared length is what is asked for; one that is too large is followed by the end",
        arguments: lies.indices)
    func lie(index: Int) throws {
        let (length, text, ending) = Self.lies[index]
        for phase in [FaultPhase.requestHead, .beforeCommit, .responseHead] {
            try answer(phase, .length(length)) { head, bytes, end, _, _ in
                #expect(head.values(of: "Content-Length") == [text])
                let isWhole = bytes == body
                #expect(isWhole && end == ending)
            }
        }
    }

    @Test("What was not declared stands before the next answer")
    func surplus() throws {
        try answer(.responseHead, .length(.off(by: -3))) { _, _, _, _, probe in
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try probe.readAnswer().body == Array(body[..<997]))
            #expect(try probe.read(exactly: 3) == Array(body[997...]))
        }
    }

    @Test("A length is told twice, in conflict, or not at all")
    func fields() throws {
        var twice = HeaderEdit()
        twice.duplicate = ["content-length"]
        try answer(.responseHead, .headers(twice)) { head, bytes, ending, _, _ in
            #expect(head.values(of: "Content-Length") == ["1000", "1000"])
            #expect(bytes.count == 1000 && ending == .silence)
        }
        var removed = HeaderEdit()
        removed.remove = ["Content-Length"]
        try answer(.responseHead, .headers(removed)) { head, bytes, ending, _, _ in
            #expect(head["Content-Length"] == nil && head["Transfer-Encoding"] == nil)
            #expect(bytes.count == 1000 && ending == .closed)
        }
        var renamed = HeaderEdit()
        renamed.rename = [.init(from: "Content-Length", to: "X-Length")]
        try answer(.responseHead, .headers(renamed)) { head, _, ending, _, _ in
            #expect(head["Content-Length"] == nil && head["X-Length"] == "1000")
            #expect(ending == .closed)
        }
        var conflict = HeaderEdit()
        conflict.set = [HeaderValue("Content-Length", .text("990"))]
        conflict.duplicate = ["Content-Length"]
        try answer(.responseHead, .headers(conflict)) { head, _, ending, _, _ in
            #expect(head.values(of: "Content-Length") == ["990", "990"] && ending == .silence)
        }
    }

    @Test("Without a length and without chunks the end of the connection is the end")
    func noLength() throws {
        try answer(.responseHead, .length(.none)) { head, _, ending, _, _ in
            #expect(head["Transfer-Encoding"] == "chunked" && ending == .silence)
        }
    }
}
