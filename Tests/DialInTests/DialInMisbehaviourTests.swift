import ClientDriver
import DialIn
import Foundation
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Clients that dial in and misbehave")
struct DialInMisbehaviourTests {
    /// The scenario that was blamed ends, and the next one is served by a client that dials in then.
    private func expectNextIsServed(_ run: DialInRun, _ client: Dialer, _ name: String = "") throws
    {
        try run.end().wait(count: 1)
        run.forget()
        let session = try client.begin(name)
        #expect(!session.isEmpty)
        try run.serve(client, session, run: 2)
        _ = run.upload()
        let asked = try client.commands(session, after: 2)
        let id = try #require(asked.commands.first?["id"] as? Int)
        try client.report(session, first: 3, "{\"answer\":\(id)}")
        #expect(run.seen == [])
    }

    @Test("A client whose page is loaded again costs the scenario, and serves the next one")
    func reload() throws {
        try withClient(client: #"{"client":"me"}"#) { run, client, _ in
            _ = run.upload()
            let session = try client.begin(#"{"client":"me"}"#)
            #expect(
                try run.blame()
                    == "left the session that it was in, and began another one before it answered "
                    + "'upload up'")
            try run.end().wait(count: 1)
            run.forget()
            try run.serve(client, session, run: 2)
            #expect(run.seen == [])
        }
    }

    @Test(
        "A client that is loaded again before it has said anything is asked again, and not blamed")
    func reloadAtHello() throws {
        let run = try DialInRun()
        defer { run.finish() }
        let client = run.client
        let hello = run.hello()
        let first = try client.begin(#"{"client":"me"}"#)
        #expect(try client.commands(first, after: 0).verbs == ["hello"])
        let second = try client.begin(#"{"client":"me"}"#)
        #expect(try client.commands(first, after: 0).status == 404)
        try client.sayHello(second)
        #expect(try hello.wait(count: 1)[0].get().name == "dialer")
    }

    @Test("A second client is refused while the first one is there, and changes nothing")
    func secondClient() throws {
        try withClient(client: #"{"client":"me"}"#) { run, client, session in
            let refused = try client.ask("POST", "/session", #"{"client":"you"}"#)
            #expect(refused.status == 409)
            #expect(refused.error == "another client is dialed in")
            let reply1 = try client.ask("POST", "/session")
            #expect(reply1.status == 409)
            _ = run.upload()
            #expect(try client.commands(session, after: 2).verbs == ["upload"])
            #expect(run.seen == [])
        }
    }

    @Test("A client that closes its connection and stays away costs the scenario it was in")
    func disappears() throws {
        var options = DialInRun.options
        options.limits.absence = .milliseconds(100)
        try withClient(options) { run, client, session in
            let upload = run.upload()
            _ = try client.commands(session, after: 2)
            let probe = try client.send("GET", "/session/\(session)/commands?after=3")
            #expect(probe.isSilent(for: .milliseconds(20)))
            probe.close()
            #expect(
                try run.blame()
                    == "went away: it closed its connection and did not come back within 100ms "
                    + "before it answered 'upload up'")
            #expect(try upload.wait(count: 1) == [.lost])
            try expectNextIsServed(run, client)
        }
    }

    @Test("A client that asks for nothing any more costs the scenario it was in")
    func silent() throws {
        var options = DialInRun.options
        options.limits.silence = .milliseconds(150)
        try withClient(options) { run, client, session in
            _ = run.upload()
            #expect(
                try run.blame()
                    == "went away: it has asked for nothing for 150ms before it answered "
                    + "'upload up'")
            try expectNextIsServed(run, client)
        }
    }

    @Test("A client whose connection breaks and that asks again is not taken to be gone")
    func comesBack() throws {
        var options = DialInRun.options
        options.limits.absence = .milliseconds(400)
        options.limits.poll = .milliseconds(600)
        try withClient(options) { run, client, session in
            let probe = try client.send("GET", "/session/\(session)/commands?after=2")
            #expect(probe.isSilent(for: .milliseconds(20)))
            probe.reset()
            #expect(try client.commands(session, after: 2).verbs == [])
            _ = run.upload()
            #expect(try client.commands(session, after: 2).verbs == ["upload"])
            #expect(run.seen == [])
        }
    }

    @Test("Nobody who dials in is told with the address, and nobody is waited for again")
    func neverDialsIn() throws {
        var options = DialInRun.options
        options.limits.wait = .milliseconds(100)
        let run = try DialInRun(options)
        defer { run.finish() }
        let place = "http://127.0.0.1:\(run.port)/"
        #expect(
            try run.hello().wait(count: 1)
                == [.failure(.left("did not dial in at \(place) within 100ms", command: nil))])
        #expect(
            try run.hello().wait(count: 1)
                == [
                    .failure(
                        .left("is not there: nobody has dialed in at \(place) again", command: nil))
                ])
        let session = try run.client.begin()
        let hello = run.hello()
        try run.client.sayHello(session)
        #expect(try hello.wait(count: 1)[0].get().name == "dialer")
    }

    @Test("A line that is no message is blamed, and the client is told why its session is over")
    func garbage() throws {
        try withClient { run, client, session in
            _ = run.upload()
            let sentence = "wrote a line that is no message (line 3: is not JSON): good morning"
            let refused = try client.report(session, first: 3, "good morning")
            #expect(refused.status == 410)
            #expect(refused.error == "the client " + sentence)
            #expect(try run.blame() == sentence)
            #expect(try client.commands(session, after: 2).error == "the client " + sentence)
            try expectNextIsServed(run, client)
        }
    }

    @Test(
        "Numbers that cannot be are blamed",
        arguments: [
            ("GET", "commands?after=9", "asked for the commands after 9, where 2 to 3 could be"),
            ("GET", "commands?after=1", "asked for the commands after 1, where 2 to 3 could be"),
            ("GET", "commands", "asked without the number 'after' in the query"),
            ("GET", "commands?after=x", "asked without the number 'after' in the query"),
            ("POST", "reports?first=0", "numbers its reports from 0, not from 1"),
            ("POST", "reports", "asked without the number 'first' in the query"),
        ])
    func wrongNumbers(method: String, target: String, sentence: String) throws {
        try withClient { run, client, session in
            _ = run.upload()
            _ = try client.commands(session, after: 2)
            let refused = try client.ask(method, "/session/\(session)/\(target)", "")
            #expect(refused.status == 410)
            #expect(try run.blame() == sentence + " before it answered 'upload up'")
            try expectNextIsServed(run, client)
        }
    }

    @Test("More reports at once than any scenario needs are refused and blamed")
    func tooMuch() throws {
        var options = DialInRun.options
        options.limits.reports = 1000
        try withClient(options) { run, client, session in
            _ = run.upload()
            let line = String(repeating: "x", count: 1001)
            let reply2 = try client.report(session, first: 3, line)
            #expect(reply2.status == 410)
            #expect(
                try run.blame()
                    == "posted more than 1000 bytes of reports at once before it answered "
                    + "'upload up'")
            try expectNextIsServed(run, client)
        }
    }

    @Test("A client that is there and answers nothing is told from one that asks for nothing")
    func hang() throws {
        var limits = StdioDriver.Limits()
        limits.reply = .milliseconds(100)
        try withClient(DialInRun.options, limits) { run, client, session in
            _ = run.upload()
            let blame = try run.blame()
            #expect(blame == "is there, and does not ask for its next command")
        }
        limits.reply = .milliseconds(300)
        try withClient(DialInRun.options, limits) { run, client, session in
            _ = run.upload()
            #expect(try client.commands(session, after: 2).verbs == ["upload"])
            let blame = try run.blame()
            #expect(blame == "gave no answer to 'upload up' within 300ms")
        }
    }

    @Test("A session that is over, or that never was, is heard by nobody")
    func wrongSession() throws {
        try withClient { run, client, session in
            #expect(try client.commands("nobody", after: 0).status == 404)
            let unheard = try client.report("nobody", first: 1, "good morning")
            #expect(unheard.error == "there is no such session: begin one with POST /session")
            #expect(run.seen == [])
            let reply3 = try client.report(session, first: 3, "good morning")
            #expect(reply3.status == 410)
            let reply4 = try client.report(session, first: 3, "good evening")
            #expect(reply4.status == 410)
            #expect(run.seen.count == 1)
        }
    }

    @Test("A port that is taken is told, and costs the scenario only")
    func portTaken() throws {
        let first = try DialInRun()
        defer { first.finish() }
        var options = DialInRun.options
        options.port = first.port
        #expect(throws: LinkFailure.self) { try DialInRun(options) }
    }
}
