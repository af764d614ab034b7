import Foundation
import Testing
import WireProbe

@Suite("squall serve --tls")
struct ServeTLSTests {
    private static let target = "/v0/b/app.appspot.com/o/images%2Fbig?alt=media"

    /// A server with an object of 300,000 bytes, and faults.
    private func serve(_ faults: String...) throws -> Served {
        try Served(
            ["--tls", "--data", "big=images/big"] + faults.flatMap { ["--fault", $0] },
            files: ["big": Data(repeating: 7, count: 300_000)])
    }

    /// What curl makes of a download; its exit code and the bytes that it got.
    private func curl(
        _ served: Served, _ arguments: String..., host: String = "127.0.0.1"
    ) throws -> (code: Int32, bytes: Int) {
        let path = served.scratch.url.appending(path: "copy")
        try? FileManager.default.removeItem(at: path)
        let outcome = try Command.run(
            URL(filePath: "/usr/bin/curl"),
            ["-s", "-o", path.path, "--cacert", try served.authority] + arguments
                + ["https://\(host):\(served.port)\(Self.target)"])
        return (outcome.status, (try? Data(contentsOf: path).count) ?? 0)
    }

    @Test(
        "A client that trusts the authority gets the object", arguments: ["127.0.0.1", "localhost"])
    func download(host: String) throws {
        let served = try serve()
        for version in ["--tlsv1.3", "--tls-max"] {
            let limit = version == "--tls-max" ? ["--tls-max", "1.2"] : [version]
            let path = served.scratch.url.appending(path: "copy")
            let outcome = try Command.run(
                URL(filePath: "/usr/bin/curl"),
                ["-s", "-o", path.path, "--cacert", try served.authority] + limit
                    + ["https://\(host):\(served.port)\(Self.target)"])
            #expect(outcome.status == 0)
            #expect(try Data(contentsOf: path) == Data(repeating: 7, count: 300_000))
        }
        #expect(try served.end().status == 0)
    }

    /// Exit codes: 18 short body, 28 too slow, 35 no handshake, 56 broken while receiving, 60 bad
    /// certificate.
    static let faults: [(fault: String, arguments: [String], code: Int32, bytes: Int)] = [
        ("connect#1: tls expired", [], 60, 0),
        ("connect#1: tls wrong-name", [], 60, 0),
        ("connect#1: tls untrusted", [], 60, 0),
        ("connect#1: tls fail-handshake", [], 35, 0),
        ("connect#1: tls slow-handshake", ["--max-time", "0.5"], 28, 0),
        ("connect#1: tls {slow-handshake: 200ms}", [], 0, 300_000),
        ("connect#1: disconnect close", [], 35, 0),
        ("connect#1: silence", ["--max-time", "0.5"], 28, 0),
        ("download @ response-body 100000: disconnect reset", [], 56, 100_000),
        ("download @ response-body 100000: disconnect close", [], 18, 100_000),
        ("download @ response-body 0: disconnect reset", [], 56, 0),
        ("download @ response-body 299999: disconnect reset", [], 56, 299_999),
        ("download @ response-body 100000: stall forever", ["--max-time", "0.5"], 28, 100_000),
        ("download: respond 503", ["--fail"], 22, 0),
        ("download: raw {text: \"HTTP/1.1 200 OK\\r\\n\\r\\nabc\"}, disconnect close", [], 0, 3),
    ]

    @Test("curl sees each fault for what it is", arguments: faults)
    func seen(fault: (fault: String, arguments: [String], code: Int32, bytes: Int)) throws {
        let served = try serve(fault.fault)
        let path = served.scratch.url.appending(path: "copy")
        let outcome = try Command.run(
            URL(filePath: "/usr/bin/curl"),
            ["-s", "-o", path.path, "--cacert", try served.authority] + fault.arguments
                + ["https://127.0.0.1:\(served.port)\(Self.target)"])
        #expect(outcome.status == fault.code)
        #expect(((try? Data(contentsOf: path).count) ?? 0) == fault.bytes)
        #expect(try served.end().output.contains("\n    1  "))
    }

    /// curl shuts its eyes to the difference: only the wire shows it.
    @Test("A close has no close_notify where a fault says so", arguments: [true, false])
    func noCloseNotify(isFaulty: Bool) throws {
        let served = try serve(
            isFaulty ? "connect: tls no-close-notify" : "connect: tls {slow-handshake: 1ms}",
            "download @ response-body 1000: disconnect close")
        let client = try TLSProbe(
            port: served.port, authority: Array(Data(contentsOf: URL(filePath: served.authority))))
        try client.ask(Self.target)
        let seen = client.readToEnd()
        #expect(seen.bytes.suffix(1001) == [10] + [UInt8](repeating: 7, count: 1000))
        #expect(seen.ending == (isFaulty ? .truncated : .closed))
    }

    @Test("A fault of a handshake strikes its connection and no other, as often as it may")
    func ordinals() throws {
        let served = try serve("connect#2..3: tls expired", "connect#4: tls untrusted")
        let codes = try (1...5).map { _ in try curl(served).code }
        #expect(codes == [0, 60, 60, 60, 0])
        let once = try Served(
            ["--tls", "--scenario", "once.yaml", "--data", "big=images/big"],
            files: [
                "big": Data(repeating: 7, count: 300_000),
                "once.yaml": Data(
                    """
                    title: The first connection meets a certificate that has expired
                    level: may
                    source: [D1]
                    faults: [{match: connect, times: 2, do: {tls: expired}}]
                    steps: [{download: images/big, as: down, to: memory, maxSize: 1MiB}]

                    """.utf8),
            ])
        #expect(try (1...3).map { _ in try curl(once).code } == [60, 60, 0])
    }

    @Test("The console says what the client made of the certificate")
    func console() throws {
        let served = try serve(
            "connect#1: tls expired", "connect#2: tls wrong-name", "connect#3: tls untrusted")
        for _ in 1...2 { _ = try curl(served) }
        _ = try curl(served, "--insecure")
        try served.probe().ask("/")
        let probe = try served.probe()
        try probe.ask("/")
        #expect(try probe.readAnswer().status == 400)
        let output = try served.end().output
        #expect(
            output.contains("TLS: the client refused the certificate: alert 45"), "\(output)")
        #expect(output.contains("TLS: the client left after the handshake, without a request"))
        #expect(
            output.contains("TLS: the client took the certificate, which has an unknown signer"))
        #expect(output.contains("TLS: the client speaks plain HTTP; it was told to use https"))
    }

    @Test("The authority's file lies where only its user can enter, and is gone at the end")
    func file() throws {
        let served = try serve()
        let manager = FileManager.default
        let folder = URL(filePath: try served.authority).deletingLastPathComponent().path
        let rights = try manager.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(rights == 0o700)
        #expect(try manager.contentsOfDirectory(atPath: folder) == ["ca.pem"])
        let text = try String(contentsOfFile: try served.authority, encoding: .utf8)
        #expect(text.contains("BEGIN CERTIFICATE") && !text.contains("KEY"))
        #expect(try served.end().status == 0)
        #expect(!manager.fileExists(atPath: folder))
    }

    @Test("Python's own client uploads and downloads, and meets the faults as they are")
    func python() throws {
        let served = try serve("download#1 @ response-body 1000: disconnect reset")
        try served.scratch.file("client.py", Self.script)
        let outcome = try Command.run(
            URL(filePath: "/usr/bin/env"),
            ["python3", "client.py", "\(served.port)", try served.authority], in: served.scratch.url
        )
        #expect(outcome.output == "stored 600000\ncut after 1000\nthe same\n", "\(outcome.all)")
        #expect(outcome.status == 0)
        #expect(try served.end().status == 0)
    }

    private static let script = """
        import http.client, json, ssl, sys
        from urllib.parse import urlsplit

        port, authority = int(sys.argv[1]), sys.argv[2]
        context = ssl.create_default_context(cafile=authority)
        objects = "/v0/b/app.appspot.com/o"
        content = bytes(i * 7 % 251 for i in range(600000))

        def ask(connection, method, target, body=None, headers={}):
            connection.request(method, target, body, headers)
            return connection.getresponse()

        connection = http.client.HTTPSConnection("localhost", port, context=context)
        answer = ask(connection, "POST", objects + "?name=up.bin", b"", {
            "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"})
        answer.read()
        url = answer.headers["X-Goog-Upload-URL"]
        assert url.startswith("https://localhost:%d/" % port), url
        target = urlsplit(url).path + "?" + urlsplit(url).query
        answer = ask(connection, "POST", target, content[:262144], {
            "X-Goog-Upload-Command": "upload", "X-Goog-Upload-Offset": "0"})
        answer.read()
        answer = ask(connection, "POST", target, content[262144:], {
            "X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "262144"})
        print("stored", json.loads(answer.read())["size"])
        answer = ask(connection, "GET", objects + "/up.bin?alt=media")
        try:
            answer.read()
        except http.client.IncompleteRead as error:  # Its ssl takes an RST for an end.
            print("cut after", len(error.partial))
        connection.close()
        answer = ask(connection, "GET", objects + "/up.bin?alt=media")
        if answer.read() == content:
            print("the same")

        """

    @Test("An answer before the handshake is refused, because nobody could read it")
    func answerBelowTLS() throws {
        let refused = try Command.squall("serve", "--tls", "--fault", "connect#1: respond 503")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("'respond' of a connection comes before the TLS handshake"))
    }

    @Test("Without --tls its faults are refused with their place")
    func refusals() throws {
        let short = try Command.squall("serve", "--fault", "connect#1: tls expired")
        #expect(short.status == 2)
        #expect(
            short.errors.contains("\"connect#1: tls expired\"") && short.errors.contains("--tls"))
        let scratch = try Scratch()
        let file = try scratch.file(
            "tls.yaml",
            """
            title: The certificate has expired
            level: may
            source: [D1]
            faults:
              - "connect#1: tls expired"
            steps: [{get-metadata: a, as: meta}]

            """)
        let served = try Command.squall("serve", "--scenario", file.path)
        #expect(served.status == 3)
        #expect(served.errors.contains("tls.yaml:5:"))
        #expect(served.errors.contains("'tls' wants a server that speaks it: add --tls"))
        #expect(try Command.squall("check", file.path).status == 0)
        let run = try Command.squall("run", file.path)
        #expect(run.output.contains("its faults of TLS are those of 'squall serve --tls'"))
        #expect(run.status == 4)
    }
}
