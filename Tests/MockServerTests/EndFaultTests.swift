import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Ends around the commit and after the answer", .serialized)
struct EndFaultTests {
    @Test(
        "Where the answer should begin the connection ends as told, and what was applied stays",
        arguments: Break.allCases,
        [
            (FaultPhase.requestHead, false), (.beforeCommit, false), (.afterCommit, true),
            (.responseHead, true),
        ])
    func aroundCommit(kind: Break, phase: (at: FaultPhase, isStored: Bool)) throws {
        try withServer([try fault("upload.media", .exactly(1), at: phase.at, kind.action)]) { run in
            let probe = try run.probe()
            // At the head nothing of the body is read: less of it for a clean end without an RST.
            let body = phase.at == .requestHead ? [] : sample(1000)
            try probe.begin("POST", WireProbe.objects + "?name=a", length: 1000)
            try? probe.send(body)
            let (bytes, ending) = probe.readToEnd(silence: .milliseconds(100))
            #expect(bytes == [])
            #expect(ending == kind.seen)
            #expect(try run.stored("a") == (phase.isStored ? sample(1000) : nil))
            probe.reset()
            #expect(try run.ended(1).status == nil)
        }
    }

    @Test(
        "`respond` at each phase: what it says, and what was applied",
        arguments: [
            (FaultPhase.requestHead, false), (.requestBody(.bytes(500)), false),
            (.beforeCommit, false), (.afterCommit, true), (.responseHead, true),
        ])
    func answers(phase: FaultPhase, isStored: Bool) throws {
        var forced = ForcedResponse(status: 503)
        forced.body = .content(Content(.bytes(Array("no".utf8))))
        try withServer([try fault("upload.media", .exactly(1), at: phase, .respond(forced))]) {
            run in
            let probe = try run.probe()
            let answer = try probe.exchange(
                "POST", WireProbe.objects + "?name=a", body: sample(1000))
            #expect(answer.status == 503)
            #expect(answer.text == "no")
            #expect(answer.head["X-Goog-Hash"] == nil)
            #expect(try run.stored("a") == (isStored ? sample(1000) : nil))
            #expect(try run.ended(1).status == 503)
            let later = try run.probe().exchange("GET", WireProbe.object("a"))
            #expect(later.status == (isStored ? 200 : 404))
        }
    }

    @Test(
        "After a whole answer the connection ends as told", arguments: Break.allCases,
        [Duration.zero, .milliseconds(100)])
    func afterAnswer(kind: Break, delay: Duration) throws {
        let end = try fault(
            "download", .exactly(1), at: .responseEnd, .delay(.fixed(delay)), kind.action)
        try withServer([end], settings: .made { $0.give("a", 1000) }) { run in
            let probe = try run.probe()
            let start = ContinuousClock.now
            let answer = try probe.get("a")
            #expect(answer.body == sample(1000))
            #expect(answer.ending == nil)
            if delay > .zero { #expect(probe.isSilent(for: .milliseconds(30))) }
            if kind == .silence {
                try run.firstFault()
                // A request on it is read by nobody.
                try probe.ask(WireProbe.object("a") + "?alt=media")
            }
            let (bytes, ending) = probe.readToEnd(silence: .milliseconds(150))
            #expect(bytes == [])
            #expect(ending == kind.seen)
            #expect(ContinuousClock.now - start >= delay)
            #expect(try run.on { $0.records.count } == 1)
        }
    }
}
