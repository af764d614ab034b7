import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

/// The places at which a fault of a body is tried: 0, 1, the middle, the last byte but one, the end.
struct BodyPlace: Sendable, CustomTestStringConvertible {
    static let size = 131_072
    static let all = [
        BodyPlace(.bytes(0), 0), BodyPlace(.bytes(1), 1), BodyPlace(.percent(50), size / 2),
        BodyPlace(.beforeEnd(1), size - 1), BodyPlace(.beforeEnd(0), size),
    ]

    let offset: ByteOffset
    /// The same in bytes.
    let bytes: Int

    private init(_ offset: ByteOffset, _ bytes: Int) {
        self.offset = offset
        self.bytes = bytes
    }

    var testDescription: String { offset.text }
}

@Suite("Faults at each place of a body", .serialized)
struct OffsetFaultTests {
    private static let media = WireProbe.objects + "?name=a"

    @Test("A download stalls after exactly N bytes, then goes on", arguments: BodyPlace.all)
    func downloadStall(place: BodyPlace) throws {
        let stall = try fault(
            "download", .exactly(1), at: .responseBody(place.offset),
            .hold(until: .gate(name: "go"), atMost: nil))
        try withServer([stall], settings: .made { $0.give("a", BodyPlace.size) }) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try probe.readHead().status == 200)
            let first = probe.read(upTo: place.bytes).bytes
            try run.firstFault()
            #expect(probe.isSilent(for: .milliseconds(50)))
            try run.on { $0.openGate("go") }
            let rest = probe.read(upTo: BodyPlace.size - place.bytes).bytes
            #expect(first + rest == sample(BodyPlace.size))
            #expect(try run.ended(1).ending == .complete)
            #expect(try probe.get("a").isWhole)
        }
    }

    @Test("A download that stalls for ever sends nothing more", arguments: BodyPlace.all)
    func downloadStallForEver(place: BodyPlace) throws {
        let stall = try fault(
            "download", .exactly(1), at: .responseBody(place.offset), .stall(nil))
        try withServer([stall], settings: .made { $0.give("a", BodyPlace.size) }) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            #expect(try probe.readHead()["Content-Length"] == "\(BodyPlace.size)")
            try run.firstFault()
            let (body, ending) = probe.readToEnd(silence: .milliseconds(100))
            #expect(body == Array(sample(BodyPlace.size)[..<place.bytes]))
            #expect(ending == .silence)
        }
    }

    @Test("An upload is read no further than N bytes while it stalls", arguments: BodyPlace.all)
    func uploadStall(place: BodyPlace) throws {
        let stall = try fault(
            "upload.media", .exactly(1), at: .requestBody(place.offset),
            .hold(until: .gate(name: "go"), atMost: nil))
        try withServer([stall]) { run in
            let probe = try run.probe()
            try probe.begin("POST", Self.media, length: BodyPlace.size)
            try probe.send(sample(BodyPlace.size))
            try run.firstFault()
            #expect(probe.isSilent(for: .milliseconds(50)))
            #expect(try run.on { $0.records[0].received } == Int64(place.bytes))
            #expect(try run.stored("a") == nil)
            try run.on { $0.openGate("go") }
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.stored("a") == sample(BodyPlace.size))
        }
    }

    @Test(
        "An upload is answered after exactly N bytes, and nothing is stored",
        arguments: BodyPlace.all)
    func uploadAnswer(place: BodyPlace) throws {
        let answer = try fault(
            "upload.media", .exactly(1), at: .requestBody(place.offset), .status(503))
        try withServer([answer]) { run in
            let probe = try run.probe()
            try probe.begin("POST", Self.media, length: BodyPlace.size)
            let bytes = sample(BodyPlace.size)
            if place.bytes > 0 {
                try probe.send(Array(bytes[..<(place.bytes - 1)]))
                #expect(probe.isSilent(for: .milliseconds(30)))
                try probe.send([bytes[place.bytes - 1]])
            }
            #expect(try probe.readAnswer().status == 503)
            #expect(try run.stored("a") == nil)
            // The rest is read and thrown away, and the connection lives on.
            try probe.send(Array(bytes[place.bytes...]))
            #expect(try probe.exchange("POST", Self.media, body: bytes).status == 200)
            #expect(try run.stored("a") == bytes)
        }
    }

    @Test(
        "A download that breaks at a place has the bytes before it, and ends as it is told",
        arguments: Break.allCases, BodyPlace.all)
    func downloadBreak(kind: Break, place: BodyPlace) throws {
        let end = try fault(
            "download", .exactly(1), at: .responseBody(place.offset), kind.action)
        try withServer([end], settings: .made { $0.give("a", BodyPlace.size) }) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            _ = try probe.readHead()
            let (body, ending) = probe.readToEnd(silence: .milliseconds(100))
            #expect(body == Array(sample(BodyPlace.size)[..<place.bytes]))
            #expect(ending == kind.seen)
        }
    }

    @Test(
        "An upload that breaks at a place was read so far, and ends as it is told",
        arguments: Break.allCases, BodyPlace.all)
    func uploadBreak(kind: Break, place: BodyPlace) throws {
        let end = try fault(
            "upload.media", .exactly(1), at: .requestBody(place.offset), kind.action)
        try withServer([end]) { run in
            let probe = try run.probe()
            try probe.begin("POST", Self.media, length: BodyPlace.size)
            try probe.send(Array(sample(BodyPlace.size)[..<place.bytes]))
            let (bytes, ending) = probe.readToEnd(silence: .milliseconds(100))
            #expect(bytes == [])
            #expect(ending == kind.seen)
            probe.reset()
            #expect(try run.ended(1).received == Int64(place.bytes))
            #expect(try run.stored("a") == nil)
        }
    }
}
