import Foundation
import StorageModel
import Testing

@testable import Scenario

/// What reading a client file gave.
private struct Client {
    let reading: ClientFile.Reading

    init(_ text: String, file: String = "clients/mine.yaml") {
        reading = ClientFile.read(Array(text.utf8), file: file)
    }

    /// Reads a file that has what must be there, and the text.
    init(body text: String) { self.init("name: mine\ncommand: [client]\n" + text) }

    /// Each message with line and column; a suggestion stands behind `|`.
    var messages: [String] {
        reading.diagnostics.map { diagnostic in
            let suggestion = diagnostic.suggestion.map { " | \($0)" } ?? ""
            return "\(diagnostic.place.line):\(diagnostic.place.column): \(diagnostic.message)"
                + suggestion
        }
    }
}

@Suite("Client files")
struct ClientFileTests {
    @Test("Every key is read")
    func everyKey() throws {
        let client = Client(
            """
            name: My client
            mode: stdio
            command: [python3, client.py, --fast]
            environment: {LOG: debug, LEVEL: 3, EMPTY: ""}
            profile: apple
            suite: 1.0
            capabilities: [upload.data, pause]
            time-scale: 0.5
            deadline: 20s
            known-failing:
              - {scenario: cancel/twice, reason: it is not done, link: "https://a.example/1"}
            known-flaky:
              - {scenario: "stall/*", reason: slow, link: "https://a.example/2", expires: 2999-01-01}
            flaky-limit: 3
            """)
        let file = try #require(client.reading.file)
        #expect(client.messages == [])
        #expect(file.name.value == "My client")
        #expect(file.mode == .stdio)
        #expect(file.command?.value == ["python3", "client.py", "--fast"])
        #expect(file.environment == ["LOG": "debug", "LEVEL": "3", "EMPTY": ""])
        #expect(file.profile?.value == "apple")
        #expect(file.suite?.value == SuiteVersion(major: 1, minor: 0))
        #expect(file.capabilities?.value == [.uploadData, .pause])
        #expect(file.timeScale == 0.5)
        #expect(file.deadline == .seconds(20))
        #expect(file.knownLists.failing.count == 1)
        #expect(file.knownLists.flaky.count == 1)
        #expect(file.knownLists.flakyLimit == 3)
    }

    @Test("Name and command are enough; nothing else is pinned")
    func least() throws {
        let file = try #require(Client("name: mine\ncommand: client").reading.file)
        #expect(file.mode == .stdio)
        #expect(file.command?.value == ["client"])
        #expect(file.environment.isEmpty)
        #expect(file.profile == nil && file.suite == nil && file.capabilities == nil)
        #expect(file.timeScale == nil && file.deadline == nil)
    }

    @Test(
        "The folder of the file is where the client is started",
        arguments: [("a/b/c.yaml", "a/b"), ("c.yaml", "."), ("/c.yaml", "/"), ("/a/c.yaml", "/a")])
    func folder(file: String, folder: String) throws {
        let client = Client("name: mine\ncommand: client", file: file)
        #expect(try #require(client.reading.file).folder == folder)
    }

    @Test(
        "What is wrong is told with its place and what would be right",
        arguments: [
            ("comand: x", "3:1: unknown key 'comand' | command"),
            ("mode: stdo", "3:7: unknown mode 'stdo' | stdio"),
            ("capabilities: [puase]", "3:16: unknown capability 'puase' | pause"),
            ("capabilities: [pause, pause]", "3:23: 'pause' is given twice"),
            (
                "capabilities: []",
                "3:15: an empty list pins nothing: leave the key out or name some"
            ),
            ("capabilities: pause", "3:15: a list belongs here, not a single value"),
            ("time-scale: 20", "3:13: '20' is no factor from 0.01 to 10"),
            ("time-scale: fast", "3:13: 'fast' is no factor from 0.01 to 10"),
            ("deadline: 50ms", "3:11: a deadline is from 100ms to 1h"),
            ("deadline: 2h", "3:11: a deadline is from 100ms to 1h"),
            (
                "deadline: 20",
                "3:11: '20' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"
            ),
            ("suite: one", "3:8: 'one' is no suite version: 1.0"),
            ("profile: ''", "3:10: the profile is empty"),
            ("environment: [A]", "3:14: 'environment' is a mapping, not a list"),
            ("environment: {A: [b]}", "3:18: a variable's value is one text, not a list"),
            (
                "environment: {A=B: c}", "3:15: 'A=B' cannot be the name of a variable"
            ),
            (
                "environment: {SQUALL_CHILD: c}",
                "3:15: 'SQUALL_CHILD' cannot be the name of a variable"
            ),
            ("flaky-limit: -1", "3:14: -1 is out of range: at least 0 and at most 100"),
        ])
    func mistakes(body: String, message: String) {
        let client = Client(body: body)
        #expect(client.messages == [message])
        #expect(client.reading.file == nil)
        #expect(!client.reading.isUsable)
    }

    @Test(
        "A block of another mode is refused: nobody would read it",
        arguments: ["one-shot", "dial-in"])
    func otherMode(mode: String) {
        #expect(
            Client(body: "\(mode): {}").messages.contains(
                "3:1: '\(mode)' goes with 'mode: \(mode)', and this client's mode is 'stdio'"))
    }

    @Test("A file without a name, or without a command, is refused")
    func required() {
        #expect(Client("command: x").messages == ["1:1: a client file needs 'name'"])
        #expect(Client("name: x").messages == ["1:1: a client file needs 'command'"])
        #expect(
            Client("name: \"a\\nb\"\ncommand: x").messages == [
                "1:7: the name is one line of at most 100 characters"
            ])
        #expect(Client("- a").messages == ["1:1: a client file is a mapping, not a list"])
        #expect(Client("").reading.file == nil)
        #expect(!Client("").messages.isEmpty)
    }

    @Test("Several mistakes are told at once")
    func several() {
        let client = Client(body: "mode: x\nsuite: y\ntime-scale: z")
        #expect(client.messages.count == 3)
    }

    @Test("A file that is not there is told")
    func missing() {
        let reading = ClientFile.load("/nowhere/client.yaml")
        #expect(reading.file == nil)
        #expect(
            reading.diagnostics.map(\.message) == [
                "the file cannot be read: No such file or directory"
            ])
    }
}

@Suite("Commands of client files")
struct CommandWordsTests {
    @Test(
        "One text is taken apart as a shell does",
        arguments: [
            ("node client.js", ["node", "client.js"]),
            ("  a \t b  ", ["a", "b"]),
            ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
            (#"a b\ c \' \\"#, ["a", "b c", "'", "\\"]),
            (#"a "say \"x\" \n $" "#, []),
            ("a '$HOME *' ''", ["a", "$HOME *", ""]),
            ("a'b'\"c\"d", ["abcd"]),
            ("a~b x=y#z", ["a~b", "x=y#z"]),
        ])
    func words(text: String, words: [String]) {
        #expect((try? CommandWords(text).words) ?? [] == words)
    }

    @Test(
        "What only a shell would understand is refused at its place",
        arguments: [
            ("command: a $HOME", "2:12: no shell reads the command, so '$' means nothing here"),
            ("command: a | b", "2:12: no shell reads the command, so '|' means nothing here"),
            ("command: ~/a", "2:10: no shell reads the command, so '~' means nothing here"),
            ("command: a *.py", "2:12: no shell reads the command, so '*' means nothing here"),
            ("command: a && b", "2:12: no shell reads the command, so '&' means nothing here"),
            ("command: \"a '$x b\"", "2:13: the quote that begins here has no end"),
            (#"command: a b\"#, "2:13: there is nothing behind this backslash"),
            ("command: ''", "2:10: the command names no program"),
            ("command: []", "2:10: the command names no program"),
            ("command: ['', a]", "2:10: the command names no program"),
            ("command: [a, [b]]", "2:14: a single value belongs here, not a list"),
            ("command: {a: b}", "2:10: a command is a list of words or one text, not a mapping"),
        ])
    func refused(line: String, message: String) {
        let messages = Client("name: mine\n" + line).messages
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix(message) == true, "\(messages)")
    }
}

@Suite("Client files that are written")
struct ClientFileTextTests {
    @Test(
        "What is written is read back as it was, whatever the words",
        arguments: [
            ["python3", "client.py"],
            ["./a b", "$x", "it's", "\"q\"", "#no", "- x", "true", "1.0", "é"],
            [
                "/usr/bin/env", "", "a\nb", "{a: b}", "[c]", "d, e", "*", "&f", "!g", "%h", "@i",
                "\\",
            ],
        ])
    func roundTrip(command: [String]) throws {
        var text = ClientFileText(
            name: "client: 'x' # \"y\"", version: "1\n2", command: command, profile: "./p q.yaml",
            suite: "1.0", capabilities: [.pause, .uploadData])
        text.timeScale = 0.25
        let client = Client(text.text)
        #expect(client.messages == [])
        let file = try #require(client.reading.file)
        #expect(file.name.value == "client: 'x' # \"y\"")
        #expect(file.command?.value == command)
        #expect(file.profile?.value == "./p q.yaml")
        #expect(file.suite?.value == SuiteVersion(major: 1, minor: 0))
        #expect(file.capabilities?.value == [.pause, .uploadData])
        #expect(file.timeScale == 0.25)
        #expect(file.knownLists.failing.isEmpty)
    }

    @Test("Entries for what failed are comments, and wrong as long as nobody has said why")
    func entries() throws {
        var text = ClientFileText(
            name: "mine", version: "1", command: ["client"], profile: "documented", suite: "1.0",
            capabilities: [.pause])
        text.failed = [
            .init(
                id: "partial/cut[how=reset,kept=1]", headline: "up: \"x\"\nbroke # off",
                failure: ["events: up:"])
        ]
        #expect(Client(text.text).messages == [])
        let active = text.text.split(separator: "\n").map { line in
            line.hasPrefix("# known-") || line.hasPrefix("#   ")
                ? String(line.dropFirst(2)) : String(line)
        }
        let blank = Client(active.joined(separator: "\n"))
        #expect(blank.messages.count == 2)
        for key in ["reason", "link"] {
            #expect(blank.messages.contains { $0.contains("'\(key)' is empty") })
        }
        let filled = active.joined(separator: "\n")
            .replacing("reason: \"\"", with: "reason: it breaks off")
            .replacing("link: \"\"", with: "link: \"https://a.example/1\"")
        let entry = try #require(Client(filled).reading.file?.knownLists.failing.first)
        #expect(entry.pattern.text == "partial/cut[how=reset,kept=1]")
        #expect(entry.failure == ["events: up:"])
        #expect(filled.contains("    # up: \"x\"?broke # off\n"))
    }
}
