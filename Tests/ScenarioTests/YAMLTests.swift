import Scenario
import Testing

@Suite("YAML")
struct YAMLTests {
    @Test(
        "Mistakes that the language invites are told in its own words",
        arguments: [
            ("a: >= 5", #"1:4: a value that starts with '>' must be quoted | ">= 5""#),
            ("{a: >= 5, b: 1}", #"1:5: a value that starts with '>' must be quoted | ">= 5""#),
            ("a: >5", #"1:4: a value that starts with '>' must be quoted | ">5""#),
            ("match: *", #"1:8: a value that starts with '*' must be quoted | "*""#),
            ("a: *x", #"1:4: a value that starts with '*' must be quoted | "*x""#),
            (
                "{m: *#every 7, b: 2}",
                ##"1:5: a value that starts with '*' must be quoted | "*#every 7""##
            ),
            ("a: %5", #"1:4: a value that starts with '%' must be quoted | "%5""#),
            ("a: [@x, b]", #"1:5: a value that starts with '@' must be quoted | "@x""#),
            ("a: {b: ?x}", #"1:8: a value that starts with '?' must be quoted | "?x""#),
            (
                "{at: request-body ${x}, do: 1}",
                #"1:19: a value with '${...}' inside '{ }' or '[ ]' must be quoted | "${x}""#
            ),
            ("a: 1\n\tb: 1", "2:1: a tab is not allowed here; indent with spaces"),
            ("a:\n\tb: 1", "2:1: a tab is not allowed here; indent with spaces"),
            (
                "a: b: c",
                "1:5: a ':' is not allowed here; quote a value that contains ': ', or indent the line"
            ),
            ("a: 'x", "1:4: the quotes opened here are never closed"),
            ("a: 1\n---\nb: 1", "2:1: a file holds one document: here begins a second one"),
            ("", "1:1: the file is empty"),
            ("# a comment", "1:1: the file is empty"),
        ])
    func traps(text: String, message: String) {
        #expect(Reading(text).messages == [message])
    }

    @Test(
        "Each of these is refused beside all else",
        arguments: [
            ("title: T\ntitle: U", "2:1: duplicate key 'title', given before in line 1"),
            ("title: !!str T", "1:8: tags are not allowed"),
            ("%TAG ! tag:a,2000:\n---\ntitle: T", "1:1: tags are not allowed"),
            ("<<: {a: 1}\ntitle: T", "1:1: merge keys are not allowed"),
            ("[a]: 1\ntitle: T", "1:1: a key must be a single value, not a list"),
        ])
    func refusals(text: String, message: String) {
        #expect(Reading(text).messages.contains(message))
    }

    @Test(
        "A file that is no text is refused at its first strange byte",
        arguments: [
            (
                [0x61, 0x0A, 0x62, 0x00],
                "a.yaml:2:2: error: the file is binary: it has a zero byte here"
            ),
            ([0x61, 0xFF, 0x62], "a.yaml:1:2: error: the file is not text in UTF-8"),
            ([0x61, 0x07], "a.yaml:1:2: error: the character U+0007 is not allowed in YAML"),
        ] as [([UInt8], String)])
    func binaryFiles(bytes: [UInt8], message: String) {
        let plan = ScenarioLoader().read(bytes, file: "a.yaml", id: "a")
        #expect(plan.diagnostics.map(\.text) == [message])
        #expect(plan.planned.isEmpty)
    }

    @Test("A file of 1 MiB is read, a byte more is refused")
    func limit() {
        let start = "title: T\nsource: [D1]\n#"
        let rest = String(repeating: "x", count: (1 << 20) - start.utf8.count)
        #expect(Reading(start + rest).messages == [])
        #expect(Reading(start + rest + "x").messages == ["1:1: the file is larger than 1 MiB"])
    }

    @Test("JSON is read")
    func json() {
        let reading = Reading(#"{"title": "T", "source": ["D1"], "exchanges": 12}"#)
        #expect(reading.messages == [])
        #expect(reading.scenario?.exchangeBudget == 12)
    }

    @Test("A byte order mark, other line ends and an alias are read")
    func oddities() {
        let reading = Reading(
            "\u{FEFF}title: &t T\r\nabout: *t\r\nsource: [D1]\r\nexchangs: 1\r\n")
        #expect(reading.messages == ["4:1: unknown key 'exchangs' | exchanges"])
    }

    @Test("Words that older YAML takes for booleans are texts")
    func coreSchema() {
        let reading = Reading("title: yes\nabout: off\nsource: [D1]\nsmoke: true")
        #expect(reading.messages == [])
        #expect(reading.scenario?.title.value == "yes")
        #expect(reading.scenario?.about == "off")
        #expect(reading.scenario?.isSmoke == true)
    }

    @Test("Aliases that make more than 10,000 nodes are refused")
    func bomb() {
        let list = "[" + [String](repeating: "x", count: 99).joined(separator: ", ") + "]"
        let uses = "[" + [String](repeating: "*a", count: 101).joined(separator: ", ") + "]"
        let messages = Reading("a: &a \(list)\nb: \(uses)").messages
        #expect(messages == ["2:405: the aliases make more than 10,000 nodes"])
    }

    @Test("Nesting beyond 64 levels is refused")
    func depth() {
        let text = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(Reading("a: " + text).messages == ["1:67: nested more than 64 levels deep"])
    }
}
