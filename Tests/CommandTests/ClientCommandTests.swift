import Foundation
import Testing

@Suite("squall client", .serialized, .timeLimit(.minutes(5)))
struct ClientCommandTests {
    private static let squall = Command.products.appending(path: "squall")
    private static let adapter = "Conformance/adapters/python-minimal/client.py"

    /// A folder with the adapter to copy, and a suite of its own with three smoke scenarios.
    private static func folder() throws -> Scratch {
        let scratch = try Scratch()
        let text = try String(
            contentsOf: Command.root.appending(path: adapter), encoding: .utf8)
        try scratch.file("my clients/mine.py", text)
        try scratch.file("scenarios/VERSION", "1.0\n")
        for (name, end) in [("good", "progress*, success"), ("bad", "failure(unknown)")] {
            try scratch.file(
                "scenarios/download/\(name).yaml",
                """
                title: A download ends as it must
                source: [D10]
                smoke: true
                backend: {objects: {a.bin: {size: 1KiB, seed: 1}}}
                steps: [{download: a.bin, as: down, to: file}]
                expect: {down: {events: [resume, \(end)]}}
                """)
        }
        try scratch.file(
            "scenarios/download/long.yaml",
            """
            title: A scenario that is not in the smoke set is not run
            source: [D10]
            steps: [{download: a.bin, as: down, to: file}]
            expect: {down: {events: [resume]}}
            """)
        return scratch
    }

    private static func initialise(_ scratch: Scratch, _ words: String...) throws
        -> Command.Outcome
    {
        try Command.run(squall, ["client", "init"] + words, in: scratch.url)
    }

    @Test("A client file is made that pins what the client offers and lists nothing by itself")
    func makesAFile() throws {
        let scratch = try Self.folder()
        let outcome = try Self.initialise(
            scratch, "-o", "my clients/client.yaml", "--", "python3", "my clients/mine.py")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("2 planned: 1 passed, 1 failed"), "\(outcome.all)")
        #expect(outcome.output.contains("FAILED download/bad: "), "\(outcome.all)")
        #expect(outcome.output.contains("squall run --client 'my clients/client.yaml'"))
        let file = try scratch.text("my clients/client.yaml")
        for line in [
            "name: python-minimal", "command: [python3, mine.py]", "profile: documented",
            "suite: 1.0", "  - chunk-size", "  - upload.file", "# known-failing:",
            "#   - scenario: download/bad", "#     reason: \"\"", "#     link: \"\"",
        ] {
            #expect(file.components(separatedBy: "\n").contains(line), "\(line)\n\(file)")
        }
        let words = ["run", "--client", "my clients/client.yaml", "--smoke"]
        let run = try Command.run(Self.squall, words, in: scratch.url)
        #expect(run.status == 1, "\(run.all)")
        #expect(run.output.contains("2 planned: 1 passed, 1 failed"), "\(run.all)")
        #expect(!run.all.contains("note:"), "\(run.all)")
        // An entry that is taken over as it is says nothing, and the file is refused.
        let active = file.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("# known-") || line.hasPrefix("#   ") ? line.dropFirst(2) : line
        }
        try scratch.file("my clients/client.yaml", active.joined(separator: "\n"))
        let blank = try Command.run(Self.squall, words, in: scratch.url)
        #expect(blank.status == 3, "\(blank.all)")
        #expect(blank.errors.contains("'reason' is empty: say what is known"), "\(blank.all)")
    }

    @Test("A file that is there is never written over without --force, and nothing is run")
    func keepsAFile() throws {
        let scratch = try Self.folder()
        try scratch.file("client.yaml", "mine\n")
        let words = ["--", "python3", "my clients/mine.py"]
        let refused = try Command.run(Self.squall, ["client", "init"] + words, in: scratch.url)
        #expect(refused.status == 2, "\(refused.all)")
        #expect(refused.errors.contains("client.yaml is there already: --force"))
        #expect(!refused.output.contains("planned"))
        #expect(try scratch.text("client.yaml") == "mine\n")
        let forced = try Command.run(
            Self.squall, ["client", "init", "--force"] + words, in: scratch.url)
        #expect(forced.status == 0, "\(forced.all)")
        #expect(try scratch.text("client.yaml").contains("[python3, my clients/mine.py]"))
    }

    @Test(
        "What cannot be made is told, and no file is written",
        arguments: [
            ([], 2, "'client init' needs the client's command"),
            (["-o", "nowhere/c.yaml", "--", "true"], 2, "there is no folder 'nowhere'"),
            (["--", "squall-no-such-client"], 2, "no folder of PATH has a program"),
            (["--", "./nobody"], 2, "'./nobody' is not there"),
            (["--", "true"], 1, "the client exited with code 0"),
            (["--", "sh", "-c", "echo garbage"], 1, "garbage"),
            (
                ["--profile", "aple", "--", "python3", "my clients/mine.py"], 2,
                "did you mean 'apple'"
            ),
        ])
    func refusals(words: [String], status: Int32, message: String) throws {
        let scratch = try Self.folder()
        let outcome = try Command.run(Self.squall, ["client", "init"] + words, in: scratch.url)
        #expect(outcome.status == status, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(!names.contains("client.yaml"))
    }

    @Test("A valid file is told with what it says, and its client is not started")
    func checksAFile() throws {
        let scratch = try Scratch()
        try scratch.file(
            "client.yaml",
            """
            name: mine
            command: [touch, started]
            profile: apple
            suite: 1.0
            capabilities: [pause, list]
            """)
        let outcome = try Command.run(
            Self.squall, ["client", "check", "client.yaml"], in: scratch.url)
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.output
                == "client.yaml: valid: mine, stdio, profile apple, suite 1.0, 2 capabilities "
                + "pinned, 0 known failing, 0 known flaky\n", "\(outcome.all)")
        #expect(outcome.errors.isEmpty)
        #expect(
            !FileManager.default.fileExists(atPath: scratch.url.appending(path: "started").path))
    }

    @Test(
        "A file is checked with all that it names",
        arguments: [
            ("time-scale: 99", 3, "client.yaml:3:13: error: '99' is no factor"),
            ("suite: 9.0", 3, "client.yaml:3:8: error: the client is pinned to suite 9.0"),
            ("profile: aple", 3, "client.yaml:3:10: error: unknown profile 'aple'"),
            ("profile: ./none.yaml", 3, "none.yaml"),
            ("", 0, "client.yaml: warning: it pins no capabilities"),
            (
                "known-failing: [{scenario: cancel/nobody, reason: r, link: \"https://a.example/1\"}]",
                6, "'cancel/nobody' fits no scenario of the suite"
            ),
        ])
    func findsMistakes(line: String, status: Int32, message: String) throws {
        let scratch = try Scratch()
        try scratch.file("client.yaml", "name: mine\ncommand: [sh]\n\(line)\n")
        let outcome = try Command.run(
            Self.squall, ["client", "check", "client.yaml"], in: scratch.url)
        #expect(outcome.status == status, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
    }

    @Test(
        "A wrong command line is told with what there is",
        arguments: [
            (["client"], "there are 'client init' and 'client check'"),
            (["client", "chekc"], "unknown command 'client chekc'; did you mean 'client check'?"),
            (["client", "check"], "'client check' needs the path of a client file"),
            (["client", "init", "x", "--", "y"], "'client init' takes no 'x'"),
            (
                ["run", "--client", "c.yaml", "--", "node", "a b.js"],
                "the command belongs into the client file, as 'command: node 'a b.js''"
            ),
            (["run", "--client"], "--client needs FILE"),
            (["run", "--suite", "one"], "--suite takes a version, as 1.0, not 'one'"),
        ])
    func usage(words: [String], message: String) throws {
        let outcome = try Command.run(Self.squall, words)
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
    }

    @Test("Both commands have a help with an example", arguments: ["init", "check"])
    func help(name: String) throws {
        for words in [["client", name, "--help"], ["help", "client", name]] {
            let outcome = try Command.run(Self.squall, words)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("usage: squall client \(name)"))
            #expect(outcome.output.contains("examples:\n  squall client \(name)"))
        }
        let both = try Command.squall("client", "--help")
        #expect(both.output.contains("usage: squall client \(name)"))
    }
}

@Suite("The smoke set", .timeLimit(.minutes(5)))
struct SmokeSetTests {
    private static func ids(_ words: String...) throws -> [String] {
        let outcome = try Command.run(
            Command.products.appending(path: "squall"), ["list"] + words)
        #expect(outcome.status == 0, "\(outcome.all)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("It has a row of every topic, and is small")
    func topics() throws {
        let smoke = try Self.ids("--smoke")
        let topic = { (id: String) in String(id.prefix { $0 != "/" }) }
        #expect((25...45).contains(smoke.count), "\(smoke.count)")
        #expect(Set(smoke.map(topic)) == Set(try Self.ids().map(topic)))
    }

    @Test("The reference client passes it over a pipe within a minute, as the run has told")
    func minute() throws {
        let client = Command.products.appending(path: "squall-reference-client").path
        let outcome = try Command.squall("run", "--smoke", "--jobs", "2", "--", client)
        #expect(outcome.status == 0, "\(outcome.all)")
        let told = outcome.output.firstMatch(of: /about (\d+) s expected/).flatMap { Int($0.1) }
        let took = outcome.output.firstMatch(of: /failed \((\d+)\.\d+ s\)/).flatMap { Int($0.1) }
        #expect((1...60).contains(told ?? 0), "\(outcome.output)")
        #expect((1...60).contains(took ?? 0), "\(outcome.output)")
    }
}
