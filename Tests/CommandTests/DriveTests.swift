import Foundation
import Testing

/// Adapters that are talked to by hand, by the built program.
@Suite("squall drive", .serialized, .timeLimit(.minutes(5)))
struct DriveTests {
    private static let adapter = Command.root.appending(
        path: "Conformance/adapters/python-minimal/client.py"
    ).path

    /// Runs it with lines on its standard input.
    private static func drive(
        _ lines: String, _ options: [String] = [], client: [String] = ["python3", adapter],
        in scratch: Scratch
    ) throws -> Command.Outcome {
        let input = try scratch.file("input", lines)
        let squall = Command.products.appending(path: "squall").path
        return try Command.run(
            URL(filePath: "/bin/sh"),
            ["-c", "exec \"$0\" \"$@\" < '\(input.path)'", squall, "drive"] + options + ["--"]
                + client, in: scratch.url)
    }

    /// The lines without their times.
    private static func lines(_ outcome: Command.Outcome) -> [String] {
        outcome.output.split(separator: "\n").map { line in
            String(line.drop { $0 == " " }.drop { $0.isNumber || $0 == "." || $0 == "s" })
        }
    }

    @Test("Short commands, waits and commands as they are go to the adapter; the backend is seen")
    func talks() throws {
        let scratch = try Scratch()
        let outcome = try Self.drive(
            """
            # an upload that is paused
            on up pause snapshot up
            upload up images/a.jpg 1MiB
            wait up progress
            pause up
            wait up pause
            {"do":"resume","task":"up"}
            wait up success
            download down images/a.jpg max 2MiB
            """, ["--fault", "upload.body#2 @ request-body 50%: disconnect reset"], in: scratch)
        #expect(outcome.status == 0, "\(outcome.all)")
        let lines = Self.lines(outcome)
        let story = [
            #"> {"do":"hello","id":1"#, "< {", #"> {"bucket":"#,
            #"> {"do":"snapshot","id":3,"on":{"event":"pause","task":"up"}"#,
            #""do":"upload","id":4,"object":"images/a.jpg","task":"up"}"#,
            "upload.start  images/a.jpg", #"> {"do":"pause","id":5"#, #""event": "pause""#,
            #"> {"do":"resume","id":6"#, #""event": "success", "task": "up""#,
            #""do":"download","id":7"#, "download  images/a.jpg  1MiB from 0  200",
            #"{"completion": "down""#, #"> {"do":"end","id":8}"#, "the client ended with code 0",
            "fired  fault",
        ]
        var rest = lines[...]
        for part in story {
            let found = rest.firstIndex { $0.contains(part) }
            #expect(found != nil, "'\(part)' is not, or not there, in \(outcome.output)")
            rest = found.map { rest[($0 + 1)...] } ?? rest
        }
    }

    @Test(
        "A line that cannot be understood ends a run without a terminal, and is told with its member",
        arguments: [
            ("sync\npuase up", "line 2: 'puase' is no command; did you mean 'pause'?"),
            ("pause", "line 1: TASK is missing; for example: pause up"),
            ("upload up a.bin 1mb", "line 1: '1mb' is no size like 1MiB, and no file"),
            (
                #"{"do":"pause"}"#, "line 1: 'task' is missing"
            ),
            (
                "\n" + #"{"do":"pause","task":"up","on":{"task":"up","event":"pose"}}"#,
                "line 2: 'on.event' is 'pose', not one of: resume, progress"
            ),
            (#"{"do":"hello","protocol":1}"#, "line 1: Squall says that by itself"),
            ("on up pause on up pause sync", "line 1: 'on' wants a command"),
            ("wait up weather", "line 1: 'weather' is not one of: resume"),
            ("pause up now", "line 1: 'pause' takes no 'now'"),
            ("upload up \"a b 1MiB", "line 1: a quote is not closed"),
        ])
    func refuses(lines: String, words: String) throws {
        let outcome = try Self.drive(lines, in: Scratch())
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains("squall: " + words), "\(outcome.errors)")
    }

    @Test("An adapter that fails is told at once, with what it wrote to its own log")
    func showsFailures() throws {
        let scratch = try Scratch()
        let script = try scratch.file("client.py", "import sys\nsys.exit(open('/nowhere/x'))\n")
        let outcome = try Self.drive("sync\n", client: ["python3", script.path], in: scratch)
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("| FileNotFoundError"), "\(outcome.output)")
        #expect(outcome.output.contains("! the client exited with code 1 before it answered"))
    }

    @Test("An adapter is also found by its client file; without any adapter nothing is driven")
    func takesClientFiles() throws {
        let scratch = try Scratch()
        let file = try scratch.file(
            "client.yaml",
            """
            name: python-minimal
            command: [python3, "\(Self.adapter)"]
            capabilities: [upload.data, upload.file, download.memory, download.file, pause, resume]

            """)
        let squall = Command.products.appending(path: "squall").path
        let script = "echo 'upload up a.bin 1KiB' | '\(squall)' drive --client '\(file.path)'"
        let outcome = try Command.run(URL(filePath: "/bin/sh"), ["-c", script], in: scratch.url)
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains(#""event": "success", "task": "up""#))
        let nobody = try Command.squall("drive")
        #expect(nobody.status == 2)
        #expect(nobody.errors.contains("'drive' wants an adapter"))
    }

    @Test("Another version is refused on either side, whatever else is said")
    func refusesVersions() throws {
        let scratch = try Scratch()
        let script = try scratch.file(
            "client.py",
            #"""
            input()
            print('{"answer":1,"hello":{"protocol":2,"name":"new","greeting":"hi"}}', flush=True)
            input()
            """#)
        let outcome = try Self.drive("sync\n", client: ["python3", script.path], in: scratch)
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("'hello.protocol' is 2, not 1"), "\(outcome.output)")
        for client in [
            "'\(Command.products.appending(path: "squall-reference-client").path)'",
            "python3 '\(Self.adapter)'",
        ] {
            let answer = try Command.run(
                URL(filePath: "/bin/sh"),
                ["-c", #"printf '{"do":"hello","id":1,"protocol":2}\n' | "# + client])
            let text = answer.output.replacing(" ", with: "")
            #expect(text.contains(#""protocol":1"#), "\(answer.all)")
        }
    }

    @Test("An interrupt ends it while it waits, and nothing of an adapter that hangs is left")
    func endsOnInterrupt() throws {
        for lines in ["", "wait up success"] {
            let scratch = try Scratch()
            let mark = "squall-drive-\(UUID().uuidString)"
            let text = """
                import json, time
                hello = {"name": "x", "version": "1", "protocol": 1, "capabilities": []}
                for number in (1, 2):
                    answer = {"answer": json.loads(input())["id"]}
                    if number == 1:
                        answer["hello"] = hello
                    print(json.dumps(answer), flush=True)
                time.sleep(3600)
                """
            let hang = lines.isEmpty ? "import time\ntime.sleep(3600)\n" + text : text
            let script = try scratch.file("\(mark).py", hang)
            let input = try scratch.file("input", lines + "\n")
            let process = Process()
            process.executableURL = Command.products.appending(path: "squall")
            process.arguments = ["drive", "--", "python3", script.path]
            process.standardInput = try FileHandle(forReadingFrom: input)
            process.standardOutput = try scratch.handle("output")
            process.standardError = FileHandle.nullDevice
            try scratch.run(process)
            let awaited = lines.isEmpty ? "> {" : "{\"answer\": 2}"
            try scratch.wait(for: "the adapter") { try scratch.text("output").contains(awaited) }
            process.interrupt()
            try scratch.waitForEnd(of: process)
            #expect(process.terminationReason == .exit)
            #expect(try Command.processes(naming: mark).isEmpty)
        }
    }

    @Test("The schema is printed whole, or of one side; other words are refused")
    func printsSchema() throws {
        let both = try Command.squall("schema", "protocol")
        let reports = try Command.squall("schema", "protocol", "reports")
        let commands = try Command.squall("schema", "protocol", "commands")
        for outcome in [both, reports, commands] {
            #expect(outcome.status == 0)
            let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            #expect((value as? [String: Any])?["$defs"] != nil)
        }
        #expect(both.output != reports.output && reports.output != commands.output)
        let wrong = try Command.squall("schema", "protocol", "report")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("did you mean 'reports'?"))
        #expect(try Command.squall("schema").status == 2)
        #expect(try Command.squall("schema", "scenarios").status == 2)
    }

    // MARK: Transcripts

    @Test("A transcript played again shows no difference; another adapter's differences are shown")
    func replays() throws {
        let scratch = try Scratch()
        let kept = scratch.url.appending(path: "kept").path
        let ids = [
            "upload/file-in-chunks", "lostreply/chunk-answer-lost",
            "pause/file-download-and-resume",
        ]
        let run = try Command.squall(
            arguments: ["run"] + ids.flatMap { ["--filter", $0] }
                + ["--transcript", kept, "--", "python3", Self.adapter])
        #expect(run.status == 0, "\(run.all)")
        for id in ids {
            let options = [
                "--replay", "\(kept)/\(id).transcript", "--scenario",
                Command.root.appending(path: "scenarios/\(id).yaml").path,
            ]
            let again = try Self.drive("", options, in: scratch)
            #expect(again.status == 0, "\(id): \(again.all)")
            #expect(again.output.contains("rows of reports, no difference"))
        }
        let script = try scratch.file(
            "other.py",
            """
            text = open("\(Self.adapter)").read()
            text = text.replace('"completed": self.done', '"completed": self.done // 2')
            exec(compile(text, "client.py", "exec"))
            """)
        let options = ["--replay", "\(kept)/\(ids[0]).transcript"]
        let other = try Self.drive(
            "", options, client: ["python3", script.path], in: scratch)
        #expect(other.status == 1, "\(other.all)")
        #expect(other.output.contains("in the transcript"))
        #expect(other.output.contains("1 difference"))
    }

    @Test("Garbage and half lines are in the transcript, and the misbehaviour is played again")
    func keepsGarbage() throws {
        let scratch = try Scratch()
        // In one write: after the first line alone it may be ended before it comes to the half one.
        let script = try scratch.file(
            "client.py",
            """
            import sys
            text = open("\(Self.adapter)").read()
            text = text.replace('tasks[task] = Task(message)',
                'sys.stdout.buffer.write(bytes([255, 13, 65, 10]) + b"{half");'
                'sys.stdout.flush(); import os; os._exit(3)')
            exec(compile(text, "client.py", "exec"))
            """)
        let kept = scratch.url.appending(path: "kept").path
        let run = try Command.squall(
            "run", "--filter", "upload/empty-data", "--transcript", kept, "--", "python3",
            script.path)
        #expect(run.status == 1, "\(run.all)")
        let transcript = try Data(contentsOf: URL(filePath: kept + "/upload/empty-data.transcript"))
        #expect(transcript.range(of: Data([0x3C, 0x20, 255, 13, 65, 10])) != nil)
        #expect(transcript.range(of: Data("<~ {half\n".utf8)) != nil)
        #expect(transcript.range(of: Data("! the client wrote a line that is no".utf8)) != nil)
        let options = ["--replay", kept + "/upload/empty-data.transcript"]
        let again = try Self.drive(
            "", options, client: ["python3", script.path], in: scratch)
        #expect(again.status == 0, "\(again.all)")
        let better = try Self.drive("", options, in: scratch)
        #expect(better.status == 1, "\(better.all)")
        #expect(better.output.contains("kept to the protocol"))
    }

    @Test("A transcript of nobody, or of a file that is none, is refused")
    func refusesTranscripts() throws {
        let scratch = try Scratch()
        let inside = try Command.squall("run", "--transcript", scratch.url.path, "scenarios/list")
        #expect(inside.status == 2)
        #expect(inside.errors.contains("--transcript goes with a client"))
        let file = try scratch.file("file", "hello\n").path
        let blocked = try Command.squall("run", "--transcript", file, "--", "python3", Self.adapter)
        #expect(blocked.status == 2, "\(blocked.all)")
        let none = try Self.drive("", ["--replay", file], in: scratch)
        #expect(none.status == 2)
        #expect(none.errors.contains("is no transcript"), "\(none.errors)")
    }
}
