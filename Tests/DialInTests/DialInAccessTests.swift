import ClientDriver
import DialIn
import Foundation
import StorageModel
import TestSupport
import Testing
import WireProbe

@Suite("What a client that dials in may do")
struct DialInAccessTests {
    @Test("A page of any origin may use the port, also from a public network")
    func crossOrigin() throws {
        try withClient { _, client, session in
            let preflight = try client.ask(
                "OPTIONS", "/session/\(session)/reports",
                fields: [
                    "Origin: https://example.com", "Access-Control-Request-Method: POST",
                    "Access-Control-Request-Headers: content-type, x-mine",
                    "Access-Control-Request-Private-Network: true",
                ])
            #expect(preflight.status == 204)
            let head = preflight.answer.head
            #expect(head["Access-Control-Allow-Origin"] == "*")
            #expect(head["Access-Control-Allow-Headers"] == "content-type, x-mine")
            #expect(head["Access-Control-Allow-Methods"]?.contains("PUT") == true)
            #expect(head["Access-Control-Allow-Private-Network"] == "true")
            for reply in [
                try client.commands("nobody", after: 0), try client.ask("POST", "/session"),
                try client.ask("GET", "/session/\(session)/file/etc/passwd"),
            ] {
                #expect(reply.status >= 400)
                #expect(reply.answer.head["Access-Control-Allow-Origin"] == "*")
            }
        }
    }

    @Test(
        "A name that is not this machine's is refused",
        arguments: ["example.com", "example.com:80", "127.0.0.1:1", "localhost"])
    func otherHost(host: String) throws {
        let run = try DialInRun()
        defer { run.finish() }
        let reply1 = try run.client.ask("POST", "/session", host: host)
        #expect(reply1.status == 403)
        let reply2 = try run.client.ask("GET", "/", host: host)
        #expect(reply2.status == 403)
    }

    @Test("An emulator of a phone reaches this machine by a name of its own")
    func emulator() throws {
        let run = try DialInRun()
        defer { run.finish() }
        let host = "10.0.2.2:\(run.port)"
        let reply3 = try run.client.ask("POST", "/session", host: host)
        #expect(reply3.status == 200)
    }

    @Test(
        "What is not there, and what is not done so, is told",
        arguments: [
            ("GET", "/session", 405, "POST"), ("DELETE", "/", 405, "GET, HEAD"),
            ("PUT", "/session/x/commands", 405, "GET, HEAD"),
            ("POST", "/session/x/file/a", 405, "GET, HEAD, PUT"),
            ("GET", "/a/b/c", 404, nil), ("GET", "/session/x", 404, nil),
            ("GET", "/session/x/nothing", 404, nil), ("GET", "/favicon.ico", 404, nil),
        ] as [(String, String, Int, String?)])
    func unknown(method: String, target: String, status: Int, allowed: String?) throws {
        let run = try DialInRun()
        defer { run.finish() }
        let reply = try run.client.ask(method, target)
        #expect(reply.status == status)
        #expect(reply.answer.head["Allow"] == allowed)
    }

    // MARK: Files

    @Test("Bytes that a command names are there, and those that a client hands over arrive")
    func files() throws {
        try withClient { run, client, session in
            _ = run.upload([7, 8, 9])
            let command = try client.commands(session, after: 2).commands.first
            let path = try #require(command?["data"] as? String)
            let base = "/session/\(session)/file"
            let reply4 = try client.ask("GET", base + path)
            #expect(reply4.answer.body == [7, 8, 9])
            let into = run.directory.path(of: "down load")
            let escaped = into.replacingOccurrences(of: " ", with: "%20")
            let reply5 = try client.ask("PUT", base + escaped, "hello")
            #expect(reply5.status == 200)
            #expect(try run.directory.read("down load") == Array("hello".utf8))
        }
    }

    @Test("A file that a command names is there, wherever it is")
    func namedFile() throws {
        try withClient { run, client, session in
            let other = try TemporaryDirectory()
            let path = try other.write("abc", to: "named.bin")
            let target = "/session/\(session)/file\(path)"
            let reply6 = try client.ask("GET", target)
            #expect(reply6.status == 403)
            _ = run.perform(
                ClientCommand(
                    .upload(
                        .init(task: "up", object: .init(path: "a"), source: .file(path: path)))))
            _ = try client.commands(session, after: 2)
            let reply7 = try client.ask("GET", target)
            #expect(reply7.answer.text == "abc")
        }
    }

    @Test(
        "No other file can be read or written",
        arguments: ["/etc/passwd", "/DIR/../x", "/DIR/%2e%2e/x", "/DIR//x", "/DIR", "/DIRECTORY/x"])
    func otherFiles(path: String) throws {
        try withClient { run, client, session in
            let place = path.replacingOccurrences(of: "/DIR", with: run.directory.path)
            let target = "/session/\(session)/file\(place)"
            let reply8 = try client.ask("GET", target)
            #expect(reply8.status == 403)
            let reply9 = try client.ask("PUT", target, "x")
            #expect(reply9.status == 403)
        }
    }

    @Test("A file that is not there is told so, and one that comes half is none")
    func missingFile() throws {
        try withClient { run, client, session in
            let path = run.directory.path(of: "x")
            let target = "/session/\(session)/file\(path)"
            let reply10 = try client.ask("GET", target)
            #expect(reply10.status == 404)
            let probe = try client.send("PUT", target, fields: [])
            _ = try probe.readAnswer()
            let half = try WireProbe(port: run.port)
            try half.send(
                "PUT \(target)y HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n"
                    + "Content-Length: 10\r\n\r\nhalf")
            half.reset()
            // The next request comes behind the end of that one.
            let reply11 = try client.ask("GET", target + "y")
            #expect(reply11.status == 404)
            let reply12 = try client.ask("GET", target)
            #expect(reply12.status == 200)
        }
    }

    @Test("Between two scenarios there are no files")
    func noScenario() throws {
        try withClient { run, client, session in
            let path = try run.directory.write("abc", to: "x")
            let target = "/session/\(session)/file\(path)"
            let reply13 = try client.ask("GET", target)
            #expect(reply13.status == 200)
            let ended = run.end()
            var number = 3
            for after in [2, 3] {
                let id = try client.commands(session, after: after).commands.first?["id"] as? Int
                try client.report(session, first: number, "{\"answer\":\(try #require(id))}")
                number += 1
            }
            try ended.wait(count: 1)
            let reply14 = try client.ask("GET", target)
            #expect(reply14.status == 403)
        }
    }

    // MARK: The page

    @Test("The port leads to its page, which is given with its type and what was asked")
    func page() throws {
        let folder = try TemporaryDirectory()
        try folder.write("<p>hello", to: "index.html")
        try folder.write("export {}", to: "a.mjs")
        try folder.write("secret", to: "a.yaml")
        var options = DialInRun.options
        options.folders = ["mine": folder.path]
        options.page = "mine"
        let run = try DialInRun(options)
        defer { run.finish() }
        let client = run.client
        let root = try client.ask("GET", "/?key=k")
        #expect(root.status == 302)
        #expect(root.answer.head["Location"] == "/mine/?key=k")
        let page = try client.ask("GET", "/mine/?key=k")
        #expect(page.answer.text == "<p>hello")
        #expect(page.answer.head["Content-Type"] == "text/html; charset=utf-8")
        let script = try client.ask("GET", "/mine/a.mjs").answer
        #expect(script.head["Content-Type"] == "text/javascript; charset=utf-8")
        for target in [
            "/mine/a.yaml", "/mine/none.html", "/mine/..", "/other/a.mjs", "/mine/%2e%2e",
        ] {
            let reply15 = try client.ask("GET", target)
            #expect(reply15.status == 404)
        }
    }

    @Test("Without a page the port says what it is for")
    func noPage() throws {
        let run = try DialInRun()
        defer { run.finish() }
        let reply = try run.client.ask("GET", "/")
        #expect(reply.status == 200)
        #expect(reply.answer.text.contains("POST /session"))
    }

    // MARK: The command that opens the client

    private static func opener(_ script: String) -> DialInOptions {
        var options = DialInRun.options
        options.open = ChildCommand(["/bin/sh", "-c", script, "sh", "{url}"])
        return options
    }

    @Test("Only the client that a run opens itself is taken, by the key in its address")
    func key() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path(of: "url")
        let run = try DialInRun(
            Self.opener("echo \"$1\" > \(path).new; mv \(path).new \(path); sleep 60"))
        defer { run.finish() }
        let hello = run.hello()
        let reply16 = try run.client.ask("POST", "/session", #"{"key":"wrong"}"#)
        #expect(reply16.status == 403)
        let refused = try run.client.ask("POST", "/session")
        #expect(refused.status == 403)
        #expect(refused.error.hasPrefix("this run takes only the client that it opens itself"))
        let limit = ContinuousClock.now + .seconds(10)
        while !FileManager.default.fileExists(atPath: path), .now < limit {
            // Each question waits for its answer.
            _ = try run.client.ask("GET", "/")
        }
        let url = String(decoding: try directory.read("url"), as: UTF8.self)
        #expect(url.hasPrefix("http://127.0.0.1:\(run.port)/?key="))
        let key = url.split(separator: "=")[1].trimmingCharacters(in: .whitespacesAndNewlines)
        let session = try run.client.begin("{\"key\":\"\(key)\"}")
        try run.client.sayHello(session)
        #expect(try hello.wait(count: 1)[0].get().name == "dialer")
        #expect(run.announced.values == [])
    }

    @Test(
        "A command that fails before anybody has dialed in is told, with its way to end",
        arguments: [
            ("exit 3", "was opened by a command that exited with code 3"),
            ("kill -9 $$", "was opened by a command that was killed by signal 9"),
        ])
    func openerFails(script: String, sentence: String) throws {
        let run = try DialInRun(Self.opener(script))
        defer { run.finish() }
        #expect(try run.hello().wait(count: 1) == [.failure(.left(sentence, command: nil))])
    }

    @Test("A command that is not there is told to be not there")
    func noOpener() throws {
        var options = DialInRun.options
        options.open = ChildCommand(["/nowhere/browser"])
        let run = try DialInRun(options)
        defer { run.finish() }
        guard case .failure(let told) = try run.hello().wait(count: 1)[0] else {
            Issue.record("it was started")
            return
        }
        #expect(told.description.contains("No such file or directory"))
    }

    @Test("What a run has opened is ended with it, with all that it has started")
    func openerIsEnded() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path(of: "pids")
        let script = "sleep 60 & echo $! $$ > \(path).new; mv \(path).new \(path); wait"
        let run = try DialInRun(Self.opener(script))
        defer { run.finish() }
        _ = run.hello()
        let limit = ContinuousClock.now + .seconds(10)
        while !FileManager.default.fileExists(atPath: path), .now < limit {
            _ = try run.client.ask("GET", "/")
        }
        let text = String(decoding: try directory.read("pids"), as: UTF8.self)
        let pids = text.split { $0 == " " || $0 == "\n" }.compactMap { Int32($0) }
        #expect(pids.count == 2)
        try run.stop().wait(count: 1)
        // A killed process needs a moment to be gone; nothing tells when it is.
        for pid in pids { while kill(pid, 0) == 0, !isZombie(pid), .now < limit {} }
        for pid in pids { #expect(kill(pid, 0) != 0 || isZombie(pid)) }
    }

    private func isZombie(_ pid: Int32) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return text?.split(separator: " ").dropFirst(2).first == "Z"
    }
}
