import ClientDriver
import DialIn
import Foundation
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("A conversation with a client that dials in")
struct DialInConversationTests {
    @Test("Commands are asked for and reports posted, and the driver hears them word by word")
    func conversation() throws {
        try withClient { run, client, session in
            let upload = run.upload()
            let asked = try client.commands(session, after: 2)
            #expect(asked.verbs == ["upload"])
            #expect(asked.last == 3)
            let id = try #require(asked.commands.first?["id"] as? Int)
            let posted = try client.report(
                session, first: 3, "{\"answer\":\(id)}",
                #"{"event":"resume","task":"up","completed":0,"total":3}"#,
                #"{"completion":"up","metadata":{"size":"3"}}"#)
            #expect(posted.received == 5)
            #expect(try upload.wait(count: 1) == [.result(.done)])
            #expect(run.seen == ["up resume 0", "up completion"])
        }
    }

    @Test("An answer with commands that is lost is given again, until the next one is asked for")
    func lostAnswer() throws {
        try withClient { run, client, session in
            _ = run.upload()
            let first = try client.commands(session, after: 2)
            let again = try client.commands(session, after: 2)
            #expect(first.answer.body == again.answer.body)
            #expect(first.verbs == ["upload"])
            _ = run.sync()
            #expect(try client.commands(session, after: 3).verbs == ["sync"])
        }
    }

    @Test("Reports that are posted again are taken once, also where only a part is known")
    func repeatedPost() throws {
        try withClient { run, client, session in
            _ = run.upload()
            let event = #"{"event":"progress","task":"up","completed":1}"#
            let next = #"{"event":"progress","task":"up","completed":2}"#
            _ = try client.commands(session, after: 2)
            let reply1 = try client.report(session, first: 3, event)
            #expect(reply1.received == 3)
            let reply2 = try client.report(session, first: 3, event)
            #expect(reply2.received == 3)
            let reply3 = try client.report(session, first: 3, event, next)
            #expect(reply3.received == 4)
            #expect(run.seen == ["up progress 1", "up progress 2"])
        }
    }

    @Test("Reports that come too early are refused with the number that is missing, and not blamed")
    func gap() throws {
        try withClient { run, client, session in
            _ = run.upload()
            _ = try client.commands(session, after: 2)
            let event = #"{"event":"progress","task":"up","completed":1}"#
            let refused = try client.report(session, first: 4, event)
            #expect(refused.status == 409)
            #expect(refused.received == 2)
            #expect(refused.error == "reports 3 to 3 are missing")
            let reply4 = try client.report(session, first: 3, event)
            #expect(reply4.received == 3)
            #expect(run.seen == ["up progress 1"])
        }
    }

    @Test("A poll with nothing to tell is answered with no commands, and the next one goes on")
    func emptyPoll() throws {
        var options = DialInRun.options
        options.limits.poll = .milliseconds(30)
        try withClient(options) { run, client, session in
            let empty = try client.commands(session, after: 2)
            #expect(empty.status == 200)
            #expect(empty.verbs == [])
            #expect(empty.last == 2)
            _ = run.upload()
            var asked = try client.commands(session, after: 2)
            if asked.verbs.isEmpty { asked = try client.commands(session, after: 2) }
            #expect(asked.verbs == ["upload"])
        }
    }

    @Test("A poll waits until there is a command, and commands that came meanwhile go together")
    func waitingPoll() throws {
        try withClient { run, client, session in
            let probe = try client.send("GET", "/session/\(session)/commands?after=2")
            #expect(probe.isSilent(for: .milliseconds(50)))
            _ = run.upload()
            #expect(Dialer.reply(try probe.readAnswer()).verbs == ["upload"])
            _ = run.sync()
            _ = run.sync()
            let batch = try client.commands(session, after: 3)
            let rest = batch.last == 5 ? [] : try client.commands(session, after: batch.last).verbs
            #expect(batch.verbs + rest == ["sync", "sync"])
        }
    }

    @Test("Of two polls at once the older one is let go, and none of the commands is lost")
    func twoPolls() throws {
        try withClient { run, client, session in
            let old = try client.send("GET", "/session/\(session)/commands?after=2")
            let new = try client.send("GET", "/session/\(session)/commands?after=2")
            let released = Dialer.reply(try old.readAnswer())
            #expect(released.verbs == [])
            #expect(released.last == 2)
            _ = run.upload()
            #expect(Dialer.reply(try new.readAnswer()).verbs == ["upload"])
        }
    }

    @Test("A client's own log is that of the scenario")
    func log() throws {
        try withClient { run, client, session in
            let reply5 = try client.ask("POST", "/session/\(session)/log", "it rains\n")
            #expect(reply5.status == 200)
            #expect(run.errorOutput == "it rains\n")
        }
    }

    @Test("At the end of the run a client that waits is told so, and the port is free")
    func farewell() throws {
        let run = try DialInRun()
        defer { run.finish() }
        let client = run.client
        let session = try client.begin()
        try run.serve(client, session)
        let probe = try client.send("GET", "/session/\(session)/commands?after=2")
        #expect(probe.isSilent(for: .milliseconds(20)))
        let stopped = run.stop()
        let over = Dialer.reply(try probe.readAnswer())
        #expect(over.status == 410)
        #expect(over.error == "this run is over")
        try stopped.wait(count: 1)
        #expect(throws: WireError.refused) { try WireProbe(port: run.port) }
    }

    @Test("Where to dial in is said once, when nobody is there")
    func announcement() throws {
        let run = try DialInRun()
        defer { run.finish() }
        let hello = run.hello()
        #expect(try run.announced.wait(count: 1) == ["http://127.0.0.1:\(run.port)/"])
        let session = try run.client.begin()
        try run.client.sayHello(session)
        #expect(try hello.wait(count: 1)[0].get().name == "dialer")
        #expect(run.announced.values.count == 1)
    }
}
