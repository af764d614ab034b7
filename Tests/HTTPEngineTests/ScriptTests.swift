import EventLoop
import HTTPEngine
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Scripts")
struct ScriptTests {
    @Test("A script's steps are carried out in order, below HTTP")
    func steps() throws {
        let steps: [WireStep] = [
            .send(Array("HTTP/1.1 2".utf8)), .wait(.milliseconds(5)),
            .slices(Array("00 OK\r\n\r\nabc".utf8), size: 3, gap: .milliseconds(1)),
            .finishSending, .drain, .close,
        ]
        try withEngine(.at(.responseHead, .adopt(steps))) { run in
            let probe = try run.probe()
            try probe.upload(1000)
            let seen = probe.readToEnd()
            #expect(seen.bytes == Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8))
            #expect(seen.ending == .closed)
            #expect(!run.log.values.contains { $0.hasPrefix("1 disconnected") })
            probe.close()
            try run.wait(for: "1 disconnected received=1000 sent=0")
            try run.wait(for: "closed 1")
        }
    }

    @Test("A script inside an answer's body goes on after exactly its bytes")
    func insideBody() throws {
        let steps: [WireStep] = [.send(Array("XYZ".utf8)), .reset]
        var plan = Plan.at(.responseBody(2), .adopt(steps))
        for isChunked in [false, true] {
            plan.response.isChunked = isChunked
            try withEngine(plan) { run in
                let probe = try run.probe()
                try probe.ask("/")
                _ = try probe.readHead()
                let seen = probe.readToEnd()
                let text = isChunked ? "2\r\nhe\r\nXYZ" : "heXYZ"
                #expect(seen.bytes == Array(text.utf8) && seen.ending == .reset)
            }
        }
    }

    @Test("A script ends when its client leaves, also while it waits")
    func clientLeaves() throws {
        let steps: [WireStep] = [.send([1]), .wait(.seconds(1000)), .send([2])]
        try withEngine(.at(.head, .adopt(steps))) { run in
            let probe = try run.probe()
            try probe.ask("/")
            #expect(try probe.read(exactly: 1) == [1])
            probe.close()
            try run.wait(for: "1 client-left received=0 sent=0")
            try run.wait(for: "closed 1")
        }
    }

    @Test("200 scripts dribble at once without a further thread")
    func noThreads() throws {
        let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789".utf8)
        let steps: [WireStep] = [
            .slices(text, size: 4, gap: .milliseconds(2)), .finishSending, .drain, .close,
        ]
        try withEngine(.at(.head, .adopt(steps))) { run in
            let probes = try (0..<200).map { _ in try run.probe() }
            let threads = ProcessState.threadCount
            for probe in probes { try probe.ask("/") }
            for probe in probes {
                #expect(probe.readToEnd(piece: 64).bytes == text)
                probe.close()
            }
            // A thread for each script would make 200 more; the loops of tests that run beside this
            // one come and go, and are fewer than 100.
            #expect(ProcessState.threadCount < threads + 100)
            try run.log.wait(for: "200 ends") { log in
                log.count { $0.hasPrefix("closed") } == 200
            }
        }
    }
}
