import Foundation
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("squall serve", .serialized)
struct ServeTests {
    private static let objects = "/v0/b/demo.appspot.com/o"
    private static let size = 1 << 20

    @Test("Killed clients leave nothing behind, and the next upload succeeds", arguments: 1...4)
    func killedClients(seed: UInt64) throws {
        let served = try Served(object: Self.size)
        try upload("before", on: served)
        let probe = try WireProbe(port: served.port)
        _ = try ask(probe)
        // An end that came earlier than this request was seen earlier.
        let descriptors = served.descriptors
        let threads = served.threads
        var generator = SplitMix64(seed: seed)
        var clients: [WireProbe] = []
        for number in 0..<50 {
            clients.append(try begin(number, on: served.port, &generator))
        }
        clients.shuffle(using: &generator)
        for client in clients {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: client.close()
            case 1: client.reset()
            default: client.finish()
            }
        }
        // Those that only finished sending inside an answer stay until they leave.
        try upload("meanwhile", on: served)
        clients = []
        // Each answer is a turn of the server, in which it sees who has left.
        for _ in 0..<10_000 where served.descriptors > descriptors { _ = try ask(probe) }
        #expect(served.descriptors <= descriptors)
        #expect(served.threads == threads)
        _ = try ask(probe)
        try upload("after", on: served)
        let journal = try served.stop()
        // All but those that never sent a whole head.
        #expect(journal.count > 30)
        #expect(journal.filter { $0.contains("\"ending\":\"open\"") } == [])
    }

    /// A client somewhere inside a head, an upload or a download.
    private func begin(
        _ number: Int, on port: UInt16, _ generator: inout SplitMix64
    ) throws -> WireProbe {
        let probe = try WireProbe(port: port, receiveBuffer: 16_384)
        let place = Int.random(in: 0..<Self.size, using: &generator)
        let target = "\(Self.objects)?name=n\(number)"
        let bytes = [UInt8](repeating: 7, count: place)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: try probe.send("POST \(target) HTTP/1.1\r\nHost: a\r\nX")
        case 1:
            try probe.ask(
                target, method: "POST", fields: ["Transfer-Encoding: chunked", "Content-Type: a/b"])
            try probe.send("100000\r\n")
            try probe.send(bytes)
        case 2:
            try probe.ask(
                target, method: "POST",
                fields: ["Content-Length: \(Self.size)", "Content-Type: a/b"])
            try probe.send(bytes)
        default:
            try probe.ask("\(Self.objects)/big?alt=media")
            _ = probe.read(upTo: place / 16)
        }
        return probe
    }

    private func ask(_ probe: WireProbe) throws -> WireAnswer {
        try probe.ask("\(Self.objects)/before")
        let answer = try probe.readAnswer()
        #expect(answer.status == 200)
        return answer
    }

    private func upload(_ name: String, on served: Served) throws {
        let probe = try WireProbe(port: served.port)
        let body = [UInt8](repeating: 9, count: 300_000)
        try probe.ask(
            "\(Self.objects)?name=\(name)", method: "POST",
            fields: ["Content-Length: \(body.count)", "Content-Type: a/b"])
        try probe.send(body)
        let answer = try probe.readAnswer()
        #expect(answer.status == 200, "\(answer.head.text)")
        #expect(answer.text.contains("\"300000\""))
    }
}
