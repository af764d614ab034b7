import ControlAPI
import FaultEngine
import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("Faults through the control API", .serialized)
struct FaultRoutesTests {
    @Test("A fault fires from its coming to its going, and its account is told at each step")
    func life() throws {
        try withControl { run throws in
            #expect(try run.value("faults", "GET", "/v1/faults") == "[]")
            let added = try run.ask(
                "POST", "/v1/faults",
                #"{"name": "gone", "match": "download#1", "do": {"respond": 404}}"#)
            #expect(added.status == 201)
            #expect(added["added.0.fault"] == "1")
            #expect(added["added.0.name"] == "gone")
            #expect(added["added.0.unfired"] == "`download#1` never came: no request came at all.")
            #expect(try run.download("a") == 404)
            #expect(try run.download("a") == 200)
            let seen = try run.ask("GET", "/v1/faults/gone")
            #expect(seen["fired"] == "1")
            #expect(seen["fitting"] == "2")
            #expect(seen["unfired"] == nil)
            let removed = try run.ask("DELETE", "/v1/faults/gone")
            #expect(removed["removed.fired"] == "1")
            #expect(try run.status("GET", "/v1/faults/gone") == 404)
            #expect(try run.value("faults", "GET", "/v1/faults") == "[]")
            #expect(try run.value("faults.0.removed", "GET", "/v1/faults?removed") == "true")
        }
    }

    @Test(
        "A fault may be a mapping or a text, in JSON or YAML, with or without its media type",
        arguments: [
            ("{\"match\": \"list\", \"do\": {\"respond\": 503}}", "application/json"),
            ("\"list: respond 503\"", "application/json"), ("[\"list: respond 503\"]", ""),
            ("match: list\ndo: {respond: 503}", ""), ("- match: list\n  do: {respond: 503}", ""),
            ("list: respond 503", ""), ("list: respond 503", "text/plain"),
            ("\n# why\nlist: respond 503\n", "text/plain; charset=utf-8"),
            ("list path=**: respond 503", "application/x-www-form-urlencoded"),
            ("list#1..9 @ response-head: respond 503", "application/yaml"),
            ("list: json {set: {items: 3}}, respond 503", ""),
        ])
    func forms(text: String, type: String) throws {
        try withControl { run throws in
            let fields = type.isEmpty ? [] : ["Content-Type: \(type)"]
            let reply = try run.ask("POST", "/v1/faults", text, fields: fields)
            #expect(reply.status == 201, "\(reply.answer.text)")
            let probe = try run.app()
            try probe.ask("/v0/b/demo.appspot.com/o")
            #expect(try probe.readAnswer().status == 503)
        }
    }

    @Test(
        "What is wrong is told with its line, its column and the way to it",
        arguments: [
            (
                #"{"match": "list", "do": {"droop": "chunk"}}"#, 1, 26, "do.droop",
                "unknown action 'droop'"
            ),
            ("- match: list\n  do: {respond: 7}", 2, 17, "[0].do.respond", "7 is out of range"),
            (#"["list: respond 503", "list: respond 7"]"#, 1, 38, "[1]", "7 is out of range"),
            (
                #"{"match": "list", "do": {"respond": 503}, "when": "now"}"#, 1, 43, "when",
                "unknown key 'when'"
            ),
            (#"{"do": {"respond": 503}}"#, 1, 1, nil, "a fault needs 'match'"),
            ("list: respond 503\nlist: droop chunk", 2, 7, "[1]", "unknown action 'droop'"),
            ("[]", 1, 1, nil, "there is no fault in it"), ("", 1, 1, nil, ""),
            ("{", 2, 1, nil, ""), ("{\"match\": \"list\",,}", 1, 18, nil, ""),
            (
                #"{"match": "upload.body#1", "at": "request-head", "do": {"hold": "fault cut"}}"#,
                1, 72, "do.hold", "unknown fault 'cut': there is none"
            ),
            (
                #"{"match": "download", "at": "request-head", "do": {"hold": "up pause"}}"#, 1, 61,
                "do.hold", "unknown task or result 'up'"
            ),
            (
                #"{"match": "download", "do": {"respond": {"status": 200, "body": {"file": "x"}}}}"#,
                1, 74, "do.respond.body.file", "only a scenario file can name a file"
            ),
            (
                #"{"match": "download", "do": {"token": {"expire": "alice"}}}"#, 1, 50,
                "do.token.expire", "unknown token 'alice': there is none"
            ),
        ] as [(String, Int, Int, String?, String)])
    func mistakes(text: String, line: Int, column: Int, path: String?, message: String) throws {
        try withControl { run throws in
            let reply = try run.ask("POST", "/v1/faults", text)
            #expect(reply.status == 400)
            #expect(reply["error.line"] == "\(line)", "\(reply.answer.text)")
            #expect(reply["error.column"] == "\(column)", "\(reply.answer.text)")
            #expect(reply["error.path"] == path, "\(reply.answer.text)")
            #expect(reply["error.message"]?.hasPrefix(message) == true, "\(reply.answer.text)")
            #expect(try run.on { $0.faultAccounts.count } == 0)
        }
    }

    @Test("A fault of TLS is refused where the server does not speak it")
    func faultsOfTLS() throws {
        try withControl { run throws in
            let reply = try run.ask(
                "POST", "/v1/faults", #"["list: respond 503", "connect#1: tls expired"]"#)
            #expect(reply.status == 400)
            #expect(reply["error.message"] == "'tls' wants a server that speaks it: add --tls")
            #expect(try run.on { $0.faultAccounts.count } == 0)
        }
    }

    @Test("Of a list with a mistake nothing is added, and every mistake is told")
    func atomic() throws {
        try withControl { run throws in
            let reply = try run.ask(
                "POST", "/v1/faults",
                #"["list: respond 503", "list: droop 1", "downlod: respond 404"]"#)
            #expect(reply.status == 400)
            #expect(reply["errors.0.suggestion"] == "drop")
            #expect(reply["errors.1.suggestion"] == "download")
            #expect(reply["errors.2"] == nil)
            #expect(try run.on { $0.faultAccounts.count } == 0)
        }
    }

    @Test("A name that is there already is refused; once its fault is gone it may come again")
    func names() throws {
        try withControl { run throws in
            let text = #"{"name": "cut", "match": "list", "do": {"respond": 503}}"#
            #expect(try run.status("POST", "/v1/faults", text) == 201)
            let again = try run.ask("POST", "/v1/faults", text)
            #expect(again["error.message"] == "there is a fault 'cut' already")
            #expect(again["error.path"] == "name")
            let twice = try run.ask(
                "POST", "/v1/faults",
                "[\(text.replacing("cut", with: "x")), \(text.replacing("cut", with: "x"))]")
            #expect(twice["error.message"]?.hasPrefix("the name 'x' is given twice") == true)
            // Faults may refer to those that are there, and to those that come with them.
            let holding = try run.ask(
                "POST", "/v1/faults",
                """
                - {match: download, at: response-head, do: {hold: fault cut}}
                - {match: download, at: response-head, do: {hold: fault next}}
                - {name: next, match: delete, do: {respond: 500}}
                """)
            #expect(holding.status == 201, "\(holding.answer.text)")
            #expect(try run.status("DELETE", "/v1/faults/1") == 200)
            #expect(try run.value("added.0.fault", "POST", "/v1/faults", text) == "5")
        }
    }

    @Test("All faults can be taken away at once")
    func removeAll() throws {
        try withControl { run throws in
            try run.ask("POST", "/v1/faults", "download: respond 503\nlist: respond 503")
            #expect(try run.download("a") == 503)
            let reply = try run.ask("DELETE", "/v1/faults")
            #expect(reply["removed.0.fired"] == "1")
            #expect(reply["removed.1.fired"] == "0")
            #expect(try run.download("a") == 200)
        }
    }

    @Test("A fault that is not there is told with the nearest name")
    func missing() throws {
        try withControl { run throws in
            try run.ask("POST", "/v1/faults", "{name: cut, match: list, do: {respond: 503}}")
            let reply = try run.ask("DELETE", "/v1/faults/cat")
            #expect(reply.status == 404)
            #expect(reply["error.suggestion"] == "cut")
            #expect(try run.status("GET", "/v1/faults/2") == 404)
        }
    }

    @Test("A query that means nothing is refused with what was perhaps meant")
    func query() throws {
        try withControl { run throws in
            let reply = try run.ask("GET", "/v1/faults?remove")
            #expect(reply.status == 400)
            #expect(reply["error.path"] == "?remove")
            #expect(reply["error.suggestion"] == "removed")
        }
    }
}

@Suite("Gates through the control API", .serialized)
struct GateRoutesTests {
    private func hold(_ run: ControlRun, _ trigger: String = "gate go") throws {
        let text =
            #"{"name": "stop", "match": "download", "at": "response-head", "do": {"hold": "\#(trigger)"}}"#
        #expect(try run.status("POST", "/v1/faults", text) == 201)
    }

    /// Asks for the object, and waits until its exchange stands still.
    private func waiting(_ run: ControlRun) throws -> WireProbe {
        let probe = try run.app()
        let before = run.log.values.count { if case .held = $0 { true } else { false } }
        try probe.ask("/v0/b/demo.appspot.com/o/a?alt=media")
        try run.log.wait(for: "the hold") { events in
            events.count { if case .held = $0 { true } else { false } } > before
        }
        return probe
    }

    @Test("A gate tells who waits at it; its release lets them go and is remembered")
    func release() throws {
        try withControl { run throws in
            try hold(run)
            let probe = try waiting(run)
            let gate = try run.ask("GET", "/v1/gates/go")
            #expect(gate["released"] == "false")
            #expect(gate["waiting.0.exchange"] == "1")
            #expect(gate["waiting.0.operation"] == "download")
            #expect(gate["waiting.0.path"] == "a")
            #expect(gate["waiting.0.at"] == "response-head")
            #expect(gate["waiting.0.faults.0"] == "stop")
            #expect(try run.value("gates.waiting", "GET", "/v1/health") == "1")
            #expect(probe.isSilent(for: .milliseconds(20)))
            let released = try run.ask("POST", "/v1/gates/go/release")
            #expect(released["freed"] == "[1]")
            #expect(released["note"] == "whoever comes to it from now on passes")
            #expect(try probe.readAnswer().status == 200)
            #expect(try run.download("a") == 200)
            #expect(try run.value("gates.0.released", "GET", "/v1/gates") == "true")
        }
    }

    @Test("A release before anybody waits says that it is remembered")
    func early() throws {
        try withControl { run throws in
            try hold(run)
            let reply = try run.ask("POST", "/v1/gates/go/release")
            #expect(
                reply["note"] == "nobody waited; it is remembered, and whoever comes to it passes")
            #expect(try run.download("a") == 200)
        }
    }

    @Test("A gate can be closed again, and released for those alone who wait now")
    func once() throws {
        try withControl { run throws in
            try hold(run)
            try run.ask("POST", "/v1/gates/go/release")
            #expect(try run.value("closed", "POST", "/v1/gates/go/close") == "true")
            let first = try waiting(run)
            #expect(try run.value("freed", "POST", "/v1/gates/go/release?once") == "[1]")
            #expect(try first.readAnswer().status == 200)
            let second = try waiting(run)
            #expect(second.isSilent(for: .milliseconds(20)))
        }
    }

    @Test("A hold for two gates goes on when both are released, and the answer tells who stays")
    func two() throws {
        try withControl { run throws in
            let text =
                #"{"match": "download", "at": "response-head", "do": {"hold": ["gate one", "gate two"]}}"#
            #expect(try run.status("POST", "/v1/faults", text) == 201)
            let probe = try waiting(run)
            let first = try run.ask("POST", "/v1/gates/one/release")
            #expect(first["freed"] == "[]")
            #expect(first["waiting"] == "[1]")
            #expect(probe.isSilent(for: .milliseconds(20)))
            #expect(try run.value("freed", "POST", "/v1/gates/two/release") == "[1]")
            #expect(try probe.readAnswer().status == 200)
        }
    }

    @Test("A gate that nobody names is not there: a misspelt release does not vanish")
    func unknown() throws {
        try withControl { run throws in
            try hold(run)
            let reply = try run.ask("POST", "/v1/gates/og/release")
            #expect(reply.status == 404)
            #expect(reply["error.suggestion"] == "go")
        }
    }

    @Test("Who is held goes on waiting when its fault is taken away, and can be released")
    func removedFault() throws {
        try withControl { run throws in
            try hold(run)
            let probe = try waiting(run)
            #expect(try run.status("DELETE", "/v1/faults/stop") == 200)
            #expect(probe.isSilent(for: .milliseconds(20)))
            #expect(try run.value("freed", "POST", "/v1/gates/go/release") == "[1]")
            #expect(try probe.readAnswer().status == 200)
        }
    }
}
