import Foundation
import Testing

/// A page's `console` blocks: `$` begins a command, `>` goes on with it, the rest is its output.
struct ConsoleBlock: Sendable, CustomTestStringConvertible {
    let page: String
    let line: Int
    let text: [String]

    var testDescription: String { "\(page):\(line)" }

    var commands: [String] {
        var commands: [String] = []
        for line in text {
            if line.hasPrefix("$ ") {
                commands.append(String(line.dropFirst(2)))
            } else if line.hasPrefix("> "), let last = commands.popLast() {
                commands.append(last + "\n" + line.dropFirst(2))
            }
        }
        return commands
    }

    var isServer: Bool { commands.first?.hasPrefix("squall serve") ?? false }

    static func all(in text: String, of page: String = "README.md") -> [ConsoleBlock] {
        var blocks: [ConsoleBlock] = []
        var open: (line: Int, text: [String])?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line == "```console" {
                open = (index + 2, [])
            } else if line == "```", let block = open {
                blocks.append(ConsoleBlock(page: page, line: block.line, text: block.text))
                open = nil
            } else {
                open?.text.append(line)
            }
        }
        return blocks
    }
}

/// Runs the blocks one after the other, as a reader would.
private final class ReadmeSession {
    private let scratch: Scratch
    private var server: (process: Process, block: ConsoleBlock, port: String)?

    init() throws {
        scratch = try Scratch()
        for name in ["scenarios", "Conformance"] {
            try FileManager.default.createSymbolicLink(
                at: scratch.url.appending(path: name),
                withDestinationURL: Command.root.appending(path: name))
        }
    }

    func run(_ block: ConsoleBlock) throws {
        if block.isServer {
            try stopServer()
            try startServer(block)
            return
        }
        let echoed = block.commands.map { command in
            let shown = command.replacing("\n", with: "\n> ").replacing("'", with: "'\\''")
            return "echo '$ \(shown)'\n\(command)"
        }
        let script = echoed.joined(separator: "\n")
            .replacing("9199", with: server?.port ?? "9199")
        let outcome = try Command.run(
            URL(filePath: "/bin/bash"), ["-c", "exec 2>&1\n" + script], in: scratch.url, path)
        expectSame(block, outcome.output)
    }

    func stopServer() throws {
        guard let (process, block, _) = server else { return }
        server = nil
        process.interrupt()
        process.waitUntilExit()
        expectSame(block, "$ \(block.commands[0])\n" + (try scratch.text("server")))
    }

    private var path: [String: String] {
        let old = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": Command.products.path + ":" + old, "NO_PROXY": "*", "no_proxy": "*"]
    }

    private func startServer(_ block: ConsoleBlock) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", "exec \(block.commands[0]) --port 0"]
        process.currentDirectoryURL = scratch.url
        process.environment = ProcessInfo.processInfo.environment.merging(path) { $1 }
        let output = try scratch.handle("server")
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline, process.isRunning {
            let text = try scratch.text("server")
            // The address is printed when the port is open; the banner ends with an empty line.
            if let found = text.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/) {
                server = (process, block, String(found.1))
                return
            }
            sched_yield()
        }
        Issue.record("\(block.testDescription): the server did not start")
    }

    private func expectSame(_ block: ConsoleBlock, _ seen: String) {
        let wanted = Self.stable(block.text.joined(separator: "\n"))
        let seen = Self.stable(seen)
        guard let first = Self.firstDifference(wanted, seen) else { return }
        Issue.record(
            "\(block.testDescription): shown '\(first.wanted)', got '\(first.seen)'")
    }

    /// Where the output parts from what is shown; a line `...` stands for any lines up to the next
    /// that is shown.
    private static func firstDifference(
        _ wanted: [String], _ seen: [String]
    ) -> (wanted: String, seen: String)? {
        var rest = (seen + ["(end)"])[...]
        var skips = false
        for line in wanted + ["(end)"] {
            if line == "..." {
                skips = true
                continue
            }
            if skips { rest = rest.drop { $0 != line } }
            skips = false
            guard rest.first == line else { return (line, rest.first ?? "nothing more") }
            rest.removeFirst()
        }
        return nil
    }

    /// What is the same in every run: no addresses, times, sizes of gaps, ids or digests.
    private static func stable(_ text: String) -> [String] {
        text.replacing("\r\n", with: "\n")
            .replacing(/127\.0\.0\.1", (?:port: )?\d+/, with: "127.0.0.1\", PORT")
            .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
            .replacing(/\d+(\.\d+)? ?m?s\b/, with: "TIME")
            .replacing(/digest [0-9a-f]+/, with: "digest D")
            .replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "UUID")
            .replacing(/upload_id=[^&\s]+/, with: "upload_id=ID")
            .replacing(/"(generation|etag|timeCreated|updated)": ?"[^"]+"/) { "\($0.1)" }
            .components(separatedBy: "\n")
            .map { line in line.replacing(#/\s+/#, with: " ").replacing(#/ $/#, with: "") }
            .filter { !$0.isEmpty }
    }
}

@Suite("README", .serialized)
struct ReadmeTests {
    @Test(
        "Every console block does what the page shows",
        arguments: [("README.md", 4), ("Conformance/README.md", 1)])
    func blocks(page: String, atLeast count: Int) throws {
        let text = try String(contentsOf: Command.root.appending(path: page), encoding: .utf8)
        let blocks = ConsoleBlock.all(in: text, of: page)
        #expect(blocks.count >= count)
        let session = try ReadmeSession()
        for block in blocks { try session.run(block) }
        try session.stopServer()
    }
}
