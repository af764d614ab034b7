import Foundation
import Scenario
import Testing

/// `squall list --symptom`, and the page that is made with it.
@Suite("By symptom")
struct SymptomTests {
    private static let page = "scenarios/SYMPTOMS.md"

    private static func list(_ words: String...) throws -> Command.Outcome {
        try Command.squall(arguments: ["list", "--symptom"] + words)
    }

    private static func ids(_ outcome: Command.Outcome) -> [String] {
        outcome.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    // MARK: Searching

    @Test(
        "Finds the scenario whose symptom has all words, in any case, order and quotes",
        arguments: [["locked", "UPLOAD"], ["LOCKED upload"], ["upload", "lock"]])
    func finds(words: [String]) throws {
        let outcome = try Command.squall(arguments: ["list", "--symptom"] + words)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.output.contains(
                "session/b049-session-still-locked  After a dropped connection the server says"))
    }

    @Test("One of the words alone is not enough")
    func wantsAll() throws {
        let both = Set(Self.ids(try Self.list("paused", "download")))
        let one = Set(Self.ids(try Self.list("paused")))
        #expect(both.contains("pause/b013-paused-download-stays-paused"))
        #expect(both.isStrictSubset(of: one))
    }

    @Test("Titles are searched too, and come after the symptoms")
    func titles() throws {
        let outcome = try Self.list("overloaded")
        #expect(
            Self.ids(outcome) == ["retry/b096-waits-between-failing-chunks", "retry/waits-grow"])
        #expect(outcome.output.contains("retry/waits-grow"))
        #expect(outcome.output.contains("The waits between tries grow"))
    }

    @Test("A file of many rows is told once")
    func rows() throws {
        let ids = Self.ids(try Self.list("short interruption"))
        #expect(ids == ["midstream/into-memory"])
    }

    @Test("Without words all symptoms are told, and nothing without one")
    func all() throws {
        let outcome = try Self.list()
        #expect(outcome.status == 0)
        let ids = Self.ids(outcome)
        #expect(ids.count >= 100)
        #expect(!ids.contains("retry/waits-grow"))
        #expect(Set(ids).count == ids.count)
    }

    @Test("Of a folder alone those of that folder are told")
    func paths() throws {
        let outcome = try Command.squall("list", "scenarios/pause", "--symptom", "upload")
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("session/"))
        #expect(!outcome.output.isEmpty)
    }

    @Test("Where nothing fits it says so with the nearest word and scenarios, and ends with 4")
    func nothing() throws {
        let outcome = try Self.list("lockd", "server")
        #expect(outcome.status == 4)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("no scenario has all of 'lockd server'"))
        #expect(outcome.errors.contains("for 'lockd', did you mean 'locked'?"))
        #expect(outcome.errors.contains("nearest:\n"))
        #expect(outcome.errors.contains("  session/b049-session-still-locked  "))
    }

    @Test("Words that nothing is near to are told alone")
    func farAway() throws {
        let outcome = try Self.list("qqqqqqqqqqqq")
        #expect(outcome.status == 4)
        #expect(outcome.errors == "squall: no scenario has all of 'qqqqqqqqqqqq'\n")
    }

    @Test(
        "What does not go together is a wrong command line",
        arguments: [
            (["--markdown", "--expect"], "it goes with paths and filters alone"),
            (["--symptom", "pause", "--markdown"], "it takes no words to search"),
            (["--symptom", "pause", "--profile", "apple"], "which no profile changes"),
        ])
    func refuses(words: [String], message: String) throws {
        let outcome = try Command.squall(arguments: ["list"] + words)
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
    }

    // MARK: The page

    @Test("The page is what the command writes")
    func isCurrent() throws {
        let outcome = try Command.squall("list", "--symptom", "--markdown")
        #expect(outcome.status == 0)
        let text = try String(
            contentsOf: Command.root.appending(path: Self.page), encoding: .utf8)
        #expect(
            outcome.output == text,
            "make it anew: squall list --symptom --markdown > \(Self.page)")
    }

    /// The commands of the page, as a shell reads them.
    private static let commands: [String] = {
        let url = Command.root.appending(path: page)
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.matches(of: /`(squall serve --scenario [^`]+)`/).map { String($0.1) }
    }()

    @Test("Every command of the page starts a server for that scenario")
    func commandsStart() throws {
        #expect(Self.commands.count >= 60)
        let program = Command.products.appending(path: "squall").path
        // One shell for all: each server ends by itself when nobody asks it anything.
        let lines = Self.commands.map { command in
            let own = command.replacing("squall serve", with: "'\(program)' serve --port 0")
            return "\(own) --until-idle 50ms; echo \"exit $?\""
        }
        let script = lines.joined(separator: "\n")
        let outcome = try Command.run(URL(filePath: "/bin/bash"), ["-c", "exec 2>&1\n" + script])
        let parts = outcome.output.split(separator: /exit \d+\n/)
        let codes = outcome.output.matches(of: /exit (\d+)\n/).map { String($0.1) }
        try #require(codes.count == Self.commands.count, "\(outcome.all)")
        for (command, (part, code)) in zip(Self.commands, zip(parts, codes)) {
            #expect(part.contains("squall serve: http://127.0.0.1:"), "\(command)\n\(part)")
            // Nobody came: void, or nothing to judge; never a file or line that is wrong.
            #expect(["0", "1", "4"].contains(code), "\(command): \(code)\n\(part)")
        }
    }

    @Test("A scenario that the page does not serve cannot be served, and it says why")
    func others() throws {
        let text = try String(
            contentsOf: Command.root.appending(path: Self.page), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.contains("| needs the runner: ") }
        for row in rows {
            let id = try #require(row.firstMatch(of: /\[([a-z0-9\/-]+)\]/)).1
            let plan = ScenarioLoader().planForServing(
                Command.root.appending(path: "scenarios/\(id).yaml").path)
            #expect(!plan.isValid, "\(id)")
            #expect(!row.contains("one scenario is served at a time"), "\(id)")
        }
        #expect(rows.count < Self.commands.count / 3)
    }
}
