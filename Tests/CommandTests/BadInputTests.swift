import Foundation
import Testing

/// A file that is no scenario, and what is said of it.
struct BadFile: Sendable, CustomTestStringConvertible {
    let name: String
    let content: Data
    /// Where the message points: `line:column`; nil where the whole file is meant.
    let place: String?
    let message: String

    var testDescription: String { name }

    init(_ name: String, _ text: String, _ place: String?, _ message: String) {
        self.init(name, Data(text.utf8), place, message)
    }

    init(_ name: String, _ content: Data, _ place: String?, _ message: String) {
        self.name = name
        self.content = content
        self.place = place
        self.message = message
    }

    private static let head = "title: A title\nsource: [D5]\n"
    private static let step = "steps:\n  - {upload: a.txt, as: up, data: {size: 10, seed: 1}}\n"

    static let all: [BadFile] = [
        BadFile("unknown-key", head + "stepz: []\n", "3:1", "did you mean 'steps'?"),
        BadFile("wrong-type", head + "steps: 5\n", "3:8", "list"),
        BadFile(
            "unknown-operation",
            head + "faults:\n  - {match: uplod.start, do: {respond: 503}}\n"
                + step, "4:13", "did you mean 'upload.start'?"),
        BadFile(
            "unknown-action", head + "faults:\n  - {match: download, do: {droop: answer}}\n" + step,
            "4:28", "did you mean 'drop'?"),
        BadFile(
            "impossible-offset",
            head
                + "faults:\n  - {match: upload.body, at: request-body 20, do: {disconnect: reset}}\n"
                + step, "4:", "20"),
        BadFile(
            "unit-missing", head + "client: {maxUploadRetryTime: 10}\n" + step, "3:30", "unit"),
        BadFile("tab", head + "steps:\n\t- {wait: 1s}\n", "4:1", "tab"),
        BadFile("empty", "", nil, "empty"),
        BadFile("binary", Data([0x7F, 0x45, 0x4C, 0x46, 0x00]), nil, "not allowed in YAML"),
        BadFile("no-text", Data([0x74, 0x3A, 0x20, 0xFF, 0xFE]), nil, "UTF-8"),
        BadFile(
            "large", Data(repeating: UInt8(ascii: "#"), count: 10_000_000), nil, "1 MiB"),
        BadFile(
            "unquoted-test",
            head + step + "expect:\n  exchanges: [{match: upload.start, count: 1, gap: >= 5s}]\n",
            "6:", "quote"),
    ]
}

@Suite("Bad input")
struct BadInputTests {
    @Test("A bad file gets a message with its place, and 3", arguments: BadFile.all)
    func badFile(file: BadFile) throws {
        let scratch = try Scratch()
        try scratch.file("\(file.name).yaml", file.content)
        for command in ["check", "run", "list"] {
            let outcome = try Command.squall(command, "\(file.name).yaml", in: scratch.url)
            #expect(outcome.status == 3, "\(command): \(outcome.all)")
            let place = "\(file.name).yaml:" + (file.place ?? "")
            #expect(outcome.errors.contains(place), "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains(file.message), "\(command): \(outcome.errors)")
            #expect(!outcome.all.contains("Fatal error"), "\(outcome.all)")
        }
    }

    @Test(
        "A path that leads nowhere is named, and ends with 3", arguments: ["check", "run", "list"])
    func missingPath(command: String) throws {
        let outcome = try Command.squall(command, "no/such/folder")
        #expect(outcome.status == 3, "\(outcome.all)")
        #expect(outcome.errors.contains("no/such/folder"))
    }

    @Test("Several mistakes of one file are told in one run")
    func several() throws {
        let scratch = try Scratch()
        try scratch.file(
            "two.yaml", "title: Two\nsource: [D5]\nstepz: []\nfaults:\n  - {match: dwnload}\n")
        let outcome = try Command.squall("check", "two.yaml", in: scratch.url)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("two.yaml:3:1"))
        #expect(outcome.errors.contains("two.yaml:5:13"))
    }

    @Test("One bad file among good ones does not go unnoticed in a run")
    func badAmongGood() throws {
        let scratch = try Scratch()
        try scratch.file("bad.yaml", "title: x\nsource: [D5]\nstepz: []\n")
        try scratch.file(
            "good.yaml",
            """
            title: An upload is stored
            source: [D5]
            steps:
              - {upload: a.txt, as: up, data: {size: 10, seed: 1}}
            expect:
              up: {events: [resume, progress+, success]}
            """)
        let outcome = try Command.squall("run", ".", in: scratch.url)
        #expect(outcome.status == 3, "\(outcome.all)")
    }

    @Test(
        "A suite from which scenarios are missing is not run, and its VERSION says how many there are"
    )
    func halfASuite() throws {
        let scratch = try Scratch()
        let text =
            "title: t\nsource: [D5]\nsteps: [{upload: a, as: up, data: {size: 1, seed: 1}}]\n"
            + "expect: {up: {events: [resume, progress*, success]}}\n"
        try scratch.file("scenarios/one.yaml", text)
        try scratch.file("scenarios/two.yaml", text)
        try scratch.file("scenarios/VERSION", "1.0\n2 scenarios\n")
        let whole = try Command.squall("run", in: scratch.url)
        #expect(whole.status == 0, "\(whole.all)")
        try FileManager.default.removeItem(at: scratch.url.appending(path: "scenarios/two.yaml"))
        for arguments in [["run"], ["run", "scenarios"], ["run", "--filter", "one"], ["check"]] {
            let half = try Command.squall(arguments: arguments, in: scratch.url)
            #expect(half.status == 3, "\(half.all)")
            #expect(
                half.errors.contains("the suite has 2 scenarios, and 1 are here"), "\(half.all)")
        }
        let list = try Command.squall("list", "--nightly")
        let count = list.output.split(separator: "\n").count
        let version = Command.root.appending(path: "scenarios/VERSION")
        #expect(try String(contentsOf: version, encoding: .utf8) == "1.1\n\(count) scenarios\n")
    }

    @Test("A filter that fits nothing is not green")
    func filterThatFitsNothing() throws {
        let outcome = try Command.squall("run", "--filter", "no-such/**")
        #expect(outcome.status == 4, "\(outcome.all)")
        #expect(outcome.all.contains("no-such/**"))
    }
}
