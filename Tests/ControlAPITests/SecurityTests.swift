import MockServer
import StorageModel
import TestSupport
import Testing
import WireProbe

@testable import ControlAPI

@Suite("Who may use the control API", .serialized)
struct SecurityTests {
    @Test(
        "A host that is not this machine with the right port is refused, whatever is asked for",
        arguments: [
            "evil.example", "evil.example:PORT", "localhost", "localhost:1", "127.0.0.1",
            "127.0.0.2:PORT", "[::1]", "localhost.evil.example:PORT", "localhost:PORT.", "", "::1",
            "0.0.0.0:PORT", "localhost:PORT, evil.example",
        ])
    func foreignHost(host: String) throws {
        try withControl { run throws in
            let host = host.replacing("PORT", with: String(run.ports.control))
            for (method, target) in [("GET", "/v1/health"), ("POST", "/v1/reset"), ("GET", "/x")] {
                let reply = try run.ask(method, target, fields: ["Host: \(host)"])
                #expect(reply.status == 403, "\(method) \(target) with '\(host)'")
                #expect(reply["error.message"]?.hasPrefix("Host must be") == true)
            }
            #expect(try run.on { $0.resets } == 0)
        }
    }

    @Test(
        "The names of this machine with the port are taken, in any case",
        arguments: ["localhost:PORT", "127.0.0.1:PORT", "[::1]:PORT", "LocalHost:PORT"])
    func ownHost(host: String) throws {
        try withControl { run throws in
            let host = host.replacing("PORT", with: String(run.ports.control))
            #expect(try run.status("GET", "/v1/health", fields: ["Host: \(host)"]) == 200)
        }
    }

    @Test("Two hosts, or none, or one in the target: refused")
    func noClearHost() throws {
        try withControl { run throws in
            let own = "Host: localhost:\(run.ports.control)"
            #expect(try run.status("GET", "/v1/health", fields: [own, own]) == 403)
            let probe = try run.control()
            try probe.send("GET /v1/health HTTP/1.0\r\n\r\n")
            #expect(try probe.readAnswer().status == 403)
            let absolute = "http://localhost:\(run.ports.control)/v1/health"
            #expect(try run.status("GET", absolute) == 400)
        }
    }

    @Test(
        "Whatever comes from a page is refused: there is no origin that is right, and no preflight",
        arguments: ["http://evil.example", "null", "http://localhost:PORT", ""])
    func origin(origin: String) throws {
        try withControl { run throws in
            let origin = origin.replacing("PORT", with: String(run.ports.control))
            for method in ["GET", "POST", "OPTIONS"] {
                let reply = try run.ask(method, "/v1/reset", fields: ["Origin: \(origin)"])
                #expect(reply.status == 403)
                #expect(reply.answer.head.fields.allSatisfy { !$0.name.hasPrefix("Access-") })
            }
            #expect(try run.on { $0.resets } == 0)
        }
    }

    @Test("Without the token nothing is done, and the answer says which kind is wanted")
    func token() throws {
        var options = ControlOptions()
        options.token = "s3cret-token"
        try withControl(options: options) { run throws in
            let wrong = [
                [], ["Authorization: Bearer s3cret-toke"], ["Authorization: Bearer s3cret-token2"],
                ["Authorization: Bearer"], ["Authorization: Basic s3cret-token"],
                ["Authorization: s3cret-token"], ["Authorization: Bearer S3cret-token"],
                ["Authorization: Bearer s3cret-token", "Authorization: Bearer s3cret-token"],
            ]
            for fields in wrong {
                let reply = try run.ask("POST", "/v1/reset", fields: fields)
                #expect(reply.status == 401, "\(fields)")
                #expect(
                    reply.answer.head["WWW-Authenticate"] == "Bearer realm=\"squall control\"")
                #expect(try run.status("GET", "/nothing", fields: fields) == 401)
            }
            #expect(try run.on { $0.resets } == 0)
            for scheme in ["Bearer", "bearer"] {
                let right = ["Authorization: \(scheme) s3cret-token"]
                #expect(try run.status("GET", "/v1/health", fields: right) == 200)
            }
        }
    }

    @Test("A host that is wrong is told before the token is looked at")
    func hostBeforeToken() throws {
        var options = ControlOptions()
        options.token = "x"
        try withControl(options: options) { run throws in
            #expect(try run.status("GET", "/v1/health", fields: ["Host: evil"]) == 403)
        }
    }

    @Test("No answer is kept or guessed at by whoever gets it")
    func fields() throws {
        try withControl { run throws in
            for target in ["/v1/health", "/nothing", "/v1/objects/a"] {
                let head = try run.ask("GET", target).answer.head
                #expect(head["Cache-Control"] == "no-store")
                #expect(head["X-Content-Type-Options"] == "nosniff")
            }
        }
    }

    @Test(
        "An unknown path is told with the list of routes, a wrong method with those that are right")
    func unknownRoute() throws {
        try withControl { run throws in
            let reply = try run.ask("GET", "/v1/fault")
            #expect(reply.status == 404)
            #expect(reply["error.routes"]?.contains("GET|POST|DELETE /v1/faults") == true)
            let wrong = try run.ask("PATCH", "/v1/objects/a")
            #expect(wrong.status == 405)
            #expect(wrong.answer.head["Allow"] == "GET, HEAD, PUT, DELETE")
            let posted = try run.ask("GET", "/v1/reset")
            #expect(posted.status == 405)
            #expect(posted.answer.head["Allow"] == "POST")
        }
    }

    @Test("HEAD gets the head of GET and no body, and the connection serves the next request")
    func head() throws {
        try withControl { run throws in
            let probe = try run.control()
            try probe.send(run.head("HEAD", "/v1/objects/a"))
            let head = try probe.readHead()
            #expect(head.status == 200)
            #expect(head["Content-Length"] == "10")
            try probe.send(run.head("GET", "/v1/objects/a"))
            #expect(try probe.readAnswer().text == "0123456789")
        }
    }
}

@Suite("What the control API bears", .serialized)
struct BoundsTests {
    private func options(_ change: (inout ControlOptions) -> Void) -> ControlOptions {
        var options = ControlOptions()
        change(&options)
        return options
    }

    @Test("A body that says that it is too large is refused before it comes")
    func declared() throws {
        try withControl(options: options { $0.textSize = 100 }) { run throws in
            let probe = try run.control()
            try probe.send(run.head("POST", "/v1/faults", ["Content-Length: 101"]))
            let reply = ControlReply(try probe.readAnswer())
            #expect(reply.status == 413)
            #expect(reply["error.message"] == "the body is larger than 100 bytes, the limit here")
            #expect(
                try run.status("POST", "/v1/faults", String(repeating: " ", count: 99)) == 400)
        }
    }

    @Test("A body without a length is refused at the byte that is too much")
    func chunked() throws {
        try withControl(options: options { $0.textSize = 100 }) { run throws in
            let probe = try run.control()
            try probe.send(run.head("POST", "/v1/faults", ["Transfer-Encoding: chunked"]))
            try probe.send("64\r\n" + String(repeating: "a", count: 100) + "\r\n")
            #expect(probe.isSilent(for: .milliseconds(50)))
            try probe.send("1\r\na\r\n")
            #expect(try probe.readAnswer().status == 413)
        }
    }

    @Test("An object has a limit of its own")
    func object() throws {
        try withControl(
            options: options {
                $0.objectSize = 1000
                $0.textSize = 10
            }
        ) { run throws in
            #expect(
                try run.status("PUT", "/v1/objects/b", [UInt8](repeating: 1, count: 1000))
                    == 201)
            #expect(
                try run.status("PUT", "/v1/objects/b", [UInt8](repeating: 1, count: 1001))
                    == 413)
        }
    }

    @Test("A head that is too large is refused, and the next one is not")
    func largeHead() throws {
        try withControl { run throws in
            let filler = "X-Filler: " + String(repeating: "x", count: 70_000)
            #expect(try run.status("GET", "/v1/health", fields: [filler]) == 431)
            #expect(try run.status("GET", "/v1/health") == 200)
        }
    }

    @Test("A client that stops in its body is cut off after its time, one that goes on is not")
    func slowBody() throws {
        try withControl(options: options { $0.patience = .milliseconds(200) }) { run throws in
            let stopping = try run.control()
            try stopping.send(run.head("POST", "/v1/faults", ["Content-Length: 100"]) + "list")
            let slow = try run.control()
            let text = "list: respond 503"
            try slow.send(run.head("POST", "/v1/faults", ["Content-Length: \(text.utf8.count)"]))
            for byte in text.utf8 {
                try slow.send([byte])
                // Longer in all than the patience, each part shorter.
                _ = slow.isSilent(for: .milliseconds(30))
            }
            #expect(try slow.readAnswer().status == 201)
            #expect(stopping.readToEnd().ending == .reset)
        }
    }

    @Test("A head that comes byte by byte holds nobody else up")
    func slowHead() throws {
        try withControl { run throws in
            let slow = try run.control()
            let head = run.head("GET", "/v1/health")
            for byte in head.utf8.dropLast() { try slow.send([byte]) }
            #expect(try run.status("GET", "/v1/health") == 200)
            #expect(slow.isSilent(for: .milliseconds(20)))
            try slow.send("\n")
            #expect(try slow.readAnswer().status == 200)
        }
    }

    @Test("Beyond its connections it says so, and goes on when one is free")
    func connections() throws {
        try withControl(options: options { $0.connections = 2 }) { run throws in
            let first = try run.control()
            let second = try run.control()
            try first.send(run.head("GET", "/v1/health"))
            #expect(try first.readAnswer().status == 200)
            try second.send(run.head("GET", "/v1/health"))
            #expect(try second.readAnswer().status == 200)
            let third = try run.control()
            #expect(try third.readAnswer().status == 503)
            third.close()
            first.close()
            let free = WireDeadlineLoop(.seconds(5))
            try free.until { (try? run.status("GET", "/v1/health")) == 200 }
        }
    }

    @Test("The comparison of tokens is right for every length")
    func sameToken() {
        for (given, wanted, isSame) in [
            ("", "a", false), ("a", "a", true), ("ab", "a", false), ("a", "ab", false),
            ("ab", "ac", false), ("abc", "abc", true),
        ] {
            #expect(ControlGuard.isSame(Array(given.utf8), Array(wanted.utf8)) == isSame)
        }
    }
}
