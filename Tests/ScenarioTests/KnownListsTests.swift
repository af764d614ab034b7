import Scenario
import StorageModel
import Testing

@Suite("Lists of known failures")
struct KnownListsTests {
    private static func read(_ text: String) -> KnownListsFile {
        KnownListsFile.read(Array(text.utf8), file: "c.yaml")
    }

    /// Each message with line and column; a suggestion stands behind `|`.
    private static func messages(_ text: String) -> [String] {
        read(text).diagnostics.map { diagnostic in
            "\(diagnostic.place.line):\(diagnostic.place.column): \(diagnostic.message)"
                + (diagnostic.suggestion.map { " | \($0)" } ?? "")
        }
    }

    private static func failing(_ rest: String) -> String {
        "known-failing:\n  - scenario: a/b\n    \(rest)\n"
    }

    @Test("Both lists are read whole, in order and with their places")
    func whole() throws {
        let file = Self.read(
            """
            name: x
            command: [a]
            flaky-limit: 2
            known-failing:
              # why
              - scenario: partial/cut[how=reset]
                reason: sends the chunk twice
                link: https://example.com/issues/7
              - {scenario: retry/**, failure: "events: up", reason: no retry, link: "docs/K.md#retry",
                 expires: 2027-01-31}
            known-flaky:
              - scenario: cancel/late
                failure: ["events: up", "[one-terminal]"]
                reason: a race in it
                link: KNOWN.md#race
                expires: 2026-12-01
                limit: 4
              - {scenario: cancel/early, reason: r, link: "http://h/x", expires: 2026-12-02}

            """)
        #expect(file.diagnostics == [])
        let failing = file.lists.failing
        #expect(failing.map(\.pattern.text) == ["partial/cut[how=reset]", "retry/**"])
        #expect(failing.map(\.failure) == [[], ["events: up"]])
        #expect(failing.map(\.reason) == ["sends the chunk twice", "no retry"])
        #expect(failing.map(\.link) == ["https://example.com/issues/7", "docs/K.md#retry"])
        #expect(failing.map { $0.expires?.description } == [nil, "2027-01-31"])
        #expect(failing.map(\.limit) == [nil, nil])
        #expect(failing.map(\.place.description) == ["c.yaml:6:5", "c.yaml:9:5"])
        let flaky = file.lists.flaky
        #expect(flaky.map(\.pattern.text) == ["cancel/late", "cancel/early"])
        #expect(flaky.map(\.failure) == [["events: up", "[one-terminal]"], []])
        #expect(flaky.map(\.limit) == [4, 3])
        #expect(flaky.map { $0.expires?.description } == ["2026-12-01", "2026-12-02"])
        #expect(file.lists.flakyLimit == 2)
    }

    @Test("The example of the page is read as it stands, and makes a client file")
    func page() throws {
        let page = try #require(Fixtures.text(ofPage: "LISTS.md"))
        let block = try #require(page.firstRange(of: "```yaml\n"))
        let rest = page[block.upperBound...]
        let text = String(rest[..<(try #require(rest.firstRange(of: "```")).lowerBound)])
        let file = Self.read(text)
        #expect(file.diagnostics == [])
        #expect(file.lists.failing.map(\.count) == [nil, 12])
        #expect(file.lists.failing.map(\.failure.count) == [1, 2])
        #expect(file.lists.flaky.map(\.limit) == [3])
        #expect(ClientFile.read(Array(text.utf8), file: "c.yaml").isUsable)
    }

    @Test(
        "A file without lists, and a list whose entries were made comments, is empty",
        arguments: ["name: x\n", "known-failing:\n  # - scenario: a\nknown-flaky: []\n"])
    func empty(text: String) {
        let file = Self.read(text)
        #expect(file.isValid)
        #expect(file.lists.isEmpty)
        #expect(file.lists.flakyLimit == 5)
    }

    @Test("Reason and link must be there, and a flaky entry must end")
    func mandatory() {
        #expect(
            Self.messages("known-failing:\n  - {scenario: a/b}\n") == [
                "2:5: an entry of known-failing needs 'link'",
                "2:5: an entry of known-failing needs 'reason'",
            ])
        #expect(
            Self.messages("known-flaky:\n  - {scenario: a/b, reason: r, link: 'a.md#b'}\n") == [
                "2:5: an entry of known-flaky needs 'expires'"
            ])
        #expect(
            Self.messages("known-failing:\n  - {reason: r, link: 'a.md#b'}\n") == [
                "2:5: an entry of known-failing needs 'scenario'"
            ])
    }

    @Test(
        "Reason and link that are blank are as good as none", arguments: ["\"\"", "' '", "~", ""])
    func blank(value: String) {
        #expect(
            Self.messages(Self.failing("reason: \(value)\n    link: \(value)")) == [
                "3:\(value.isEmpty ? 12 : 13): "
                    + "'reason' is empty: say what is known, for whoever reads it next",
                "4:\(value.isEmpty ? 10 : 11): 'link' is empty: say where more is said of it",
            ])
    }

    @Test(
        "A link is an address of the web or a page with its anchor",
        arguments: [
            ("https://example.com/1", true), ("http://h", true), ("docs/KNOWN.md#cut", true),
            ("KNOWN.md#cut", true), ("../KNOWN.md#a-b", true),
            ("see the tracker", false), ("KNOWN.md", false), ("KNOWN.md#", false), ("#cut", false),
            ("https://", false), ("https:///x", false), ("ftp://h/x", false), ("/a.md#b", false),
            ("https://h/a b", false), ("docs/#x", false), ("file:///a.md#b", false),
        ])
    func links(link: String, isGood: Bool) {
        let messages = Self.messages(Self.failing("reason: r\n    link: \"\(link)\""))
        let wanted =
            "4:11: '\(link)' is no link: https://..., or a page of the repository with an anchor, "
            + "as docs/KNOWN.md#upload-cut"
        #expect(messages == (isGood ? [] : [wanted]))
    }

    @Test(
        "A pattern that begins with a wildcard is refused",
        arguments: ["**", "*", "**/*", "**/cut", "*/cut[how=reset]", "[**"])
    func tooWide(pattern: String) {
        let text = "known-failing:\n  - {scenario: \"\(pattern)\", reason: r, link: 'a.md#b'}\n"
        #expect(
            Self.messages(text) == [
                "2:16: '\(pattern)' begins with a wildcard and would fit what nobody has looked "
                    + "at: begin with the topic, as in 'retry/**'"
            ])
    }

    @Test("Values of another kind are told with their place")
    func wrongValues() {
        let rest = "reason: r\n    link: a.md#b\n    "
        #expect(
            Self.messages(Self.failing(rest + "expires: 2027-02-30")) == [
                "5:14: '2027-02-30' is no day of the calendar, which is written 2027-01-31"
            ])
        #expect(
            Self.messages(Self.failing(rest + "failure: ''")) == [
                "5:14: 'failure' is empty: it takes words of the failure as the report shows it"
            ])
        #expect(Self.messages(Self.failing(rest + "failure: []")).count == 1)
        #expect(
            Self.messages(Self.failing(rest + "limit: 3")).first?.hasPrefix(
                "5:5: unknown key 'limit'") == true)
        #expect(
            Self.messages(Self.failing("reson: r\n    link: a.md#b")) == [
                "3:5: unknown key 'reson' | reason"
            ])
        #expect(
            Self.messages("known-failing: {a: b}\n") == [
                "1:16: a list belongs here, not a mapping"
            ])
        #expect(
            Self.messages("known-failing:\n  - a/b\n") == [
                "2:5: an entry of known-failing is a mapping, not a single value"
            ])
        #expect(
            Self.messages("flaky-limit: 101\n") == [
                "1:14: 101 is out of range: at least 0 and at most 100"
            ])
    }

    @Test("One try is none again, and more than ten are no test any more", arguments: [1, 11])
    func tries(limit: Int) {
        let text =
            "known-flaky:\n  - {scenario: a/b, reason: r, link: 'a.md#b', expires: 2026-12-01, "
            + "limit: \(limit)}\n"
        #expect(
            Self.messages(text) == [
                "2:76: \(limit) is out of range: at least 2 and at most 10"
            ])
    }

    @Test("A text that is no YAML is told, and gives no entries")
    func broken() {
        let file = Self.read("known-failing: [")
        #expect(!file.isValid)
        #expect(file.lists.isEmpty)
        #expect(Self.messages("- a\n") == ["1:1: a client's file is a mapping, not a list"])
    }
}
