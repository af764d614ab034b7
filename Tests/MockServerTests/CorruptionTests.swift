import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Falsified bytes", .serialized)
struct CorruptionTests {
    /// Offsets in a body of `size` bytes; the last run of bytes goes beyond its end.
    private static let size = 100_000
    private static let offsets = [0, 1, 50_000, size - 2, size - 1]

    enum Kind: CaseIterable, Sendable {
        case flip
        case zero
        case random

        func corruption(_ count: Int64) -> Corruption {
            switch self {
            case .flip: .flip(count)
            case .zero: .zero(count)
            case .random: .random(count)
            }
        }

        /// Whether a byte is what it has become.
        func holds(_ byte: UInt8, was old: UInt8) -> Bool {
            switch self {
            case .flip: byte == ~old
            case .zero: byte == 0
            case .random: byte != old
            }
        }
    }

    private func check(_ bytes: [UInt8], _ kind: Kind, at offset: Int) {
        let honest = sample(Self.size)
        #expect(bytes.count == honest.count)
        guard bytes.count == honest.count else { return }
        let meant = offset..<min(offset + 2, Self.size)
        #expect(meant.allSatisfy { kind.holds(bytes[$0], was: honest[$0]) })
        #expect(bytes[..<offset] == honest[..<offset])
        #expect(bytes[meant.upperBound...] == honest[meant.upperBound...])
    }

    @Test(
        "Two bytes of a download are falsified from a place on, and no others",
        arguments: Kind.allCases, offsets)
    func exact(kind: Kind, offset: Int) throws {
        let rule = try fault(
            "download", .exactly(1), at: .responseBody(.bytes(Int64(offset))), per: .run,
            .corrupt(kind.corruption(2)))
        try withServer([rule], settings: .made { $0.give("a", Self.size) }) { run in
            let probe = try run.probe()
            let answer = try probe.get("a")
            #expect(answer.isWhole)
            check(answer.body, kind, at: offset)
            #expect(try probe.get("a").body == sample(Self.size))
        }
    }

    @Test(
        "Two bytes of an upload are falsified from a place on, and no others",
        arguments: Kind.allCases, offsets)
    func upload(kind: Kind, offset: Int) throws {
        let rule = try fault(
            "upload.media", .exactly(1), at: .requestBody(.bytes(Int64(offset))),
            .corrupt(kind.corruption(2)))
        try withServer([rule]) { run in
            let answer = try run.probe().exchange(
                "POST", WireProbe.objects + "?name=a", body: sample(Self.size))
            #expect(answer.status == 200)
            check(try #require(try run.stored("a")), kind, at: offset)
        }
    }

    @Test("Drawn bytes are the same for the same seed alone")
    func seeded() throws {
        func bytes(_ seed: UInt64) throws -> [UInt8] {
            var options = MockServer.Options()
            options.seed = seed
            var body: [UInt8] = []
            try withServer(
                [try fault("download", at: .responseBody(.bytes(10)), .corrupt(.random(20)))],
                settings: .made { $0.give("a", 100) }, options: options
            ) { run in body = try run.probe().get("a").body }
            return body
        }
        let first = try bytes(1)
        #expect(try bytes(1) == first)
        #expect(try bytes(2) != first)
        #expect(first != sample(100))
    }
}
