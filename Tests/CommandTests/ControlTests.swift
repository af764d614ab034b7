import Foundation
import Testing

/// What `squall run` makes of clients whose green shows nothing.
@Suite("Controls of the command", .serialized, .timeLimit(.minutes(5)))
struct ControlTests {
    /// Each with a fault that refuses or breaks a request, and no two with the same commands.
    private static let scenarios = [
        "retry/one-unavailable[match=upload.chunk#2,status=503]",
        "midstream/broken-at-a-byte[how=reset,at=500000]",
        "lostreply/final-answer-lost", "partial/broken-in-a-chunk[how=reset,kept=100KiB]",
        "errmap/status-to-code[case=3]",
    ]

    private static let reference = Command.products.appending(path: "squall-reference-client").path

    private static func run(
        _ client: [String], report: URL, _ more: [String] = []
    ) throws -> Command.Outcome {
        try Command.run(
            Command.products.appending(path: "squall"),
            ["run"] + scenarios.flatMap { ["--filter", $0] } + more
                + ["--report", "console", "--report", "json=\(report.path)", "--"] + client)
    }

    @Test("An honest client over a pipe has its controls and twins, and is green")
    func honest() throws {
        let scratch = try Scratch()
        let outcome = try Self.run([Self.reference], report: scratch.url.appending(path: "r.json"))
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "5 of 5 controls went red; 5 of 5 fault-free twins differ"), "\(outcome.all)")
    }

    @Test("A client that plays a tape back passes every scenario, and its run is red")
    func tape() throws {
        let scratch = try Scratch()
        let honest = scratch.url.appending(path: "honest.json")
        #expect(try Self.run([Self.reference], report: honest).status == 0)
        let player = try scratch.file("tape.py", TapeClient.program)
        let outcome = try Self.run(
            ["python3", player.path, honest.path], report: scratch.url.appending(path: "tape.json"))
        #expect(outcome.output.contains("5 planned: 5 passed, 0 failed"), "\(outcome.all)")
        #expect(
            outcome.output.contains("5 of 5 controls went red; 0 of 5 fault-free twins differ"),
            "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "twin: nothing that the client does or tells depends on what happens"),
            "\(outcome.all)")
        #expect(outcome.output.contains("note: the client's events may not depend on what happens"))
        #expect(outcome.status == 1)
    }

    @Test("In process they are made where they are asked for")
    func inProcess() throws {
        let plain = try Command.squall("run", "scenarios/lostreply")
        #expect(!plain.output.contains("went red"), "\(plain.all)")
        let controlled = try Command.squall("run", "scenarios/lostreply", "--controls")
        #expect(controlled.status == 0)
        #expect(
            controlled.output.contains(#/\n(\d+) of \1 controls went red; 1 of 1 fault-free/#),
            "\(controlled.all)")
    }

    @Test("A run of a scenario that can show nothing is errored")
    func showsNothing() throws {
        let scratch = try Scratch()
        let file = try scratch.file(
            "nothing.yaml",
            """
            title: Nothing is asked for and nothing expected
            source: [D3]
            steps:
              - {wait: 1ms}
            """)
        let outcome = try Command.squall("run", file.path, "--controls")
        #expect(outcome.output.contains("1 passed"), "\(outcome.all)")
        #expect(outcome.output.contains("control: 0 of 1 passed scenarios could be controlled"))
        #expect(outcome.status == 5, "\(outcome.all)")
    }
}
