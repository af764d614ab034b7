import Foundation
import Testing

/// Runs that somebody breaks off.
@Suite("A run that is interrupted", .serialized, .timeLimit(.minutes(5)))
struct InterruptionTests {
    private struct Report: Decodable {
        struct Scenario: Decodable {
            let id: String
            let verdict: String
            let reason: String?
        }

        let exitCode: Int32
        let scenarios: [Scenario]
    }

    /// The adapter to copy, which does something else at the first download into memory.
    private static func client(_ deed: String) -> String {
        let adapter = Command.root.appending(path: "Conformance/adapters/python-minimal/client.py")
        return """
            import os, signal, subprocess, sys, time

            def hang():
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                subprocess.Popen(["sleep", "3600"], start_new_session=True)
                \(deed)
                while True:
                    time.sleep(60)

            class Lines:
                def __iter__(self):
                    for line in lines:
                        if '"maxSize"' in line:
                            hang()
                        yield line

            lines = sys.stdin
            sys.stdin = Lines()
            exec(compile(open("\(adapter.path)").read(), "client.py", "exec"))
            """
    }

    /// The processes on this machine that have this text in their environment.
    private static func processes(marked mark: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { entry in
            guard Int(entry) != nil,
                let text = FileManager.default.contents(atPath: "/proc/\(entry)/environ")
            else { return false }
            return String(decoding: text, as: UTF8.self).contains(mark)
        }
    }

    /// As `timeout` sends it: to the process, and in the same moment to its group.
    @Test("Two signals in one moment end it with a report of what ran, and nothing is left")
    func twoSignals() throws {
        let scratch = try Scratch()
        let mark = "interrupted-\(UUID().uuidString)"
        let script = try scratch.file(
            "client.py",
            Self.client(
                "for number in (signal.SIGINT, signal.SIGTERM): os.kill(os.getppid(), number)"))
        let report = scratch.url.appending(path: "report.json")
        let outcome = try Command.squall(
            "run", "--filter", "download/into-a-file", "--filter", "download/into-memory",
            "--filter", "upload/empty-data", "--jobs", "1", "--report", "json=\(report.path)",
            "--", "python3", script.path, environment: ["SQUALL_TEST": mark])
        let told = try JSONDecoder().decode(Report.self, from: Data(contentsOf: report))
        #expect(
            told.scenarios.map { "\($0.id) \($0.verdict)" } == [
                "download/into-a-file passed", "download/into-memory notRun",
                "upload/empty-data notRun",
            ])
        #expect(told.scenarios[1].reason == "the run was ended while it ran")
        #expect(told.scenarios[2].reason == "the run was ended before it")
        #expect(outcome.status == told.exitCode, "\(outcome.all)")
        #expect(outcome.status == 1)
        #expect(try Self.processes(marked: mark).isEmpty)
    }

    @Test("A client that does not say who it is is not waited for, and nothing is left of it")
    func beforeHello() throws {
        let scratch = try Scratch()
        let mark = "silent-\(UUID().uuidString)"
        let script = try scratch.file(
            "client.py",
            """
            import os, signal, time
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.kill(os.getppid(), signal.SIGINT)
            while True:
                time.sleep(60)
            """)
        let start = ContinuousClock.now
        let outcome = try Command.squall(
            "run", "--filter", "download/into-a-file", "--report", "console", "--",
            "python3", script.path, environment: ["SQUALL_TEST": mark])
        // It would be waited for 30 s.
        #expect(ContinuousClock.now - start < .seconds(29), "\(outcome.all)")
        #expect(outcome.output.contains("the run was ended before it"), "\(outcome.all)")
        #expect(outcome.status == 1)
        #expect(try Self.processes(marked: mark).isEmpty)
    }

    @Test("Where it is killed, nothing of its client is left, though that heeds no signal")
    func killed() throws {
        let scratch = try Scratch()
        let mark = "killed-\(UUID().uuidString)"
        let script = try scratch.file(
            "client.py", Self.client("os.kill(os.getppid(), signal.SIGKILL)"))
        let outcome = try Command.squall(
            "run", "--filter", "download/into-memory", "--", "python3", script.path,
            environment: ["SQUALL_TEST": mark])
        #expect(outcome.status == SIGKILL, "\(outcome.all)")
        // A killed process needs a moment to be gone; nothing tells when it is.
        let limit = ContinuousClock.now + .seconds(20)
        while try !Self.processes(marked: mark).isEmpty, ContinuousClock.now < limit {}
        #expect(try Self.processes(marked: mark).isEmpty)
    }
}
