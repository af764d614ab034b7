import Foundation
import Testing

@Suite("Files of reports")
struct ReportFileTests {
    private static func run(_ scratch: Scratch, report path: String) throws -> Command.Outcome {
        try scratch.file(
            "a.yaml",
            """
            title: An upload is stored
            source: [D5]
            steps: [{upload: a.bin, as: up, data: {size: 10, seed: 1}}]
            expect: {up: {events: [resume, progress*, success]}}

            """)
        return try Command.squall("run", "a.yaml", "--report", "json=\(path)", in: scratch.url)
    }

    @Test("A link stays a link, and the report is where it leads")
    func link() throws {
        let scratch = try Scratch()
        try scratch.file("real.json", "old")
        let link = scratch.url.appending(path: "link.json").path
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "real.json")
        let outcome = try Self.run(scratch, report: "link.json")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.json")
        #expect(try scratch.text("real.json").contains("\"verdict\" : \"passed\""))
    }

    @Test(
        "A run that shows nothing leaves no report of the run before it",
        arguments: [
            ["--filter", "no-such/**"], ["--filter", "a", "--filter", "no-such/**"],
            ["no-such-file.yaml"],
        ])
    func stale(arguments: [String]) throws {
        let scratch = try Scratch()
        try scratch.file("old.xml", "<testsuites/>")
        _ = try Self.run(scratch, report: "old.json")
        #expect(try scratch.text("old.json").contains("\"passed\""))
        let outcome = try Command.squall(
            arguments: ["run", "a.yaml"] + arguments
                + ["--report", "json=old.json", "--report", "junit=old.xml"], in: scratch.url)
        #expect([3, 4].contains(outcome.status), "\(outcome.all)")
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(!left.contains("old.json") && !left.contains("old.xml"), "\(left)")
    }

    @Test("A pipe stays a pipe, and its reader gets the report")
    func pipe() throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let outcome = try Self.run(scratch, report: path)
        #expect(outcome.status == 0, "\(outcome.all)")
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader, &buffer, buffer.count)
        #expect(
            String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).contains("\"format\""))
    }
}
