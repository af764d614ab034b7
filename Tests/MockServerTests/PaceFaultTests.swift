import EventLoop
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Paced bodies, in virtual time")
struct PaceFaultTests {
    /// A pace, and how many of 10,000 bytes may have come at a time.
    enum Kind: CaseIterable, Sendable {
        case throttle
        case slice

        var action: FaultAction {
            switch self {
            case .throttle: .throttle(rate: 1000)
            case .slice: .slice(size: 500, gap: .milliseconds(500))
            }
        }

        /// From the place on where it begins.
        func mostBytes(at time: Duration) -> Int {
            let milliseconds = Int(time / .milliseconds(1))
            return switch self {
            // Pieces of 50 ms.
            case .throttle: (milliseconds / 50 + 1) * 50
            case .slice: (milliseconds / 500 + 1) * 500
            }
        }
    }

    private static let size = 10_000

    @Test(
        "A download keeps its pace from its place on, at every moment of it",
        arguments: Kind.allCases, [0, 1, 5000, 9_999])
    func download(kind: Kind, offset: Int) async throws {
        let rule = try fault(
            "download", .exactly(1), at: .responseBody(.bytes(Int64(offset))), kind.action)
        try await withVirtualServer([rule], settings: .made { $0.give("a", Self.size) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            let answer = await client.get("a")
            #expect(answer?.body == sample(Self.size))
            let head = answer?.head.utf8.count ?? 0
            var bytes = -head
            for arrival in client.arrivals {
                bytes += arrival.count
                let most = offset + kind.mostBytes(at: arrival.time)
                #expect(bytes <= most, "\(bytes) bytes at \(arrival.time)")
            }
            let last = client.arrivals.last?.time ?? .zero
            let pieces = (Self.size - offset + 499) / 500
            let least = Duration.milliseconds(max(0, (pieces - 1) * 500 - 500))
            #expect(last >= least && last <= .milliseconds(pieces * 500))
            client.close()
        }
    }

    @Test(
        "An upload is read at its pace from its place on", arguments: Kind.allCases, [0, 1, 5000])
    func upload(kind: Kind, offset: Int) async throws {
        let rule = try fault(
            "upload.media", .exactly(1), at: .requestBody(.bytes(Int64(offset))), kind.action)
        try await withVirtualServer([rule]) { loop, server, port in
            let client = LoopClient(loop, port: port)
            let answer = await client.exchange(
                "POST", WireProbe.objects + "?name=a", body: sample(Self.size))
            #expect(answer?.status == 200)
            let took = loop.now
            let rest = Self.size - offset
            #expect(took >= .milliseconds(rest - 600) && took <= .milliseconds(rest + 50))
            let stored = await server.object("a")?.body?.allBytes
            #expect(stored == sample(Self.size))
            client.close()
        }
    }

    @Test("The pace of a body ends with it: the next answer comes at once")
    func nextAnswer() async throws {
        let rule = try fault("download", .exactly(1), at: .responseHead, .throttle(rate: 1000))
        try await withVirtualServer([rule], settings: .made { $0.give("a", Self.size) }) {
            loop, server, port in
            let client = LoopClient(loop, port: port)
            _ = await client.get("a")
            let first = loop.now
            let metadata = await client.exchange("GET", WireProbe.object("a"))
            #expect(metadata?.status == 200)
            // At the most the time that the last piece was early.
            #expect(loop.now - first <= .milliseconds(50))
            client.close()
        }
    }
}
