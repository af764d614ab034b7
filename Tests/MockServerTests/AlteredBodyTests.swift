import FaultEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@testable import MockServer

@Suite("Bodies of requests that are changed on their way", .serialized)
struct AlteredBodyTests {
    private static let size = 100_000
    private static let places = [0, 1, 50_000, 99_999, 100_000]

    /// What the backend is to see.
    private static func seen(_ kind: Corruption, at place: Int) -> [UInt8] {
        let sent = sample(size)
        switch kind {
        case .drop(let count):
            return Array(sent[..<place] + sent[min(place + Int(count), size)...])
        case .duplicate(let count):
            let end = min(place + Int(count), size)
            return Array(sent[..<end] + sent[place..<end] + sent[end...])
        case .insert, .flip, .zero, .random: return sent
        }
    }

    private static func offset(_ place: Int) -> ByteOffset {
        place == size ? .beforeEnd(0) : .bytes(Int64(place))
    }

    @Test(
        "Bytes are left out or come twice from their place on, and what was received stays true",
        arguments: [Corruption.drop(1), .drop(30_000), .duplicate(1), .duplicate(30_000)], places)
    func changed(kind: Corruption, place: Int) throws {
        try withServer([
            try fault(
                "upload.media", .exactly(1), at: .requestBody(Self.offset(place)), .corrupt(kind))
        ]) { run in
            let probe = try run.probe()
            try probe.begin("POST", WireProbe.objects + "?name=a", length: Self.size)
            // In odd pieces, so that places fall inside and between them.
            try probe.send(sample(Self.size), piece: 7_777)
            #expect(try probe.readAnswer().status == 200)
            let seen = Self.seen(kind, at: place)
            #expect(try run.stored("a") == seen)
            let record = try run.ended(1)
            #expect(record.received == Int64(Self.size))
            #expect(record.committed == Int64(seen.count))
            #expect(record.complaints == [])
        }
    }

    @Test("`insert` puts made-up bytes before the byte at its place", arguments: places)
    func inserted(place: Int) throws {
        let kind = Corruption.insert(11)
        try withServer([
            try fault(
                "upload.media", .exactly(1), at: .requestBody(Self.offset(place)), .corrupt(kind))
        ]) { run in
            let answer = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: sample(Self.size))
            #expect(answer.status == 200)
            let stored = try #require(try run.stored("a"))
            #expect(stored.count == Self.size + 11)
            #expect(Array(stored[..<place]) == Array(sample(Self.size)[..<place]))
            #expect(Array(stored[(place + 11)...]) == Array(sample(Self.size)[place...]))
        }
    }

    @Test("A session holds the changed bytes, and tells their number as its offset")
    func session() throws {
        try withServer(
            [
                try fault(
                    "upload.chunk", .exactly(1), at: .requestBody(.bytes(10)), .corrupt(.drop(100)))
            ], settings: .made { $0.granularity = 65_536 }
        ) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a")
            let answer = try probe.chunk(target, offset: 0, sample(65_536))
            #expect(answer.status == 200)
            #expect(answer.head["X-Goog-Upload-Size-Received"] == "65436")
            #expect(try probe.receivedSize(target) == 65_436)
            // The client goes on where the server says.
            let last = try probe.chunk(
                target, offset: 65_436, Array(sample(65_536)[65_436...]), last: true)
            #expect(last.status == 200)
            let seen = sample(65_536)
            #expect(try run.stored("a") == Array(seen[..<10] + seen[110...] + seen[65_436...]))
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test("Where the total was announced, a finishing body of another length is refused")
    func announced() throws {
        try withServer([
            try fault(
                "upload.finalize", .exactly(1), at: .requestBody(.bytes(1)),
                .corrupt(.duplicate(1)))
        ]) { run in
            let probe = try run.probe()
            let target = try probe.startUpload("a", size: 10)
            #expect(try probe.chunk(target, offset: 0, sample(10), last: true).status == 400)
            #expect(try run.stored("a") == nil)
            #expect(try probe.receivedSize(target) == 0)
            #expect(try probe.chunk(target, offset: 0, sample(10), last: true).status == 200)
            #expect(try run.on { $0.complaints } == [])
        }
    }

    @Test("Several changes of one body hold together, each at its own place of what was sent")
    func several() throws {
        var stream = AlteredStream(position: 0)
        stream.add(.drop(2), at: 1, seed: 1)
        stream.add(.flip(1), at: 4, seed: 1)
        stream.add(.duplicate(2), at: 4, seed: 1)
        for piece in 1...7 {
            var again = stream
            var seen: [UInt8] = []
            let sent: [UInt8] = [0, 1, 2, 3, 4, 5, 6]
            for start in stride(from: 0, to: sent.count, by: piece) {
                let bytes = Array(sent[start..<min(start + piece, sent.count)])
                seen += bytes.withUnsafeBytes { again.pass($0) }
            }
            #expect(seen + again.finish() == [0, 3, 251, 5, 251, 5, 6])
        }
    }
}
