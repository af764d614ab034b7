import Scenario
import Testing

@Suite("Changes of lists")
struct KnownListsEditTests {
    private static let text = """
        # My client
        name: x   # its name
        known-failing:
          # Uploads
          - scenario: upload/one   # soon mended
            reason: >
              it sends
              everything twice

            link: K.md#one
            # seen by two people
          # Downloads

          - {scenario: "download/*", reason: r, link: K.md#two, expires: 2027-01-31}
          - scenario: 'list/**'
            # a remark inside
            count: 3
            reason: "said in
          two lines"
            link: K.md#three

        known-flaky:
        - scenario: cancel/late
          reason: r
          link: K.md#four
          expires: 2026-12-31
        mode: stdio

        """

    private static func script(
        _ text: String, _ change: (inout KnownListsEdit) -> Void
    ) throws -> LineScript {
        var edit = KnownListsEdit()
        change(&edit)
        return try KnownListsFile.read(Array(text.utf8), file: "c.yaml").script(edit)
    }

    private static func edited(
        _ text: String, _ change: (inout KnownListsEdit) -> Void
    ) throws -> String {
        try String(decoding: script(text, change).result, as: UTF8.self)
    }

    private static func diff(
        _ text: String, _ change: (inout KnownListsEdit) -> Void
    ) throws -> [String] {
        let bytes = UnifiedDiff.text(try script(text, change), path: "c.yaml")
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("A deleted entry goes with its own lines; every comment of the list stays")
    func deletion() throws {
        let result = try Self.edited(Self.text) { $0.deletions = [.init(.failing, 0)] }
        #expect(
            result
                == Self.text.replacing(
                    """
                      - scenario: upload/one   # soon mended
                        reason: >
                          it sends
                          everything twice

                        link: K.md#one
                        # seen by two people

                    """, with: ""))
    }

    @Test("An entry in braces and one at the margin are deleted like others")
    func otherForms() throws {
        let result = try Self.edited(Self.text) {
            $0.deletions = [.init(.failing, 1), .init(.flaky, 0)]
        }
        #expect(!result.contains("download"))
        #expect(result.contains("  # Downloads\n\n  - scenario: 'list/**'"))
        #expect(result.contains("\nknown-flaky: []\nmode: stdio\n"))
        #expect(KnownListsFile.read(Array(result.utf8), file: "c.yaml").isValid)
    }

    @Test("An entry whose text runs to the margin is not torn apart: the change is refused")
    func torn() {
        #expect(throws: Diagnostic.self) {
            try Self.edited(Self.text) { $0.deletions = [.init(.failing, 2)] }
        }
    }

    @Test("Entries are added at the end of their list, with blanks that nobody can leave")
    func addition() throws {
        let text = Self.text.replacing("\"said in\n  two lines\"", with: "said in one")
        let result = try Self.edited(text) {
            $0.additions = [
                .init(
                    .failing, pattern: "retry/a[n=\"x\ny\"]", comment: "events: up:\nlost",
                    failure: ["events: up:"]),
                .init(
                    .failing, pattern: "retry/b[*]", failure: ["client:", "[one-terminal]"],
                    count: 4),
                .init(.flaky, pattern: "retry/c", comment: "passed in try 2"),
            ]
        }
        #expect(
            result.contains(
                """
                    link: K.md#three
                  - scenario: "retry/a[n=\\"x\\ny\\"]"
                    # events: up:?lost
                    failure: "events: up:"
                    reason: ""
                    link: ""
                  - scenario: "retry/b[*]"
                    failure: ["client:", "[one-terminal]"]
                    count: 4
                    reason: ""
                    link: ""

                known-flaky:
                - scenario: cancel/late
                  reason: r
                  link: K.md#four
                  expires: 2026-12-31
                - scenario: retry/c
                  # passed in try 2
                  reason: ""
                  link: ""
                  expires: ""
                mode: stdio
                """))
        let file = KnownListsFile.read(Array(result.utf8), file: "c.yaml")
        #expect(file.diagnostics.map(\.message).count { $0.contains("is empty") } == 7)
        #expect(file.lists.failing.count == 3)
    }

    @Test("A narrowed entry stands once for each pattern, in its own words")
    func narrowing() throws {
        let text = Self.text.replacing("\"said in\n  two lines\"", with: "said in one")
        let result = try Self.edited(text) {
            $0.narrowings = [
                .init(.failing, 1): [.init("download/a"), .init("download/b[*]", count: 7)],
                .init(.failing, 2): [.init("list/a[*]", count: 2), .init("list/b")],
            ]
        }
        #expect(
            result.contains(
                """
                  # Downloads

                  - {scenario: download/a, reason: r, link: K.md#two, expires: 2027-01-31}
                  - {scenario: "download/b[*]", count: 7, reason: r, link: K.md#two, expires: 2027-01-31}
                  - scenario: "list/a[*]"
                    # a remark inside
                    count: 2
                    reason: said in one
                    link: K.md#three
                  - scenario: list/b
                    reason: said in one
                    link: K.md#three

                known-flaky:
                """))
    }

    @Test("A count is written behind the pattern or over the old one, and nothing else changes")
    func counts() throws {
        let text = """
            known-failing:
              - {scenario: "a/*", reason: r, link: K.md#k}  # one
              - scenario: a/b*   # two
                reason: r
                link: K.md#k
              - link: K.md#k
                count: 10  # all of them
                scenario: 'a/c*'
                reason: "é, count: 10"
              - {count: 3, scenario: "a/d*", reason: r, link: K.md#k}
              - {reason: "é", link: K.md#k, scenario: a/e*, count: 4}

            """
        let result = try Self.edited(text) {
            for index in 0..<5 { $0.counts[.init(.failing, index)] = 20 + index }
        }
        #expect(
            result == """
                known-failing:
                  - {scenario: "a/*", count: 20, reason: r, link: K.md#k}  # one
                  - scenario: a/b*   # two
                    count: 21
                    reason: r
                    link: K.md#k
                  - link: K.md#k
                    count: 22  # all of them
                    scenario: 'a/c*'
                    reason: "é, count: 10"
                  - {count: 23, scenario: "a/d*", reason: r, link: K.md#k}
                  - {reason: "é", link: K.md#k, scenario: a/e*, count: 24}

                """)
        let narrowed = try Self.edited(text) {
            $0.narrowings = [
                .init(.failing, 2): [.init("a/c1")], .init(.failing, 4): [.init("a/e1")],
            ]
        }
        #expect(narrowed.contains("  - link: K.md#k\n    scenario: a/c1\n    reason: "))
        #expect(narrowed.contains("  - {reason: \"é\", link: K.md#k, scenario: a/e1}\n"))
        #expect(throws: Diagnostic.self) {
            try Self.edited(text) { $0.narrowings = [.init(.failing, 3): [.init("a/d1")]] }
        }
    }

    @Test(
        "A list is opened where there is none",
        arguments: [
            ("name: x\n", "name: x\n\nknown-failing:\n"),
            ("name: x", "name: x\n\nknown-failing:\n"),
            ("known-failing: []  # none\nname: x\n", "known-failing:  # none\n"),
            ("known-failing:   [ ]\nname: x\n", "known-failing:\n"),
            ("known-failing:\n  # - scenario: old\nname: x\n", "known-failing:\n"),
            ("known-failing: # none\nname: x\n", "known-failing: # none\n"),
        ])
    func opening(text: String, start: String) throws {
        let result = try Self.edited(text) { $0.additions = [.init(.failing, pattern: "a/b")] }
        let entry = "  - scenario: a/b\n    reason: \"\"\n    link: \"\"\n"
        #expect(result.hasPrefix(start + entry))
        #expect(result.contains("name: x"))
        #expect(result.contains("# - scenario: old") == text.contains("# - scenario: old"))
    }

    @Test("A list that loses its last entry is empty, and keeps its comments")
    func emptied() throws {
        let text =
            "known-failing: # mine\n  # one\n  - scenario: a/b\n    reason: r\n    link: a.md#b\n"
        let result = try Self.edited(text) { $0.deletions = [.init(.failing, 0)] }
        #expect(result == "known-failing: [] # mine\n  # one\n")
    }

    @Test("Deleting the last entry and adding another leaves a list")
    func replaced() throws {
        let text = "known-failing:\n  - {scenario: a/b, reason: r, link: a.md#b}\n"
        let result = try Self.edited(text) {
            $0.deletions = [.init(.failing, 0)]
            $0.additions = [.init(.failing, pattern: "a/c")]
        }
        #expect(
            result == "known-failing:\n  - scenario: a/c\n    reason: \"\"\n    link: \"\"\n")
    }

    @Test("Line ends, a missing last one and a byte order mark stay as they are")
    func lineEnds() throws {
        let text = "\u{FEFF}known-failing:\r\n- {scenario: a/b, reason: r, link: a.md#b}\r\nname: x"
        let result = try Self.edited(text) {
            $0.additions = [.init(.failing, pattern: "a/c", failure: ["x"])]
        }
        #expect(
            result
                == text.replacing(
                    "}\r\n",
                    with: "}\r\n- scenario: a/c\r\n  failure: \"x\"\r\n  reason: \"\"\r\n"
                        + "  link: \"\"\r\n"))
    }

    @Test("A line that is rewritten keeps its kind of line end")
    func rewrittenLineEnds() throws {
        let text = "known-failing: []\r\nname: x\r\n"
        let result = try Self.edited(text) { $0.additions = [.init(.failing, pattern: "a/c")] }
        #expect(
            result == "known-failing:\r\n  - scenario: a/c\r\n    reason: \"\"\r\n"
                + "    link: \"\"\r\nname: x\r\n")
    }

    @Test(
        "A list that is not one entry below the other is refused with its place",
        arguments: [
            "known-failing: [{scenario: a/b, reason: r, link: a.md#b}]\n",
            "{\"known-failing\": [{\"scenario\": \"a/b\", \"reason\": \"r\", \"link\": \"a.md#b\"}]}\n",
            "\"known-failing\":\n  -\n    scenario: a/b\n    reason: r\n    link: a.md#b\n",
            "known-failing:\n  - {scenario: a/c, reason: r,\n  link: a.md#b}\n"
                + "  - {scenario: a/b, reason: r, link: a.md#b}\n",
        ])
    func unusualLayout(text: String) throws {
        #expect(throws: Diagnostic.self) {
            try Self.edited(text) { $0.deletions = [.init(.failing, 0)] }
        }
    }

    @Test("An anchor that another value needs is not deleted")
    func anchors() {
        let text = """
            known-failing:
              - {scenario: a/b, reason: &why r, link: a.md#b}
              - {scenario: a/c, reason: *why, link: a.md#b}

            """
        #expect(throws: Diagnostic.self) {
            try Self.edited(text) { $0.deletions = [.init(.failing, 0)] }
        }
    }

    @Test("A diff has three lines around each change, and one hunk for changes that are near")
    func diffs() throws {
        let far = try Self.diff(Self.text) {
            $0.deletions = [.init(.failing, 1)]
            $0.additions = [.init(.flaky, pattern: "a/b")]
        }
        #expect(
            far == [
                "--- ./c.yaml", "+++ ./c.yaml", "@@ -11,7 +11,6 @@", "     # seen by two people",
                "   # Downloads", " ",
                "-  - {scenario: \"download/*\", reason: r, link: K.md#two, expires: 2027-01-31}",
                "   - scenario: 'list/**'", "     # a remark inside", "     count: 3",
                "@@ -24,4 +23,8 @@", "   reason: r", "   link: K.md#four", "   expires: 2026-12-31",
                "+- scenario: a/b", "+  reason: \"\"", "+  link: \"\"", "+  expires: \"\"",
                " mode: stdio", "",
            ])
        #expect(try Self.diff(Self.text) { _ in } == [""])
    }

    @Test("A diff says where a file has no last line end")
    func lastLine() throws {
        let diff = try Self.diff("name: x") { $0.additions = [.init(.failing, pattern: "a/b")] }
        #expect(
            diff == [
                "--- ./c.yaml", "+++ ./c.yaml", "@@ -1 +1,6 @@", "-name: x",
                "\\ No newline at end of file", "+name: x", "+", "+known-failing:",
                "+  - scenario: a/b", "+    reason: \"\"", "+    link: \"\"", "",
            ])
    }
}
