import Foundation
import Testing

/// Clients behind the driver protocol, driven by the built program.
@Suite("Clients over standard input and output", .serialized, .timeLimit(.minutes(5)))
struct StdioTests {
    @Test("The reference client over a pipe gets the verdicts that it gets in process")
    func sameVerdicts() throws {
        let scenarios = [
            "auth/renewed-once", "cancel/running-upload", "download/into-memory",
            "errmap/status-to-code", "list/pages", "lostreply/final-answer-lost",
            "metadata/update", "midstream/broken-at-a-byte", "observer/added-midway",
            "partial/broken-in-a-chunk", "pause/upload-and-resume",
            "retry/one-unavailable-download", "upload/file-in-chunks",
        ]
        let client = Command.products.appending(path: "squall-reference-client").path
        let inside = try Run(scenarios)
        let outside = try Run(scenarios, command: [client])
        #expect(inside.verdicts.count >= scenarios.count)
        #expect(inside.verdicts.values.allSatisfy { $0 == "passed" })
        #expect(outside.verdicts == inside.verdicts, "\(outside.outcome.all)")
        #expect(outside.outcome.status == inside.outcome.status)
    }

    @Test("The adapter to copy passes what it can do, and the run ends green")
    func minimalAdapter() throws {
        let scenarios = [
            "boundary/download-sizes", "cancel/running-download", "download/empty-object",
            "download/into-a-file", "download/into-memory", "download/limit-of-memory",
            "download/many-at-once", "download/replaces-a-file", "lostreply/chunk-answer-lost",
            "midstream/broken-at-a-byte", "midstream/into-memory", "midstream/three-times",
            "partial/broken-in-a-chunk", "pause/file-download-and-resume",
            "retry/one-unavailable[", "retry/one-unavailable-download", "upload/empty-data",
            "upload/file-in-chunks",
        ]
        let adapter = "Conformance/adapters/python-minimal/client.py"
        let run = try Run(scenarios, command: ["python3", adapter])
        for id in scenarios { #expect(run.verdicts.keys.contains { $0.hasPrefix(id) }) }
        #expect(run.verdicts.values.allSatisfy { $0 == "passed" }, "\(run.outcome.all)")
        #expect(run.outcome.status == 0)
    }

    @Test(
        "A child that hangs, dies or talks garbage costs its scenario and no other",
        arguments: [
            ("time.sleep(3600)", "no answer"),
            ("os._exit(3)", "exit"),
            ("print('garbage', flush=True)", "garbage"),
        ])
    func blame(deed: String, words: String) throws {
        let scratch = try Scratch()
        let mark = "squall-stdio-\(UUID().uuidString)"
        let adapter = Command.root.appending(path: "Conformance/adapters/python-minimal/client.py")
        let script = try scratch.file("\(mark).py", Self.spoiled(deed, adapter: adapter.path))
        let good = ["download/into-a-file", "upload/empty-data"]
        let bad = "download/into-memory"
        let run = try Run(good + [bad], command: ["python3", script.path], jobs: 1)
        #expect(run.verdicts[bad] == "failed", "\(run.outcome.all)")
        for id in good { #expect(run.verdicts[id] == "passed", "\(run.outcome.all)") }
        #expect(run.outcome.status == 1)
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        #expect(try Command.processes(naming: mark).isEmpty)
    }

    @Test("A command that is not there is told, and nothing hangs")
    func noSuchCommand() throws {
        let outcome = try Command.squall(
            "run", "scenarios/upload", "--", "/nowhere/squall-no-such-client")
        #expect([1, 5].contains(outcome.status), "\(outcome.all)")
        #expect(outcome.all.contains("/nowhere/squall-no-such-client"), "\(outcome.all)")
    }

    /// The adapter to copy, which does something else where a download of one scenario begins.
    private static func spoiled(_ deed: String, adapter: String) -> String {
        """
        import os, sys, time

        class Lines:
            def __iter__(self):
                for line in lines:
                    if '"maxSize"' in line:
                        \(deed)
                    yield line

        lines = sys.stdin
        sys.stdin = Lines()
        exec(compile(open("\(adapter)").read(), "client.py", "exec"))
        """
    }
}

/// A run of the program over whole scenario files, and what its report says.
private struct Run {
    private struct Report: Decodable {
        struct Scenario: Decodable {
            let id: String
            let verdict: String
        }

        let scenarios: [Scenario]
    }

    let outcome: Command.Outcome
    /// By the id, which names the row of a matrix too.
    let verdicts: [String: String]

    init(_ scenarios: [String], command: [String] = [], jobs: Int = 2) throws {
        let scratch = try Scratch()
        let report = scratch.url.appending(path: "report.json")
        let arguments =
            ["run"] + scenarios.flatMap { ["--filter", "\($0)*"] }
            + ["--jobs", String(jobs), "--report", "console", "--report", "json=\(report.path)"]
            + (command.isEmpty ? [] : ["--"] + command)
        outcome = try Command.run(Command.products.appending(path: "squall"), arguments)
        let document = try JSONDecoder().decode(Report.self, from: Data(contentsOf: report))
        verdicts = Dictionary(
            document.scenarios.map { ($0.id, $0.verdict) }, uniquingKeysWith: { $1 })
    }
}
