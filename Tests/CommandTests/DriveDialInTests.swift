import Foundation
import Testing
import WireProbe

/// Clients that dial in and are talked to by hand, by the built program.
@Suite("squall drive --dial-in", .serialized, .timeLimit(.minutes(5)))
struct DriveDialInTests {
    private static let adapter = Command.root.appending(
        path: "Conformance/adapters/browser/node.mjs"
    ).path
    private static let squall = Command.products.appending(path: "squall")

    /// Runs it with lines on its standard input, and a command that opens the client.
    private static func drive(
        _ lines: String, _ options: [String] = [], opener: [String], in scratch: Scratch
    ) throws -> Command.Outcome {
        let input = try scratch.file("input", lines)
        return try Command.run(
            URL(filePath: "/bin/sh"),
            [
                "-c", "exec \"$0\" \"$@\" < '\(input.path)'", squall.path, "drive", "--dial-in",
                "0",
            ] + options + ["--"] + opener, in: scratch.url)
    }

    private static func notes(_ outcome: Command.Outcome) -> [Substring] {
        outcome.output.split(separator: "\n").filter { $0.contains(" ! ") }
    }

    @Test(
        "Commands go to a client that dials in, its reports and the backend are seen, and it ends")
    func talks() throws {
        let scratch = try Scratch()
        let mark = "squall-dial-in-\(UUID().uuidString)"
        let outcome = try Self.drive(
            """
            on up pause snapshot up
            upload up images/a.jpg 1MiB
            wait up progress
            pause up
            wait up pause
            resume up
            wait up success
            download down images/a.jpg max 2MiB
            """, ["--fault", "upload.body#2: drop answer"],
            opener: ["node", Self.adapter, "{url}", mark], in: scratch)
        #expect(outcome.status == 0, "\(outcome.all)")
        var rest = outcome.output[...]
        for part in [
            #"> {"do":"hello","id":1"#, "| connected", #"< {"answer":1,"hello":{"#,
            #""do":"configure""#, #"> {"do":"snapshot","id":3,"on":{"event":"pause","task":"up"}"#,
            #""do":"upload","id":4,"object":"images/a.jpg","task":"up"}"#,
            "upload.start  images/a.jpg", #"> {"do":"pause","id":5"#, #""event":"pause""#,
            #"> {"do":"resume","id":6"#, #""event":"success","task":"up""#,
            #""do":"download","id":7"#, "download  images/a.jpg  1MiB from 0  200",
            #"{"completion":"down""#, #"> {"do":"end""#, "fired  fault",
        ] {
            let found = rest.range(of: part)
            #expect(found != nil, "'\(part)' is not, or not there, in \(outcome.output)")
            rest = found.map { rest[$0.upperBound...] } ?? rest
        }
        #expect(outcome.output.contains(#""answer":3,"snapshot""#), "\(outcome.output)")
        #expect(try Command.processes(naming: mark).isEmpty)
    }

    @Test("Nobody opens the client: where to dial in is told, and whoever comes is driven")
    func waits() throws {
        let scratch = try Scratch()
        let drive = Process()
        drive.executableURL = Self.squall
        drive.arguments = ["drive", "--dial-in", "0"]
        let input = try scratch.file("input", "upload up a.bin 1KiB\n")
        drive.standardInput = try FileHandle(forReadingFrom: input)
        drive.standardOutput = try scratch.handle("output")
        drive.standardError = try scratch.handle("errors")
        try scratch.run(drive)
        var address: String?
        try scratch.wait(for: "an address") {
            let errors = try scratch.text("errors")
            let rest = errors.split(separator: "waiting for the client to dial in at ").last
            address = errors.hasSuffix("/\n") ? rest.map { String($0.dropLast()) } : nil
            return address != nil
        }
        let client = Process()
        client.executableURL = URL(filePath: "/usr/bin/env")
        client.arguments = ["node", Self.adapter, try #require(address)]
        client.standardOutput = FileHandle.nullDevice
        client.standardError = FileHandle.nullDevice
        try client.run()
        defer {
            client.terminate()
            client.waitUntilExit()
        }
        try scratch.waitForEnd(of: drive)
        let output = try scratch.text("output")
        #expect(drive.terminationStatus == 0, "\(output)")
        #expect(output.contains(#""event":"success","task":"up""#), "\(output)")
    }

    @Test("An opener that fails is told once, with its log, and it is red")
    func opener() throws {
        let outcome = try Self.drive(
            "sync\n", opener: ["sh", "-c", "echo no such page >&2; exit 4", "{url}"],
            in: Scratch())
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("| no such page"), "\(outcome.all)")
        let notes = Self.notes(outcome)
        #expect(notes.count == 1, "\(notes)")
        #expect(
            notes.first?.hasSuffix(
                "! the client was opened by a command that exited with code 4") == true)
    }

    @Test("A port that is taken is told with the way out")
    func takenPort() throws {
        let served = try Served()
        let outcome = try Command.squall("drive", "--dial-in", "\(served.port)")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(
            outcome.output.contains("port \(served.port) on 127.0.0.1 is in use: choose another"),
            "\(outcome.all)")
        _ = try served.end()
    }

    @Test("An interrupt ends it while nobody comes")
    func interrupted() throws {
        let scratch = try Scratch()
        let drive = Process()
        drive.executableURL = Self.squall
        drive.arguments = ["drive", "--dial-in", "0"]
        drive.standardInput = FileHandle.nullDevice
        drive.standardOutput = try scratch.handle("output")
        drive.standardError = try scratch.handle("errors")
        try scratch.run(drive)
        try scratch.wait(for: "an address") {
            try scratch.text("errors").contains("waiting for the client to dial in")
        }
        drive.interrupt()
        try scratch.waitForEnd(of: drive)
        #expect(drive.terminationReason == .exit)
        #expect(drive.terminationStatus == 1)
    }

    @Test("A transcript of a client that dials in is played again without a difference")
    func replays() throws {
        let scratch = try Scratch()
        let kept = scratch.url.appending(path: "kept").path
        let id = "lostreply/chunk-answer-lost"
        let opener = ["node", Self.adapter, "{url}"]
        _ = try Command.squall(
            arguments: ["run", "--filter", id, "--transcript", kept, "--dial-in", "0", "--"]
                + opener)
        let options = [
            "--replay", "\(kept)/\(id).transcript", "--scenario",
            Command.root.appending(path: "scenarios/\(id).yaml").path,
        ]
        let again = try Self.drive("", options, opener: opener, in: scratch)
        #expect(again.status == 0, "\(again.all)")
        #expect(again.output.contains("rows of reports, no difference"), "\(again.all)")
    }
}
