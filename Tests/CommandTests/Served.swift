import Foundation
import Glibc
import Testing
import WireProbe

/// `squall serve` as a process of its own, so that what it holds is its own too.
final class Served {
    let port: UInt16
    let scratch: Scratch
    private let host: WireHost
    private let process = Process()

    /// Starts it on a free port and waits until it listens.
    ///
    /// - Parameters:
    ///   - arguments: beside `--port 0`, in a folder of its own.
    ///   - files: what lies in that folder.
    ///   - ignoresInterrupts: as a shell does for what it starts in the background.
    init(
        _ arguments: [String] = [], files: [String: Data] = [:], host: WireHost = .ipv4,
        ignoresInterrupts: Bool = false
    ) throws {
        scratch = try Scratch()
        self.host = host
        for (name, content) in files { try scratch.file(name, content) }
        let program = Command.products.appending(path: "squall").path
        let words =
            ["serve", "--port", "0"] + (host == .ipv4 ? [] : ["--host", host.rawValue])
            + arguments
        process.executableURL = URL(filePath: "/bin/sh")
        let trap = ignoresInterrupts ? "trap '' INT; " : ""
        process.arguments = ["-c", trap + "exec \"$0\" \"$@\"", program] + words
        process.currentDirectoryURL = scratch.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try scratch.handle("output")
        process.standardError = try scratch.handle("errors")
        try scratch.run(process)
        let (scratch, process) = (scratch, process)
        var found: UInt16?
        let scheme = arguments.contains("--tls") ? "https" : "http"
        let address = scheme + (host == .ipv4 ? "://127.0.0.1:" : "://[::1]:")
        do {
            try scratch.wait(for: "a banner") {
                let output = try scratch.text("output")
                let rest = output.split(separator: address).dropFirst().first
                found = rest.flatMap { UInt16($0.prefix { $0.isNumber }) }
                guard !scratch.hasEnded || found != nil else {
                    throw ServedError(errors: try scratch.text("errors"))
                }
                return found != nil && output.contains("?alt=media")
            }
        } catch {
            // Nobody else would end it: there is no `deinit` of what was never made.
            process.terminate()
            throw error
        }
        port = try #require(found)
    }

    /// - Parameter object: the size of the object `big`; there is a journal, too.
    convenience init(object: Int) throws {
        try self.init(
            ["--journal", "journal", "--data", "big=big"],
            files: ["big": Data(repeating: 7, count: object)])
    }

    var descriptors: Int { count("fd") }
    var threads: Int { count("task") }

    private func count(_ folder: String) -> Int {
        let path = "/proc/\(process.processIdentifier)/\(folder)"
        return (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? -1
    }

    func probe() throws -> WireProbe { try WireProbe(port: port, host: host) }

    /// The file that clients of `--tls` have to trust.
    var authority: String {
        get throws {
            let rest = try output.split(separator: "  CA file     ").dropFirst().first
            return String(try #require(rest).prefix { $0 != "\n" })
        }
    }

    /// What it has printed so far.
    var output: String { get throws { try scratch.text("output") } }

    /// Stops it.
    func end(_ number: Int32 = SIGTERM) throws -> Command.Outcome {
        kill(process.processIdentifier, number)
        return try wait()
    }

    /// Waits for its end.
    func wait() throws -> Command.Outcome {
        try scratch.waitForEnd(of: process)
        #expect(process.terminationReason == .exit)
        return Command.Outcome(
            status: process.terminationStatus, output: try scratch.text("output"),
            errors: try scratch.text("errors"))
    }

    /// Stops it; the journal's lines but for the first.
    func stop() throws -> [String] {
        let outcome = try end()
        #expect(outcome.status == 0)
        return try scratch.text("journal").split(separator: "\n").dropFirst().map(String.init)
    }

    deinit { if process.isRunning { process.terminate() } }
}

/// It ended before it listened.
struct ServedError: Error {
    let errors: String
}

// The protocol by hand, each request on a connection of its own.
extension Served {
    static let objects = "/v0/b/app.appspot.com/o"

    /// An answer; nil where the connection ended before one.
    @discardableResult
    func request(
        _ method: String, _ target: String, fields: [String] = [], body: [UInt8]? = nil
    ) throws -> WireAnswer? {
        let probe = try probe()
        let length = body.map { ["Content-Length: \($0.count)"] } ?? []
        try probe.ask(target, method: method, fields: length + fields)
        // A fault may cut it off.
        try? probe.send(body ?? [])
        return try? probe.readAnswer(to: method)
    }

    /// Starts a resumable upload; its target.
    func start(_ name: String, size: Int) throws -> String {
        let answer = try request(
            "POST", "\(Self.objects)?name=\(name)",
            fields: [
                "X-Goog-Upload-Protocol: resumable", "X-Goog-Upload-Command: start",
                "X-Goog-Upload-Header-Content-Length: \(size)",
            ], body: [])
        let url = try #require(answer?.head["X-Goog-Upload-URL"])
        return "/v0/" + url.split(separator: "/v0/", maxSplits: 1)[1]
    }

    @discardableResult
    func finalize(_ target: String, offset: Int = 0, _ bytes: [UInt8]) throws -> WireAnswer? {
        try request(
            "POST", target,
            fields: [
                "X-Goog-Upload-Command: upload, finalize", "X-Goog-Upload-Offset: \(offset)",
            ], body: bytes)
    }

    /// How many bytes the backend holds.
    func query(_ target: String) throws -> Int {
        let answer = try request(
            "POST", target, fields: ["X-Goog-Upload-Command: query"], body: [])
        return try #require(answer?.head["X-Goog-Upload-Size-Received"].flatMap { Int($0) })
    }

    /// Uploads to the end, from where the backend stands after a cut.
    func upload(_ name: String, _ bytes: [UInt8]) throws {
        let target = try start(name, size: bytes.count)
        guard try finalize(target, bytes) == nil else { return }
        let size = try query(target)
        let answer = try finalize(target, offset: size, Array(bytes[size...]))
        #expect(answer?.status == 200)
    }
}
