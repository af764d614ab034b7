import Foundation
import Testing

/// Runs of client files with lists, and `squall baseline update`, by the built program.
@Suite("Lists of a client file", .timeLimit(.minutes(5)))
struct KnownListsCommandTests {
    private static let client = Command.products.appending(path: "squall-reference-client").path

    /// A suite of its own: `up/good` is passed by the reference client, the rows of `up/bad` fail.
    private static func suite(lists: String) throws -> Scratch {
        let scratch = try Scratch()
        try scratch.file("s/VERSION", "1.0\n")
        try scratch.file("s/up/good.yaml", scenario("text/plain"))
        try scratch.file(
            "s/up/bad.yaml",
            scenario("image/png") + "matrix: {size: [1, 2]}\n")
        try scratch.file(
            "client.yaml", "# Mine\nname: mine\ncommand: ['\(client)']\n\(lists)")
        return scratch
    }

    private static func scenario(_ type: String) -> String {
        """
        title: An upload has a type
        source: [D20]
        settle: 10ms
        steps:
          - {upload: a.bin, as: up, data: {size: 10, seed: 1}, metadata: {contentType: text/plain}}
        expect:
          up: {events: [resume, progress*, success], metadata: {contentType: \(type)}}

        """
    }

    private static func entry(_ scenario: String, _ more: String = "") -> String {
        "  - {scenario: \"\(scenario)\", reason: it is so, link: K.md#k\(more)}\n"
    }

    private static func run(_ scratch: Scratch, _ arguments: String...) throws -> Command.Outcome {
        try Command.run(
            Command.products.appending(path: "squall"),
            ["run", "--client", "client.yaml", "--jobs", "1"] + arguments, in: scratch.url)
    }

    private static func update(_ scratch: Scratch, _ arguments: [String]) throws -> Command.Outcome
    {
        try Command.run(
            Command.products.appending(path: "squall"),
            ["baseline", "update", "--client", "client.yaml"] + arguments, in: scratch.url)
    }

    private static func day(in days: Int) -> String {
        Date(timeIntervalSinceNow: Double(days) * 86_400)
            .formatted(.iso8601.year().month().day())
    }

    // MARK: Runs

    @Test("What is listed and fails makes no run red, and is shown with its reason")
    func green() throws {
        let scratch = try Self.suite(
            lists: "known-failing:\n" + Self.entry("up/bad[*]", ", count: 2"))
        let outcome = try Self.run(scratch, "s")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "2 known to fail, as the client's list says (2 must):\n"
                    + "  up/bad[*]: it is so (K.md#k; client.yaml:5:5)\n    up/bad[size=1]: "))
        #expect(outcome.output.contains("3 planned: 1 passed, 0 failed, 2 expected failure"))
    }

    @Test("What is listed and passes is red, and its line is told")
    func unexpectedPass() throws {
        let scratch = try Self.suite(
            lists: "known-failing:\n" + Self.entry("up/bad[*]", ", count: 2")
                + Self.entry("up/good"))
        let outcome = try Self.run(scratch, "s")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("UNEXPECTED PASS up/good\n"))
        #expect(outcome.output.contains("delete its entry of known-failing: client.yaml:6:5"))
    }

    @Test("A part of the suite makes no entry unmatched that the whole suite has")
    func parts() throws {
        let scratch = try Self.suite(
            lists: "known-failing:\n" + Self.entry("up/bad[*]", ", count: 2"))
        for part in [
            ["s/up/good.yaml"], ["s", "--filter", "up/good"], ["s/up", "--filter", "good"],
        ] {
            let outcome = try Command.run(
                Command.products.appending(path: "squall"),
                ["run", "--client", "client.yaml"] + part, in: scratch.url)
            #expect(outcome.status == 0, "\(outcome.all)")
        }
        // Ids are those of the suite, however the command line reached the file.
        let outcome = try Self.run(scratch, "s/up")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("2 expected failure"))
    }

    @Test(
        "A wrong entry is told with its place, and the run ends with 6",
        arguments: [
            ("up/nothing", "", "'up/nothing' fits no scenario of the suite"),
            ("up/b*", "", "'up/b*' and 'up/bad[*]' of known-failing (client.yaml:5:5) both fit"),
            ("up/bad", "", "'up/bad' fits no scenario of the suite: its rows are 'up/bad[*]'"),
        ])
    func wrongEntry(scenario: String, more: String, sentence: String) throws {
        let scratch = try Self.suite(
            lists: "known-failing:\n" + Self.entry("up/bad[*]", ", count: 2")
                + Self.entry(scenario, more))
        let outcome = try Self.run(scratch, "s")
        #expect(outcome.status == 6, "\(outcome.all)")
        #expect(outcome.output.contains("client.yaml:6:5: list entry: \(sentence)"))
    }

    @Test("An entry that has expired and one that counts otherwise end the run with 6")
    func stale() throws {
        for more in [", count: 2, expires: \(Self.day(in: -2))", ", count: 3"] {
            let scratch = try Self.suite(lists: "known-failing:\n" + Self.entry("up/bad[*]", more))
            let outcome = try Self.run(scratch, "s")
            #expect(outcome.status == 6, "\(outcome.all)")
            #expect(outcome.output.contains("look at"))
        }
        let scratch = try Self.suite(
            lists: "known-failing:\n"
                + Self.entry("up/bad[*]", ", count: 2, expires: \(Self.day(in: 2))"))
        #expect(try Self.run(scratch, "s").status == 0)
    }

    @Test("A wildcard says how many scenarios of the whole suite it stands for, whatever is run")
    func counts() throws {
        let scratch = try Self.suite(lists: "known-failing:\n" + Self.entry("up/bad[*]"))
        let told =
            "client.yaml:5:5: list entry: 'up/bad[*]' has a wildcard and no 'count', so that it would "
            + "cover what is added to the suite: write 'count: 2'"
        for part in [["s"], ["s", "--filter", "up/good"], ["s/up"]] {
            let outcome = try Command.run(
                Command.products.appending(path: "squall"),
                ["run", "--client", "client.yaml"] + part, in: scratch.url)
            #expect(outcome.status == 6, "\(outcome.all)")
            #expect(outcome.output.contains(told), "\(outcome.all)")
        }
        let written = try Self.update(scratch, ["s", "--write"])
        #expect(
            written.output.contains(
                "\n+  - {scenario: \"up/bad[*]\", count: 2, reason: it is so, link: K.md#k}\n"),
            "\(written.all)")
        #expect(try Self.run(scratch, "s").status == 0)
        // The suite grows under the wildcard.
        try scratch.file(
            "s/up/bad.yaml", Self.scenario("image/png") + "matrix: {size: [1, 2, 3]}\n")
        let grown = try Self.run(scratch, "s")
        #expect(grown.status == 6, "\(grown.all)")
        #expect(
            grown.output.contains(
                "'up/bad[*]' fits 3 scenarios that this client runs, and the entry counts 2: look at "
                    + "them again, then write 'count: 3'"))
        let proposed = try Self.update(scratch, ["s"])
        #expect(proposed.output.isEmpty)
        #expect(proposed.errors.contains("look at what came to it"), "\(proposed.errors)")
    }

    @Test("A list cannot make a client green that does not run")
    func noClient() throws {
        let scratch = try Self.suite(
            lists: "known-failing:\n" + Self.entry("up/**", ", count: 3"))
        let text = try scratch.text("client.yaml").replacing(Self.client, with: "/bin/false")
        try scratch.file("client.yaml", text)
        let outcome = try Self.run(scratch, "s")
        #expect(outcome.status == 1, "\(outcome.all)")
    }

    @Test("Blanks are refused before anything runs")
    func blanks() throws {
        let scratch = try Self.suite(
            lists:
                "known-failing:\n  - scenario: up/bad[size=1]\n    reason: \"\"\n    link: \"\"\n")
        let outcome = try Self.run(scratch, "s")
        #expect(outcome.status == 3, "\(outcome.all)")
        #expect(outcome.errors.contains("client.yaml:6:13: error: 'reason' is empty"))
        #expect(outcome.errors.contains("client.yaml:7:11: error: 'link' is empty"))
        #expect(outcome.output.isEmpty)
    }

    /// The reference client behind a relay that spoils its first successes.
    private static func spoiled(_ count: Int) -> String {
        """
        import subprocess, sys, threading

        child = subprocess.Popen(["\(client)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def forward():
            for line in sys.stdin.buffer:
                child.stdin.write(line)
                child.stdin.flush()
            child.stdin.close()

        threading.Thread(target=forward, daemon=True).start()
        left = \(count)
        for line in child.stdout:
            if left and b'"success"' in line:
                left -= 1
                line = line.replace(b"text/plain", b"text/other").replace(
                    b"text\\\\/plain", b"text/other")
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        sys.exit(child.wait())

        """
    }

    @Test(
        "A flaky scenario has its tries, and a run has a limit of them",
        arguments: [
            (1, 5, 0, "1 flaky"), (2, 2, 0, "1 flaky"),
            (2, 1, 1, "flaky limit: 2 failed tries were forgiven and the file allows 1: up/good"),
            (3, 5, 1, "known-flaky (client.yaml:6:5), and it never passed in 3 tries"),
        ])
    func flaky(spoiled count: Int, limit: Int, status: Int32, words: String) throws {
        let scratch = try Self.suite(
            lists: "flaky-limit: \(limit)\nknown-flaky:\n"
                + Self.entry("up/good", ", expires: \(Self.day(in: 2))"))
        try scratch.file("s/up/hind.yaml", Self.scenario("text/plain"))
        try scratch.file("relay.py", Self.spoiled(count))
        let text = try scratch.text("client.yaml")
            .replacing("['\(Self.client)']", with: "[python3, relay.py]")
        try scratch.file("client.yaml", text)
        let outcome = try Self.run(scratch, "s", "--filter", "up/good", "--filter", "up/hind")
        #expect(outcome.status == status, "\(outcome.all)")
        #expect(outcome.output.contains(words), "\(outcome.all)")
        #expect(outcome.output.contains("  try 1 with seed 1: failed: "), "\(outcome.all)")
    }

    // MARK: Updates

    private static let stale =
        "known-failing:\n  # keep me\n" + entry("up/good") + "  # and me\n" + entry("up/gone")

    @Test("The diff of a run applies with patch and with git, and says what --write writes")
    func applies() throws {
        let scratch = try Self.suite(lists: Self.stale)
        let before = try scratch.text("client.yaml")
        let outcome = try Self.update(scratch, ["s"])
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(try scratch.text("client.yaml") == before)
        try scratch.file("change.diff", outcome.output)
        let tools: [(String, [String])] = [
            ("/usr/bin/patch", ["-p0", "-i", "change.diff"]),
            ("/usr/bin/git", ["apply", "change.diff"]),
        ]
        var results: [String] = []
        for (tool, arguments) in tools {
            try scratch.file("client.yaml", before)
            let applied = try Command.run(URL(filePath: tool), arguments, in: scratch.url)
            #expect(applied.status == 0, "\(applied.all)")
            results.append(try scratch.text("client.yaml"))
        }
        try scratch.file("client.yaml", before)
        let written = try Self.update(scratch, ["s", "--write"])
        #expect(written.output == outcome.output)
        results.append(try scratch.text("client.yaml"))
        #expect(Set(results).count == 1)
        #expect(
            results[0]
                == before.replacing(
                    Self.stale,
                    with: """
                        known-failing:
                          # keep me
                          # and me
                          - scenario: "up/bad[*]"
                            # metadata: up: metadata 'contentType' is 'text/plain', 'image/png' expected
                            failure: "metadata: up:"
                            count: 2
                            reason: ""
                            link: ""

                        """))
    }

    @Test("What was written is refused until somebody has said why, and then green")
    func filledIn() throws {
        let scratch = try Self.suite(lists: "")
        let written = try Self.update(scratch, ["s", "--write"])
        #expect(written.errors.contains("fill in the blanks of client.yaml"))
        #expect(try Self.run(scratch, "s").status == 3)
        #expect(try Self.update(scratch, ["s"]).status == 3)
        let text = try scratch.text("client.yaml")
            .replacing("reason: \"\"", with: "reason: it is so")
            .replacing("link: \"\"", with: "link: https://example.com/1")
        try scratch.file("client.yaml", text)
        let outcome = try Self.run(scratch, "s")
        #expect(outcome.status == 0, "\(outcome.all)")
        let again = try Self.update(scratch, ["s"])
        #expect(again.output == "", "\(again.all)")
        #expect(again.errors.contains("the lists of client.yaml say what is so"))
    }

    @Test("A finished run's report gives the same diff as the run itself")
    func report() throws {
        let scratch = try Self.suite(lists: Self.stale)
        _ = try Self.run(scratch, "s", "--report", "json=run.json")
        let recorded = try Self.update(scratch, ["--report", "run.json"])
        let now = try Self.update(scratch, ["s"])
        #expect(recorded.status == 0, "\(recorded.all)")
        #expect(!recorded.output.isEmpty)
        #expect(recorded.output == now.output)
    }

    @Test(
        "A report that does not go with the file is refused",
        arguments: [
            (["--report", "none.json"], "none.json cannot be read"),
            (["--report", "client.yaml"], "client.yaml: this is no JSON report of a run"),
            (["--report", "run.json"], "run.json is of the client 'other', and client.yaml is"),
            (["s", "--report", "run.json"], "--report is of a finished run"),
        ])
    func wrongReport(arguments: [String], message: String) throws {
        let scratch = try Self.suite(lists: Self.stale)
        let mine = try scratch.text("client.yaml")
        try scratch.file("client.yaml", mine.replacing("name: mine", with: "name: other"))
        _ = try Self.run(scratch, "s/up/good.yaml", "--report", "json=run.json")
        try scratch.file("client.yaml", mine)
        let outcome = try Self.update(scratch, arguments)
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("A client file is asked for, and the verb is 'update'")
    func usage() throws {
        let none = try Command.squall("baseline", "update")
        #expect(none.status == 2)
        #expect(none.errors.contains("'baseline update' needs --client FILE"))
        let other = try Command.squall("baseline", "updat", "--client", "x")
        #expect(other.errors.contains("did you mean 'baseline update'?"), "\(other.errors)")
    }

    @Test("The rights of the file stay, and a link to it stays a link")
    func rights() throws {
        let scratch = try Self.suite(lists: Self.stale)
        let file = scratch.url.appending(path: "client.yaml")
        let real = scratch.url.appending(path: "real.yaml")
        try FileManager.default.moveItem(at: file, to: real)
        try FileManager.default.createSymbolicLink(
            atPath: file.path, withDestinationPath: "real.yaml")
        try #require(chmod(real.path, 0o640) == 0)
        let outcome = try Self.update(scratch, ["s", "--write"])
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "real.yaml")
        let rights = try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions]
        #expect(rights as? Int == 0o640)
        #expect(try scratch.text("real.yaml").contains("reason: \"\""))
    }
}
