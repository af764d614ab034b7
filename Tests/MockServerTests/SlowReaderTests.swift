import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("A slow reader", .serialized)
struct SlowReaderTests {
    private static let size = 3_000_000

    @Test("A reset after N bytes loses none of them: 100 of 100, N up to 3 MB")
    func exactly() throws {
        var generator = SplitMix64(seed: 1)
        let honest = sample(Self.size)
        var good = 0
        for number in 1...100 {
            // The bounds, and a hundred places that are drawn.
            let count =
                switch number {
                case 1: 0
                case 2: 1
                case 3: Self.size - 1
                case 4: Self.size
                default: Int.random(in: 0..<Self.size, using: &generator)
                }
            let offset =
                count == Self.size ? ByteOffset.beforeEnd(0) : .bytes(Int64(count))
            let cut = try fault("download", at: .responseBody(offset), .disconnect(.reset))
            try withServer([cut], settings: .made { $0.give("a", Self.size) }) { run in
                let probe = try run.probe(receiveBuffer: 4096)
                try probe.ask(WireProbe.object("a") + "?alt=media")
                let head = try probe.readHead()
                #expect(head["Content-Length"] == "\(Self.size)")
                let (body, ending) = probe.readToEnd(piece: 3000)
                let isGood = body.elementsEqual(honest[..<count]) && ending == .reset
                #expect(isGood, "\(body.count) of \(count) bytes, then \(ending)")
                if isGood { good += 1 }
            }
        }
        #expect(good == 100)
    }
}
