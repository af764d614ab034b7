import Foundation
import Testing

@Suite("squall run --update", .serialized)
struct UpdateTests {
    /// What it expects is wrong in three ways.
    private static let wrong = """
        title: An upload is refused
        source: [D17]  # stays
        faults: [{match: upload.start, do: {respond: {preset: permission-denied}}}]
        steps:
          - {upload: a, as: up, data: {size: 5, seed: 1}}
        expect:
          up:
            events: [resume, progress+,
              success]     # stays, too
            error: none
          requests: [upload.start, upload.finalize]

        """

    @Test(
        "The patch makes the scenario pass, and nothing else is changed", arguments: [true, false])
    func patch(usesGit: Bool) throws {
        let scratch = try Scratch()
        try scratch.file("retry/a.yaml", Self.wrong)
        let run = try Command.squall("run", "retry/a.yaml", "--update", in: scratch.url)
        #expect(run.status == 1, "\(run.all)")
        #expect(try scratch.text("retry/a.yaml") == Self.wrong)
        #expect(run.output.hasPrefix("--- ./retry/a.yaml\n"), "\(run.all)")
        #expect(run.errors.contains("is a must (D17): a rule is not changed"), "\(run.errors)")
        #expect(run.errors.contains("no file was changed"), "\(run.errors)")
        try scratch.file("a.patch", run.output)
        let words = usesGit ? "git apply a.patch" : "patch -p1 < a.patch"
        let applied = try Command.run(URL(filePath: "/bin/sh"), ["-c", words], in: scratch.url)
        #expect(applied.status == 0, "\(applied.all)\n\(run.output)")
        let text = try scratch.text("retry/a.yaml")
        #expect(
            text.contains("events: [resume, failure(unauthorized)]     # stays, too\n"), "\(text)")
        #expect(text.contains("error: {code: unauthorized}\n"), "\(text)")
        #expect(text.contains("requests: [upload.start status=403]\n"), "\(text)")
        #expect(text.contains("source: [D17]  # stays\n"))
        let again = try Command.squall("run", "retry/a.yaml", "--update", in: scratch.url)
        #expect(again.status == 0, "\(again.all)")
        #expect(again.output == "", "\(again.output)")
    }

    @Test("What belongs to other rows too is not changed for one of them")
    func rows() throws {
        let scratch = try Scratch()
        let text = Self.wrong
            .replacing("faults:", with: "matrix: {status: [403, 404]}\nfaults:")
            .replacing("{preset: permission-denied}", with: "\"${status}\"")
        try scratch.file("a.yaml", text)
        let run = try Command.squall("run", "a.yaml", "--update", in: scratch.url)
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot be changed for one row alone: the rows would have"))
        #expect(!run.output.contains("failure("), "\(run.output)")
        let one = try Command.squall(
            "run", "a.yaml", "--filter", "*403*", "--update", in: scratch.url)
        #expect(
            one.errors.contains("1 other rows have the value too, as a[status=404]"),
            "\(one.errors)")
        #expect(try scratch.text("a.yaml") == text)
    }

    @Test("A number is left to a person, and a passing scenario proposes nothing")
    func persons() throws {
        let scratch = try Scratch()
        try scratch.file(
            "a.yaml",
            """
            title: A download asks once
            source: [D1]
            backend: {objects: {a: {text: x}}}
            steps: [{download: a, as: d, to: file}]
            expect: {exchanges: [{match: download, count: 2}]}
            """)
        let run = try Command.squall("run", "a.yaml", "--update", in: scratch.url)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("this is for a person to change"), "\(run.errors)")
    }
}
