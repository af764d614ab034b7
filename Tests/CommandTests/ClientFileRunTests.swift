import Foundation
import Testing

/// A folder with a client file beside the adapter to copy, which may be made to say something else.
private struct ClientFolder {
    static let capabilities = [
        "cancel", "chunk-size", "download.file", "download.memory", "limits", "no-resend",
        "pause", "resume", "upload.data", "upload.file",
    ]

    let scratch: Scratch

    /// - Parameters:
    ///   - pinned: the value of `capabilities`; nil: the key is left out.
    ///   - more: further lines of the file.
    ///   - deed: Python that may change `source`, the adapter's text, before it is run.
    init(
        name: String = "python-minimal", pinned: [String]? = capabilities, more: String = "",
        deed: String = "pass"
    ) throws {
        scratch = try Scratch()
        let adapter = Command.root.appending(path: "Conformance/adapters/python-minimal/client.py")
        try scratch.file(
            "clients/adapter.py",
            """
            import os, sys
            source = open("\(adapter.path)").read()
            \(deed)
            exec(compile(source, "client.py", "exec"))
            """)
        let list = pinned.map { "capabilities: [\($0.joined(separator: ", "))]\n" } ?? ""
        try scratch.file(
            "clients/client.yaml",
            "name: \(name)\ncommand: [python3, adapter.py]\n\(list)\(more)\n")
    }

    /// Runs the program somewhere else than in the folder of the client file.
    func run(
        _ arguments: String..., scenarios: [String] = ["download/into-a-file"]
    ) throws -> Command.Outcome {
        let suite = Command.root.appending(path: "scenarios").path
        return try Command.run(
            Command.products.appending(path: "squall"),
            ["run", "--client", "clients/client.yaml", suite]
                + scenarios.flatMap { ["--filter", $0] } + arguments, in: scratch.url)
    }
}

@Suite("A run of a client file", .serialized, .timeLimit(.minutes(5)))
struct ClientFileRunTests {
    @Test("The client is started in the folder of its file, and the summary names both")
    func folder() throws {
        let outcome = try ClientFolder().run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("1 planned: 1 passed"), "\(outcome.all)")
        #expect(
            outcome.output.contains("python-minimal 1.1 (clients/client.yaml)"), "\(outcome.all)")
        #expect(!outcome.all.contains("note:"), "\(outcome.all)")
        #expect(
            outcome.output.contains("1 of 1 scenarios run, 1 at once, times x 0.1: about"),
            "\(outcome.all)")
    }

    @Test("Its environment is added to ours")
    func environment() throws {
        let deed = """
            assert os.environ["GREETING"] == "hello there" and os.environ["HOME"]
            """
        let folder = try ClientFolder(more: "environment: {GREETING: hello there}", deed: deed)
        #expect(try folder.run().status == 0)
        #expect(try ClientFolder(deed: deed).run().status == 1)
    }

    @Test("One that offers less than is pinned is red before its first scenario, each named")
    func fewer() throws {
        let pinned = ClientFolder.capabilities + ["url", "list"]
        let folder = try ClientFolder(
            pinned: pinned, deed: "source = source.replace('\"limits\", ', '')")
        let outcome = try folder.run("--report", "console", "--report", "json=report.json")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "clients/client.yaml:3:15: missing capability: the client does not offer limits, "
                    + "list, url, which its file pins"), "\(outcome.all)")
        #expect(outcome.output.contains("1 planned: 0 passed, 0 failed, 1 not run"))
        let report = try folder.scratch.text("report.json")
        #expect(report.contains("\"missing-capability\""))
    }

    @Test("One that is silent when it is asked first, and offers less later, is red all the same")
    func fewerLater() throws {
        let deed = """
            if not os.path.exists("started"):
                open("started", "w").close()
                sys.exit(1)
            source = source.replace('"pause", ', '')
            """
        let outcome = try ClientFolder(deed: deed).run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("1 planned: 1 passed"), "\(outcome.all)")
        #expect(outcome.output.contains("does not offer pause,"), "\(outcome.all)")
    }

    @Test(
        "One that cannot in the midst of a scenario what it offers has failed it",
        arguments: ["download", "configure"])
    func unsupported(verb: String) throws {
        let deed = """
            source = source.replace(
                'if verb == "hello":',
                'if verb == "\(verb)": answer["unsupported"] = "not today"\\n'
                '        elif verb == "hello":')
            """
        let outcome = try ClientFolder(deed: deed).run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("1 planned: 0 passed, 1 failed"), "\(outcome.all)")
        #expect(
            outcome.output.contains("with 'unsupported' (not today), although its hello"),
            "\(outcome.all)")
    }

    @Test("One that offers more is green, and told the line that pins it")
    func more() throws {
        let folder = try ClientFolder(
            pinned: ClientFolder.capabilities.filter { $0 != "pause" && $0 != "cancel" })
        let outcome = try folder.run()
        #expect(outcome.status == 0, "\(outcome.all)")
        let line = "`capabilities: [\(ClientFolder.capabilities.joined(separator: ", "))]`"
        #expect(outcome.errors.contains("offers cancel, pause as well"), "\(outcome.all)")
        #expect(outcome.errors.contains(line), "\(outcome.all)")
        // Said once more where the run is summed up.
        #expect(outcome.output.contains(line), "\(outcome.all)")
    }

    @Test("One without pinned capabilities is told the line to add")
    func unpinned() throws {
        let outcome = try ClientFolder(pinned: nil).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        let line = "`capabilities: [\(ClientFolder.capabilities.joined(separator: ", "))]`"
        #expect(outcome.errors.contains("pins no capabilities"))
        #expect(outcome.errors.contains(line), "\(outcome.all)")
    }

    @Test("One with another name is told loudly, and goes by the name of its file")
    func otherName() throws {
        let outcome = try ClientFolder(name: "somebody").run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.errors.contains("calls itself 'python-minimal'"), "\(outcome.all)")
        #expect(outcome.output.contains("somebody 1.1 (clients/client.yaml)"))
    }

    @Test("A word in its hello that is no capability is an error that names it")
    func unknownWord() throws {
        let deed = "source = source.replace('\"pause\"', '\"puase\"')"
        let outcome = try ClientFolder(deed: deed).run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("'puase', which is no capability"), "\(outcome.all)")
    }

    @Test("A process that says something else than the one before costs its scenario alone")
    func changed() throws {
        // Each process serves one scenario: its input ends for it after `end` and the `sync` behind.
        // The first one is only asked who it is; the third offers less.
        let deed = """
            starts = len(open("starts").read()) if os.path.exists("starts") else 0
            open("starts", "a").write("x")
            if starts == 2:
                source = source.replace('"chunk-size", ', '')
            class Lines:
                def __iter__(self):
                    last = False
                    for line in lines:
                        yield line
                        if last:
                            return
                        last = '"do":"end"' in line
            lines = sys.stdin
            sys.stdin = Lines()
            """
        let folder = try ClientFolder(deed: deed)
        let outcome = try folder.run(
            "--jobs", "1", "--report", "console", "--report", "json=report.json",
            scenarios: ["download/into-a-file", "download/into-memory", "download/empty-object"])
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("it no longer offers chunk-size"), "\(outcome.all)")
        #expect(outcome.output.contains("3 planned: 2 passed, 1 failed"), "\(outcome.all)")
    }

    @Test("A client that is never heard fails, and the rest of the run says why it was not run")
    func silent() throws {
        let folder = try ClientFolder(deed: "sys.exit(3)")
        let outcome = try folder.run(
            "--jobs", "1", scenarios: ["download/into-a-file", "download/into-memory"])
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("2 planned: 0 passed, 1 failed, 1 not run"))
        #expect(outcome.output.contains("exited with code 3"), "\(outcome.all)")
        #expect(outcome.output.contains("1 not run: the client never said hello"))
    }

    @Test("Its deadline ends a scenario that hangs, in wall time as written")
    func deadline() throws {
        let deed = """
            import time
            source = source.replace('def run(self):', 'def run(self):\\n        time.sleep(3600)')
            """
        let folder = try ClientFolder(more: "deadline: 900ms", deed: deed)
        let start = ContinuousClock.now
        let outcome = try folder.run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("after 900ms"), "\(outcome.all)")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("The factor and the profile of the command line count more than the file's")
    func commandLineWins() throws {
        let folder = try ClientFolder(more: "time-scale: 0.5\nprofile: apple")
        let file = try folder.run()
        #expect(file.output.contains("profile apple with"), "\(file.all)")
        #expect(file.output.contains("wall time x 0.5"), "\(file.all)")
        let line = try folder.run("--time-scale", "0.2", "--profile", "documented")
        #expect(line.output.contains("profile documented, wall time x 0.2"), "\(line.all)")
    }

    @Test("The command that repeats a failure names the client file, and repeats it")
    func repeating() throws {
        let folder = try ClientFolder()
        let outcome = try folder.run(
            "--seed", "7", scenarios: ["boundary/odd-chunk-size"])
        #expect(outcome.status == 1, "\(outcome.all)")
        let line = outcome.output.split(separator: "\n").first { $0.contains("repeat: ") }
        let command = String((line ?? "").trimmingPrefix(#/ *repeat: /#))
        #expect(command.contains(" --client clients/client.yaml"), "\(outcome.all)")
        #expect(command.contains(" --seed 7"), "\(outcome.all)")
        let program = Command.products.appending(path: "squall").path
        let again = try Command.run(
            URL(filePath: "/bin/sh"), ["-c", command.replacing(/^squall/, with: "'\(program)'")],
            in: folder.scratch.url)
        #expect(again.status == 1)
        #expect(again.output.contains("1 planned: 0 passed, 1 failed"), "\(again.all)")
    }

    @Test("What came after the pinned suite is pending and never red; --suite leaves it out")
    func pending() throws {
        let folder = try ClientFolder(more: "suite: 1.0")
        let scenario = """
            title: A download of something that is there fails
            source: [D10]
            since: 1.1
            backend: {objects: {a.bin: {size: 1KiB, seed: 1}}}
            steps: [{download: a.bin, as: down, to: file}]
            expect: {down: {events: [resume, failure(unknown)]}}
            """
        try folder.scratch.file("new/later.yaml", scenario)
        try folder.scratch.file(
            "new/first.yaml",
            scenario.replacing("since: 1.1\n", with: "").replacing(
                "failure(unknown)", with: "progress*, success"))
        let squall = Command.products.appending(path: "squall")
        let words = ["run", "--client", "clients/client.yaml", "new"]
        let outcome = try Command.run(squall, words, in: folder.scratch.url)
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("2 planned: 1 passed, 0 failed, 1 pending"))
        #expect(outcome.output.contains("PENDING later"), "\(outcome.all)")
        #expect(outcome.output.contains("pinned to 1.0: failed"), "\(outcome.all)")
        let older = try Command.run(squall, words + ["--suite", "1.0"], in: folder.scratch.url)
        #expect(older.output.contains("1 planned: 1 passed, 0 failed"), "\(older.all)")
    }

    @Test(
        "A client file that cannot be used is told with its place, and nothing is run",
        arguments: [
            ("comand: x", "clients/client.yaml:4:1: error: unknown key 'comand'"),
            ("suite: 7.0", "4:8: error: the client is pinned to suite 7.0, and this is 1.1"),
            ("profile: aple", "4:10: error: unknown profile 'aple'"),
            ("deadline: 5", "4:11: error: '5' has no unit"),
        ])
    func wrong(line: String, message: String) throws {
        let outcome = try ClientFolder(more: line).run()
        #expect(outcome.status != 0 && outcome.status != 1, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
        #expect(!outcome.all.contains("planned"), "\(outcome.all)")
    }

    @Test("A program that is not there is told at its place, and what was perhaps meant")
    func noProgram() throws {
        let scratch = try Scratch()
        try scratch.file("client.yaml", "name: x\ncommand: mine --fast\n")
        let program = try scratch.file("mine", "#!/bin/sh\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: program.path)
        let squall = Command.products.appending(path: "squall")
        let words = ["run", "--client", "client.yaml"]
        let outcome = try Command.run(squall, words, in: scratch.url)
        #expect(outcome.status == 3, "\(outcome.all)")
        #expect(
            outcome.errors.contains(
                "client.yaml:2:10: error: no folder of PATH has a program 'mine'"),
            "\(outcome.all)")
        #expect(outcome.errors.contains("did you mean './mine'?"), "\(outcome.all)")
        try scratch.file("client.yaml", "name: x\ncommand: ./yours\n")
        let other = try Command.run(squall, words, in: scratch.url)
        #expect(other.status == 3)
        #expect(other.errors.contains("'./yours' is not there"), "\(other.all)")
    }
}
