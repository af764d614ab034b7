import ClientDriver
import Foundation
import StorageModel
import TestSupport
import Testing

@Suite("The page's table of what clients do wrong")
struct ProtocolBreachTests {
    /// The rows: what a client does, and the words that are said of it.
    private static let rows: [(deed: String, words: String)] = {
        let page = ProtocolPage.text
        guard let start = page.range(of: "| what it does | what is said of it |"),
            let end = page.range(of: "\n\n", range: start.upperBound..<page.endIndex)
        else { return [] }
        return page[start.upperBound..<end.lowerBound].split(separator: "\n").dropFirst().map {
            let cells = $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0], cells[1])
        }
    }()

    /// The client of the zoo that does it.
    private static let kinds = [
        "gives no answer within 10 s": "hang",
        "gives no answer, and leaves half a line": "half-line",
        "gives no answer to `hello` within 30 s": "hang-at-hello",
        "gives no answer to `configure` within 10 s": "hang-at-configure",
        "gives no answer to `end`, or to the `sync` after it, within 10 s": "hang-at-end",
        "exits while something is due": "exit-3",
        "exits with another code than 0 at the end of its input": "exit-4-after-all",
        "exits in the middle of a line": "half-line-exit",
        "dies": "crash",
        "closes its standard output and goes on": "close-output",
        "closes its standard input and goes on": "close-input",
        "writes a line that is no JSON": "garbage",
        "writes JSON that is no message of this page": "unknown-message",
        "uses a name that this page does not have": "bad-code",
        "answers twice, or what was not asked": "two-answers",
        "answers with another result than the command has": "wrong-result",
        "reports of a task that was never started": "unknown-task",
        "reports after the answer to `end`": "event-after-end",
        "speaks another version": "wrong-version",
        "writes a line without end": "long-line",
        "writes without end": "flood",
    ]

    @Test("Each row is what the driver says of a client that does it")
    func rowsAreTrue() async throws {
        #expect(Self.rows.count == Self.kinds.count + 2)
        for (deed, words) in Self.rows {
            switch deed {
            case "cannot be started":
                let text = ClientMisbehaviour.notStarted(command: "x", problem: "y").description
                #expect(text.hasPrefix(words))
            case "has not answered when the scenario's deadline passes":
                let late = ClientMisbehaviour.overdue(command: "upload up", deadline: .seconds(1))
                #expect(late.description.hasPrefix(words))
            default:
                let kind = try #require(Self.kinds[deed], "nobody does: \(deed)")
                let outcomes = try await StdioDriverTests.run(kind) { limits in
                    limits.reply = .milliseconds(700)
                    if kind == "hang-at-hello" { limits.hello = .milliseconds(300) }
                    if kind.hasPrefix("hang-at-") { limits.end = .milliseconds(300) }
                }
                let blamed = outcomes.last?.blamed ?? outcomes.last?.idle.first
                let said = blamed?.description ?? "nothing"
                #expect(said.contains(words), "\(deed): \(said)")
            }
        }
    }

    @Test("The limits of the page are those of the driver")
    func limitsAreTrue() {
        let limits = StdioDriver.Limits()
        #expect(limits.reply == .seconds(10))
        #expect(limits.end == .seconds(10))
        #expect(limits.hello == .seconds(30))
        #expect(limits.line == 4_194_304)
        #expect(limits.termination == .milliseconds(500))
    }

    @Test("A client file's deadline bounds beginning and end, and four times the start")
    func deadlineBounds() {
        let limits = StdioDriver.Limits(deadline: .milliseconds(500))
        #expect(limits.end == .milliseconds(500))
        #expect(limits.hello == .seconds(2))
        #expect(StdioDriver.Limits(deadline: .seconds(3600)) == StdioDriver.Limits())
    }
}
