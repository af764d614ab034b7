import Foundation
import Testing
import WireProbe

@Suite("squall new", .serialized)
struct NewCommandTests {
    @Test(
        "Prints a skeleton that is valid, passes, and says what each part is for",
        arguments: ["upload", "download", "metadata"])
    func skeleton(topic: String) throws {
        let scratch = try Scratch()
        let made = try Command.squall("new", "--topic", topic, in: scratch.url)
        #expect(made.status == 0, "\(made.all)")
        try scratch.file("a.yaml", made.output)
        #expect(try Command.squall("check", "a.yaml", in: scratch.url).status == 0)
        let run = try Command.squall("run", "a.yaml", in: scratch.url)
        #expect(run.status == 0, "\(run.all)")
        let lines = made.output.components(separatedBy: "\n")
        for part in [
            "title:", "source:", "level:", "backend:", "client:", "faults:", "steps:", "expect:",
        ] {
            let index = try #require(lines.firstIndex { $0.hasPrefix(part) }, "\(part)")
            #expect(lines[index - 1].hasPrefix("# "), "\(part)")
        }
    }

    @Test("Writes a file once, and puts an id below the suite")
    func places() throws {
        let scratch = try Scratch()
        try scratch.file("scenarios/VERSION", "1.0\n")
        let made = try Command.squall("new", "retry/twice", in: scratch.url)
        #expect(made.output.hasPrefix("wrote scenarios/retry/twice.yaml\n"), "\(made.all)")
        let text = try scratch.text("scenarios/retry/twice.yaml")
        let again = try Command.squall("new", "retry/twice", in: scratch.url)
        #expect(again.status == 2)
        #expect(again.errors.contains("scenarios/retry/twice.yaml is there already"))
        #expect(try scratch.text("scenarios/retry/twice.yaml") == text)
        #expect(try Command.squall("new", "b.yaml", in: scratch.url).status == 0)
        #expect(try scratch.text("b.yaml").contains("upload: images/rivers.jpg"))
    }

    @Test(
        "A wrong command line is told",
        arguments: [
            (["new", "a.yaml", "b.yaml"], "writes one file"),
            (["new", "../a"], "neither a file"), (["new", "--from", "nowhere"], "cannot be read"),
            (["new", "--from", "x", "--topic", "y"], "--topic goes with a skeleton"),
            (["new", "a.yaml", "--out", "b.yaml"], "given twice"),
        ])
    func usage(words: [String], message: String) throws {
        let scratch = try Scratch()
        let outcome = try Command.squall(arguments: words, in: scratch.url)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    // MARK: Sessions

    private func client(_ served: Served, _ words: String...) throws {
        let outcome = try Command.run(
            Command.products.appending(path: "squall-transfer-client"),
            ["\(served.port)"] + words, in: served.scratch.url)
        #expect(outcome.status == 0, "\(outcome.all)")
    }

    @Test("A session of the reference client becomes a scenario that it passes again")
    func endToEnd() throws {
        let served = try Served(
            [
                "--journal", "seen.jsonl", "--data", "small=texts/small.txt",
                "--fault", "upload.body#1 @ request-body 60%: disconnect reset",
                "--fault", "download#1 @ response-body 50%: disconnect reset",
                "--fault", "delete: respond 503",
            ],
            files: [
                "up": Data(repeating: 3, count: 600_000), "small": Data("hello there".utf8),
            ])
        let folder = served.scratch.url
        try client(served, "put-file", "images/a b.jpg", "up")
        try client(served, "get-file", "images/a b.jpg", "down")
        try client(served, "get-memory", "texts/small.txt")
        _ = try served.end()
        let made = try Command.squall(
            "new", "--from", "seen.jsonl", "--out", "seen.yaml", in: folder)
        #expect(made.status == 0, "\(made.all)")
        let text = try String(contentsOf: folder.appending(path: "seen.yaml"), encoding: .utf8)
        #expect(text.contains("texts/small.txt: {text: hello there}"), "\(text)")
        #expect(text.contains("at: request-body 360000, do: {disconnect: reset}"), "\(text)")
        #expect(text.contains("at: response-body 300000"), "\(text)")
        #expect(text.contains("# Never fired, and left out: delete: respond 503"), "\(text)")
        #expect(text.contains("# To fill in, a server does not see them: events:"), "\(text)")
        #expect(text.contains("# Guessed"), "\(text)")
        #expect(
            text.contains("upload.finalize offset=256KiB") && text.contains("status=none"),
            "\(text)")
        let check = try Command.squall("check", "seen.yaml", in: folder)
        #expect(check.status == 0, "\(check.all)\n\(text)")
        let run = try Command.squall("run", "seen.yaml", in: folder)
        #expect(run.status == 0, "\(run.all)\n\(text)")
    }

    @Test("What is redacted in the journal is redacted in the scenario")
    func redacted() throws {
        let served = try Served(
            ["--journal", "seen.jsonl", "--data", "small=a"],
            files: ["small": Data("hello".utf8)])
        let probe = try served.probe()
        try probe.ask(
            "\(Served.objects)/a?alt=media&token=VERYSECRET",
            fields: ["Authorization: Bearer VERYSECRET"])
        _ = try probe.readAnswer()
        _ = try served.end()
        let made = try Command.squall("new", "--from", "seen.jsonl", in: served.scratch.url)
        #expect(made.status == 0, "\(made.all)")
        #expect(!made.all.contains("VERYSECRET"))
        #expect(made.output.contains("download: a"), "\(made.output)")
    }

    @Test("A journal that is cut, of another format, or none at all is refused with its line")
    func damaged() throws {
        let served = try Served(
            ["--journal", "seen.jsonl", "--data", "small=a"],
            files: ["small": Data("hello".utf8)])
        for _ in 0..<3 {
            let probe = try served.probe()
            try probe.ask("\(Served.objects)/a?alt=media")
            _ = try probe.readAnswer()
        }
        _ = try served.end()
        let scratch = served.scratch
        let lines = try scratch.text("seen.jsonl").components(separatedBy: "\n").dropLast()
        func refusal(_ name: String, _ text: String) throws -> String {
            try scratch.file(name, text)
            let outcome = try Command.squall("new", "--from", name, in: scratch.url)
            #expect(outcome.status == 3, "\(outcome.all)")
            return outcome.errors
        }
        let whole = lines.joined(separator: "\n") + "\n"
        #expect(try refusal("cut", String(whole.dropLast(9))).contains("cut:4: the journal ends"))
        let holed = lines.enumerated().filter { $0.offset != 2 }.map(\.element)
        #expect(
            try refusal("holed", holed.joined(separator: "\n") + "\n").contains("#2 is missing"))
        #expect(
            try refusal("other", whole.replacing("\"format\":1", with: "\"format\":7"))
                .contains("other:1: the journal has the format 7, this version reads 1"))
        #expect(try refusal("none", "hello\n").contains("none:1: this is no line of a journal"))
        #expect(try refusal("empty", "").contains("empty:1: the file is empty"))
        #expect(
            try refusal("idle", lines[0] + "\n").contains("the server has seen no request"))
    }
}
