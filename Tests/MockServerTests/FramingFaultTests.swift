import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Chunks that are wrong", .serialized)
struct FramingFaultTests {
    static let size = 1000
    /// The first byte, the second, the middle, the last but one, the last, and the end.
    static let places: [(offset: ByteOffset, place: Int)] = [
        (.bytes(0), 0), (.bytes(1), 1), (.percent(50), 500), (.beforeEnd(2), 998),
        (.beforeEnd(1), 999), (.beforeEnd(0), 1000),
    ]
    /// And the phase before the head, which means the first byte.
    static let phases =
        [(FaultPhase.responseHead, 0)] + places.map { (.responseBody($0.offset), $0.place) }

    /// What is on the wire behind the head, and how it ended.
    private func wire(
        _ fault: FramingFault, at phase: FaultPhase
    ) throws -> (head: WireHead, bytes: [UInt8], ending: WireEnding, record: ExchangeRecord) {
        var result: (WireHead, [UInt8], WireEnding, ExchangeRecord)?
        try withServer(
            [try MockServerTests.fault("download", at: phase, .framing(fault))],
            settings: .made { $0.give("a", Self.size) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            let head = try probe.readHead()
            let seen = probe.readToEnd(silence: .milliseconds(60))
            let record = try run.ended(1)
            result = (head, seen.bytes, seen.ending, record)
            #expect(record.faults.count == 1 && record.ending == .complete)
        }
        return try #require(result)
    }

    private func chunk(
        _ bytes: some Sequence<UInt8>, mark: String? = nil, isUpper: Bool = false
    ) -> [UInt8] {
        let bytes = Array(bytes)
        if bytes.isEmpty, mark == nil { return [] }
        let size = mark ?? String(bytes.count, radix: 16, uppercase: isUpper)
        return Array("\(size)\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private let body = sample(size)
    private let last = Array("0\r\n\r\n".utf8)

    private func expect(
        _ seen: (head: WireHead, bytes: [UInt8], ending: WireEnding, record: ExchangeRecord),
        _ bytes: [UInt8], _ ending: WireEnding, _ place: SourceLocation = #_sourceLocation
    ) {
        let isSame = seen.bytes == bytes
        #expect(isSame, "\(seen.bytes.count) bytes", sourceLocation: place)
        #expect(seen.ending == ending, sourceLocation: place)
        #expect(seen.head["Transfer-Encoding"] == "chunked", sourceLocation: place)
        #expect(seen.head["Content-Length"] == nil, sourceLocation: place)
    }

    @Test(
        "The chunk that begins at the byte has a size that is none, then the connection ends",
        arguments: phases.indices)
    func badSize(index: Int) throws {
        let (phase, place) = Self.phases[index]
        let seen = try wire(.badChunkSize, at: phase)
        let bad =
            place == Self.size
            ? Array("zz\r\n\r\n".utf8) : chunk(body[place...], mark: "zz") + last
        expect(seen, chunk(body[..<place]) + bad, .closed)
        #expect(seen.head["Connection"] == "close")
    }

    @Test("Every byte comes and the last chunk does not", arguments: phases.indices)
    func noLastChunk(index: Int) throws {
        let (phase, place) = Self.phases[index]
        let seen = try wire(.missingLastChunk, at: phase)
        expect(seen, chunk(body[..<place]) + chunk(body[place...]), .closed)
    }

    @Test(
        "Bytes stand behind the last chunk, and the connection is kept", arguments: phases.indices)
    func bytesAfterLast(index: Int) throws {
        let (phase, place) = Self.phases[index]
        let seen = try wire(.bytesAfterLast, at: phase)
        let more = Array("surplus\r\n".utf8)
        expect(seen, chunk(body[..<place]) + chunk(body[place...]) + last + more, .silence)
    }

    @Test("The last chunk has a trailer that the head announces", arguments: phases.indices)
    func trailer(index: Int) throws {
        let (phase, place) = Self.phases[index]
        let seen = try wire(.withTrailer, at: phase)
        let end = Array("0\r\nX-Squall-Trailer: sent\r\n\r\n".utf8)
        expect(seen, chunk(body[..<place]) + chunk(body[place...]) + end, .silence)
        #expect(seen.head["Trailer"] == "X-Squall-Trailer")
    }

    @Test(
        "A quarter of the body is not there, and nothing on the wire tells",
        arguments: phases.indices)
    func lostChunk(index: Int) throws {
        let (phase, place) = Self.phases[index]
        let seen = try wire(.lostChunk, at: phase)
        let next = min(Self.size, place + 250)
        expect(
            seen, chunk(body[..<place], isUpper: true) + chunk(body[next...], isUpper: true) + last,
            .silence)
        #expect(seen.record.sent == Int64(place + Self.size - next))
    }

    @Test("A quarter of the body comes twice, each time as a chunk", arguments: phases.indices)
    func doubledChunk(index: Int) throws {
        let (phase, place) = Self.phases[index]
        let seen = try wire(.doubledChunk, at: phase)
        let next = min(Self.size, place + 250)
        let twice = chunk(body[place..<next], isUpper: true)
        expect(
            seen,
            chunk(body[..<place], isUpper: true) + twice + twice
                + chunk(body[next...], isUpper: true) + last, .silence)
        #expect(seen.record.sent == Int64(Self.size + next - place))
    }

    @Test("An empty body can be framed wrongly too", arguments: FramingFault.allCases)
    func empty(fault: FramingFault) throws {
        try withServer(
            [try MockServerTests.fault("download", at: .responseHead, .framing(fault))],
            settings: .made { $0.give("a", 0) }
        ) { run in
            let probe = try run.probe()
            try probe.ask(WireProbe.object("a") + "?alt=media")
            _ = try probe.readHead()
            let seen = probe.readToEnd(silence: .milliseconds(60))
            let text = String(decoding: seen.bytes, as: UTF8.self)
            switch fault {
            case .badChunkSize: #expect(text == "zz\r\n\r\n" && seen.ending == .closed)
            case .missingLastChunk: #expect(text == "" && seen.ending == .closed)
            case .bytesAfterLast: #expect(text == "0\r\n\r\nsurplus\r\n")
            case .lostChunk, .doubledChunk: #expect(text == "0\r\n\r\n")
            case .withTrailer: #expect(text == "0\r\nX-Squall-Trailer: sent\r\n\r\n")
            }
        }
    }

    @Test("A fault of a chunk that may fire once is there once, whoever comes between")
    func once() throws {
        try withServer(
            [
                try MockServerTests.fault(
                    "download", at: .responseBody(.bytes(500)), per: .run, times: 1,
                    .stall(.milliseconds(50)), .corrupt(.drop(100)))
            ],
            settings: .made { $0.give("a", Self.size) }
        ) { run in
            let first = try run.probe()
            try first.ask(WireProbe.object("a") + "?alt=media")
            // It stands at its byte, and the head has told the length.
            #expect(try first.readHead()["Content-Length"] == "900")
            let other = try run.probe().get("a").body.count
            #expect(other == Self.size)
            #expect(first.readToEnd(silence: .milliseconds(200)).bytes.count == 900)
            #expect(try run.on { $0.firedCounts } == [1])
        }
    }

    @Test("A budget that an exchange did not come to use is there for the next")
    func givenBack() throws {
        try withServer(
            [
                try MockServerTests.fault(
                    "download", at: .responseBody(.bytes(500)), position: 1, per: .run, times: 1,
                    .corrupt(.drop(100))),
                try MockServerTests.fault(
                    "download", .exactly(1), at: .responseBody(.bytes(100)), position: 2, per: .run,
                    .disconnect(.close)),
            ],
            settings: .made { $0.give("a", Self.size) }
        ) { run in
            let counts = try (1...3).map { _ in try run.probe().get("a").body.count }
            #expect(counts == [100, 900, 1000])
            #expect(try run.on { $0.firedCounts } == [1, 1])
        }
    }
}
