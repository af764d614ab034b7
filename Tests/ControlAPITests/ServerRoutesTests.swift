import ControlAPI
import FaultEngine
import MockServer
import ObjectStore
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Upload sessions through the control API", .serialized)
struct SessionRoutesTests {
    @Test("A session is told from its start to its end, by its ordinal and by its id")
    func life() throws {
        try withControl { run throws in
            let target = try run.start("up")
            let active = try run.ask("GET", "/v1/sessions/1")
            #expect(active["state"] == "active")
            #expect(active["path"] == "up")
            #expect(active["received"] == "0")
            let id = try #require(active["id"])
            #expect(try run.json("GET", "/v1/sessions/\(id)") == active.json)
            #expect(try run.finish(target, [1, 2, 3]) == 200)
            let stored = try run.ask("GET", "/v1/sessions")
            #expect(stored["sessions.0.state"] == "stored")
            #expect(stored["sessions.0.received"] == "3")
            #expect(try run.value("sessions", "GET", "/v1/sessions?open") == "[]")
        }
    }

    @Test("An expired session is unknown to its client, a cancelled one over")
    func ends() throws {
        try withControl { run throws in
            let expired = try run.start("one")
            let cancelled = try run.start("two")
            #expect(try run.value("state", "POST", "/v1/sessions/1/expire") == "expired")
            #expect(try run.value("state", "POST", "/v1/sessions/2/cancel") == "cancelled")
            #expect(try [404, 410].contains(run.finish(expired, [1])))
            #expect(try run.finish(cancelled, [1]) >= 400)
            #expect(try run.status("POST", "/v1/sessions/2/cancel") == 409)
            #expect(try run.status("POST", "/v1/sessions/3/cancel") == 404)
            #expect(try run.value("objects", "GET", "/v1/objects?prefix=o") == "[]")
            // What the client sends after that is no complaint: it is not to blame.
            #expect(try run.on { $0.complaints } == [])
        }
    }
}

@Suite("The backend through the control API", .serialized)
struct ServerRoutesTests {
    @Test("Actions have the words of the scenario language, and what they do is seen by clients")
    func actions() throws {
        var settings = BackendSettings.open
        settings.access = .signedIn
        settings.tokens = ["alice": .init()]
        try withControl(settings) { run throws in
            func status() throws -> Int {
                let probe = try run.app()
                try probe.ask(
                    "/v0/b/demo.appspot.com/o/a", fields: ["Authorization: Firebase alice"])
                return try probe.readAnswer().status
            }
            #expect(try status() == 200)
            #expect(
                try run.value("done", "POST", "/v1/backend", "{token: {expire: alice}}") == "token")
            #expect(try status() == 401)
            try run.ask("POST", "/v1/backend", "{link: {state: down}}")
            #expect(throws: WireError.refused) { try run.app() }
            try run.ask("POST", "/v1/backend", #"{"link": {"state": "up"}}"#)
            #expect(try status() == 401)
            #expect(
                try run.value("done", "POST", "/v1/backend", "{server: {skew: 1h}}") == "server")
            #expect(try run.on { $0.store.skewMilliseconds } == 3_600_000)
        }
    }

    @Test("A restart breaks connections and keeps what is stored; the control port stays")
    func restart() throws {
        try withControl { run throws in
            let probe = try run.app()
            let control = try run.control()
            try probe.ask("/v0/b/demo.appspot.com/o/a")
            #expect(try probe.readAnswer().status == 200)
            let text = "{server: {restart: keep}}"
            try control.send(
                run.head("POST", "/v1/backend", ["Content-Length: \(text.utf8.count)"]) + text)
            #expect(try control.readAnswer().status == 200)
            #expect(probe.readToEnd().ending == .closed)
            try WireDeadlineLoop(.seconds(5)).until { (try? run.download("a")) == 200 }
            try control.send(run.head("GET", "/v1/health"))
            #expect(try control.readAnswer().status == 200)
        }
    }

    @Test("An action that is wrong is told with its place, one that cannot be done with its reason")
    func wrongActions() throws {
        try withControl { run throws in
            let word = try run.ask("POST", "/v1/backend", "{server: {restart: kep}}")
            #expect(word.status == 400)
            #expect(word["error.suggestion"] == "keep")
            #expect(word["error.line"] == "1")
            #expect(
                try run.value("error.suggestion", "POST", "/v1/backend", "{sever: {full: true}}")
                    == "server")
            let none = try run.ask("POST", "/v1/backend", "{session: expire}")
            #expect(none.status == 409)
            #expect(none["error.message"] == "there is no upload session")
            #expect(try run.status("POST", "/v1/backend", "{object: {delete: nothing}}") == 409)
        }
    }

    @Test("Health counts what there is")
    func health() throws {
        try withControl { run throws in
            #expect(try run.download("a") == 200)
            _ = try run.start("up")
            let health = try run.ask("GET", "/v1/health")
            #expect(health["status"] == "ok")
            #expect(health["api"] == "1")
            #expect(health["exchanges"] == "2")
            #expect(health["objects"] == "1")
            #expect(health["sessions.open"] == "1")
            #expect(health["faults.there"] == "0")
            #expect(health["uptime"].flatMap { Double($0) } ?? -1 >= 0)
        }
    }

    @Test(
        "A reset brings back the start: objects, faults, ordinals; each choice of faults is there")
    func reset() throws {
        let rule = FaultRule(
            position: 1, name: "first", text: "download#1",
            selector: ExchangeSelector(
                operation: .one(.download), ordinal: .exactly(1), per: .run),
            phase: .responseHead, actions: [.respond(ForcedResponse(status: 503))], times: 1)
        try withControl(faults: [rule]) { run throws in
            func faults(_ choice: String) throws -> [String?] {
                let reply = try run.ask("POST", "/v1/reset", choice)
                #expect(reply.status == 200, "\(reply.answer.text)")
                let list = try run.ask("GET", "/v1/faults")
                return (0..<3).map { list["faults.\($0).match"] }
            }
            #expect(try run.download("a") == 503)
            #expect(try run.download("a") == 200)
            try run.ask("POST", "/v1/faults", "list: respond 500")
            #expect(try faults(#"{"faults": "keep"}"#) == ["download#1", "list", nil])
            #expect(try run.download("a") == 503)
            #expect(try faults("") == ["download#1", nil, nil])
            #expect(try run.download("a") == 503)
            #expect(try faults(#"{"faults": "none"}"#) == [nil, nil, nil])
            #expect(try run.download("a") == 200)
            #expect(try run.value("exchanges.0.ordinal", "GET", "/v1/journal") == "1")
            #expect(try faults("{}") == ["download#1", nil, nil])
            #expect(run.resets.values.count == 4)
        }
    }

    @Test(
        "A reset that is asked for wrongly does nothing",
        arguments: [
            ("{\"faults\": \"none \"}", "none", "faults"), ("{\"fault\": \"none\"}", nil, "fault"),
            ("none", nil, ""), ("{\"faults\": 1}", nil, "faults"),
        ] as [(String, String?, String)])
    func wrongReset(body: String, suggestion: String?, path: String) throws {
        try withControl { run throws in
            let reply = try run.ask("POST", "/v1/reset", body)
            #expect(reply.status == 400)
            #expect(reply["error.suggestion"] == suggestion)
            #expect(reply["error.path"] == path)
            #expect(try run.on { $0.resets } == 0)
        }
    }
}
