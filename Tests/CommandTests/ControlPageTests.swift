import Foundation
import Testing

/// `squall serve` with a control port, as a process of its own.
final class ServedWithControl {
    let scratch: Scratch
    let ports: (server: String, control: String)
    private let process = Process()

    init(_ arguments: [String] = [], token: String? = nil) throws {
        scratch = try Scratch()
        try scratch.file("photo.jpg", Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0) }))
        process.executableURL = Command.products.appending(path: "squall")
        process.arguments = ["serve", "--port", "0", "--control-port", "0"] + arguments
        process.currentDirectoryURL = scratch.url
        var environment = ProcessInfo.processInfo.environment
        environment["SQUALL_CONTROL_TOKEN"] = token
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try scratch.handle("output")
        process.standardError = try scratch.handle("errors")
        try process.run()
        var found: (String, String)?
        let deadline = ContinuousClock.now + .seconds(20)
        while found == nil, ContinuousClock.now < deadline, process.isRunning {
            let text = try scratch.text("output")
            if let server = text.firstMatch(of: /serve: http:\/\/127\.0\.0\.1:(\d+)/),
                let control = text.firstMatch(of: /control +http:\/\/127\.0\.0\.1:(\d+)\/v1/)
            {
                found = (String(server.1), String(control.1))
            }
            sched_yield()
        }
        guard let found else {
            process.terminate()
            throw CocoaError(.executableLoad)
        }
        ports = found
    }

    /// Runs a script in the server's folder, the ports of the page in place of the real ones.
    func run(_ script: String, _ environment: [String: String] = [:]) throws -> Command.Outcome {
        let text = script.replacing("9199", with: ports.server)
            .replacing("9299", with: ports.control)
        let names = ["NO_PROXY": "*", "no_proxy": "*"].merging(environment) { $1 }
        let outcome = try Command.run(
            URL(filePath: "/bin/bash"), ["-c", "exec 2>&1\n" + text], in: scratch.url, names)
        return Command.Outcome(
            status: outcome.status, output: asOnThePage(outcome.output), errors: outcome.errors)
    }

    /// What the server printed, and its exit code, after it was told to stop.
    func end() throws -> (status: Int32, output: String) {
        process.interrupt()
        process.waitUntilExit()
        let text = try scratch.text("output") + scratch.text("errors")
        return (process.terminationStatus, asOnThePage(text))
    }

    private func asOnThePage(_ text: String) -> String {
        text.replacing(ports.server, with: "9199").replacing(ports.control, with: "9299")
    }
}

@Suite("The control API from the command line", .serialized)
struct ControlPageTests {
    @Test("Every example of the page does what it shows, one after the other on one server")
    func page() throws {
        let page = try String(
            contentsOf: Command.root.appending(path: "Conformance/CONTROL.md"), encoding: .utf8)
        let blocks = ConsoleBlock.all(in: page)
        #expect(blocks.count >= 9)
        let served = try ServedWithControl(["--data", "photo.jpg=images/photo.jpg"])
        for block in blocks {
            let echoed = block.commands.map { command in
                let shown = command.replacing("\n", with: "\n> ").replacing("'", with: "'\\''")
                return "echo '$ \(shown)'\n\(command)"
            }
            let seen = try served.run(echoed.joined(separator: "\n")).output
                .split(separator: "\n").map(String.init)
            for (index, wanted) in block.text.enumerated() {
                let line = index < seen.count ? seen[index] : "(nothing)"
                #expect(
                    Self.fits(line, wanted),
                    "CONTROL.md:\(block.line + index): shown '\(wanted)', got '\(line)'")
            }
            #expect(seen.count == block.text.count, "CONTROL.md:\(block.line): \(seen)")
        }
        #expect(try served.end().status == 0)
    }

    /// `...` stands for anything that is different at every run, and must be something.
    private static func fits(_ line: String, _ wanted: String) -> Bool {
        let parts = wanted.components(separatedBy: "...")
        guard parts.count > 1, let first = parts.first, let last = parts.last else {
            return line == wanted
        }
        guard line.hasPrefix(first) else { return false }
        var rest = line.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard let place = rest.dropFirst().range(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.count > last.count && rest.hasSuffix(last)
    }

    @Test("What stands for anything stands for something, and for nothing around it")
    func wildcards() {
        #expect(Self.fits("a1b", "a...b"))
        #expect(!Self.fits("ab", "a...b"))
        #expect(!Self.fits("a1bc", "a...b"))
        #expect(!Self.fits("xa1b", "a...b"))
        #expect(Self.fits("a1b2b", "a...b"))
        #expect(Self.fits("{1,2}", "{...,...}"))
    }

    @Test("Every route of the API stands on the page")
    func routes() throws {
        let page = try String(
            contentsOf: Command.root.appending(path: "Conformance/CONTROL.md"), encoding: .utf8)
        let served = try ServedWithControl()
        let index = try served.run("curl -s http://127.0.0.1:9299/v1").output
        let routes = index.matches(of: /"([A-Z|]+) \/v1([^"]*)"/).map { String($0.2) }
        #expect(routes.count > 15)
        for route in routes where !route.isEmpty {
            let last = route.split(separator: "/").last.map(String.init) ?? ""
            let shown = route.contains("/sessions/{session}/") ? ".../\(last)" : "/v1\(route)"
            #expect(page.contains(shown.replacing("...}", with: "}")), "\(route)")
        }
        _ = try served.end()
    }

    @Test("The example in Python makes an upload fail, releases a gate and reads the journal")
    func example() throws {
        let served = try ServedWithControl(["--fault", "list: respond 500"], token: "let-me-in")
        let script = Command.root.appending(path: "Conformance/examples/control.py").path
        let command = "python3 '\(script)' http://127.0.0.1:9199 http://127.0.0.1:9299"
        let refused = try served.run(command)
        #expect(refused.status != 0)
        #expect(refused.output.contains("the control token is needed"))
        let outcome = try served.run(command, ["SQUALL_CONTROL_TOKEN": "let-me-in"])
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                upload: 503
                upload: 200
                released: [3]
                download: 200 b'hello'
                1 upload.media 503 upload.*#1: respond 503
                2 upload.media 200
                3 download 200 download#1 @ response-head: hold gate ready

                """)
        let (status, output) = try served.end()
        #expect(status == 0)
        #expect(output.contains("#3 download  note.txt  STANDS STILL until gate ready\n"))
        #expect(
            output.contains(
                "release it: curl -X POST http://127.0.0.1:9299/v1/gates/ready/release\n"))
        #expect(
            output.hasSuffix(
                """
                fired  fault
                    1  upload.*#1: respond 503
                    1  download#1 @ response-head: hold gate ready

                """), "\(output)")
    }

    @Test("The last table has faults that came and went while it served")
    func table() throws {
        let served = try ServedWithControl(["--fault", "list: respond 500"])
        let outcome = try served.run(
            """
            add() { curl -s http://127.0.0.1:9299/v1/faults -d "$1" -o /dev/null; }
            add 'download: respond 503'
            add 'delete: respond 503'
            curl -s -o /dev/null -w '%{http_code}\\n' 'http://127.0.0.1:9199/v0/b/b/o/x?alt=media'
            curl -s -X DELETE http://127.0.0.1:9299/v1/faults/2 -o /dev/null
            curl -s -X DELETE http://127.0.0.1:9299/v1/faults/1 -o /dev/null
            """)
        #expect(outcome.output == "503\n")
        let output = try served.end().output
        #expect(
            output.hasSuffix(
                """
                fired  fault
                    0  list: respond 500  (removed)
                       `list` never came: this download had download.
                    1  download: respond 503  (removed)
                    0  delete: respond 503
                       `delete` never came: this download had download.

                """), "\(output)")
    }

    @Test("Without a control port a gate that nothing can release is told at the start")
    func closedGate() throws {
        let served = try Served(["--fault", "download @ response-head: hold gate go"])
        #expect(
            try served.output.contains(
                "fault 1 waits at the gate 'go', and nothing can release it: add --control-port"))
        _ = try served.end()
    }

    @Test("A token without a port, and one that no header can carry, are refused")
    func tokens() throws {
        let alone = try Command.squall("serve", "--control-token", "x")
        #expect(alone.status == 2)
        #expect(alone.errors.contains("--control-token wants a --control-port"))
        let odd = try Command.squall("serve", "--control-port", "0", "--control-token", "a b")
        #expect(odd.status == 2)
        #expect(try Command.squall("serve", "--control-port", "65536").status == 2)
    }
}
