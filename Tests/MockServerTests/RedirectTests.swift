import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Redirects", .serialized)
struct RedirectTests {
    /// The target on the same server that an answer redirects to.
    private func next(_ answer: WireAnswer, _ run: ServerRun) throws -> String {
        let location = try #require(answer.head["Location"])
        let base = "http://localhost"
        #expect(location.hasPrefix(base + "/"))
        return String(location.dropFirst(base.count))
    }

    @Test(
        "Sends the client to the URL that is given, with the status that is given",
        arguments: [301, 302, 303, 307, 308])
    func target(status: Int) throws {
        let rule = try fault(
            "download", at: .responseHead,
            .redirect(Redirection(.target("http://127.0.0.1:1/x?a=b"), status: status)))
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            let answer = try run.probe().get("a")
            #expect(answer.status == status)
            #expect(answer.head.values(of: "Location") == ["http://127.0.0.1:1/x?a=b"])
            #expect(answer.body == [])
        }
    }

    @Test("Sends the client to the same URL again, as often as the fault fires")
    func itself() throws {
        let rule = try fault(
            "download", .range(from: 1, through: 3), at: .responseHead, .redirect(.toItself))
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            let first = WireProbe.object("a") + "?alt=media"
            for _ in 1...3 {
                let answer = try probe.exchange("GET", first)
                #expect(answer.status == 307)
                #expect(try next(answer, run) == first)
            }
            #expect(try probe.exchange("GET", first).body == sample(10))
        }
    }

    @Test("A chain of redirects ends at the real answer", arguments: [1, 2, 30])
    func chain(count: Int) throws {
        let rule = try fault(
            "download", at: .responseHead, .redirect(Redirection(.times(count), status: 308)))
        try withServer([rule], settings: .made { $0.give("a", 10) }) { run in
            let probe = try run.probe()
            for _ in 1...2 {
                var target = WireProbe.object("a") + "?alt=media"
                for _ in 1...count {
                    let answer = try probe.exchange("GET", target)
                    #expect(answer.status == 308)
                    target = try next(answer, run)
                    #expect(target.contains("alt=media"))
                }
                let last = try probe.exchange("GET", target)
                #expect(last.status == 200)
                #expect(last.body == sample(10))
            }
            #expect(try run.on { $0.exchangeCount } == 2 * (count + 1))
            #expect(try run.on { $0.firedCounts } == [2])
        }
    }

    @Test("A chain of uploads applies nothing on the way, and stores the object once")
    func upload() throws {
        let rule = try fault("upload.media", at: .beforeCommit, .redirect(.times(3)))
        try withServer([rule]) { run in
            let probe = try run.probe()
            var target = WireProbe.objects + "?name=a"
            for _ in 1...3 {
                let answer = try probe.exchange("POST", target, body: sample(100))
                #expect(answer.status == 307)
                #expect(try run.stored("a") == nil)
                target = try next(answer, run)
            }
            #expect(try probe.exchange("POST", target, body: sample(100)).status == 200)
            #expect(try run.on { $0.versions(of: "a").count } == 1)
        }
    }

    @Test("A marked URL is nothing special where no fault redirects")
    func unasked() throws {
        try withServer(settings: .made { $0.give("a", 10) }) { run in
            let target = WireProbe.object("a") + "?alt=media&squall-redirects=5"
            let answer = try run.probe().exchange("GET", target)
            #expect(answer.status == 200)
        }
    }
}
