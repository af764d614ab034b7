import Foundation
import Testing

@Suite("squall run")
struct RunTests {
    private static let forbidden = """
        title: A file that may not be read is not uploaded
        source: [D9]
        steps:
          - {local: {create: locked, content: {size: 1KiB, seed: 1}}}
          - {local: {forbid: locked}}
          - {upload: a.bin, as: up, file: locked}
        expect:
          up: {events: [failure(unknown)]}
          requests: []

        """
    private static let draws = """
        title: An upload that meets accidents
        source: [D5]
        matrix: {how: [close, reset]}
        faults:
          - {match: upload.body, at: request-body 1KiB, chance: 50%, times: 3, do: {disconnect: "${how}"}, may-miss: true}
        steps:
          - {upload: a.bin, as: up, file: {size: 2MiB, seed: 1}}
        expect:
          up: {events: [resume, progress+, failure(unknown)]}

        """

    private static let reference = Command.products.appending(path: "squall-reference-client").path

    @Test(
        "A forbidden file cannot be read, by root neither, nor by a client in another process",
        arguments: [[], ["--", reference]])
    func forbiddenFile(client: [String]) throws {
        let scratch = try Scratch()
        let file = try scratch.file("locked.yaml", Self.forbidden)
        let outcome = try Command.run(
            Command.products.appending(path: "squall"), ["run", file.path] + client)
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("1 planned: 1 passed"))
    }

    @Test(
        "Root reads scenarios and writes reports in folders of others", .enabled(if: getuid() == 0))
    func foldersOfOthers() throws {
        let scratch = try Scratch()
        let file = try scratch.file("theirs/locked.yaml", Self.forbidden)
        let folder = file.deletingLastPathComponent().path
        for (path, mode) in [(file.path, mode_t(0o400)), (folder, 0o700)] {
            try #require(chown(path, 65534, 65534) == 0 && chmod(path, mode) == 0)
        }
        let outcome = try Command.squall(
            "run", file.path, "--report", "junit=\(folder)/reports/junit.xml")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(try scratch.text("theirs/reports/junit.xml").contains("<testsuite"))
    }

    @Test(
        "The command that repeats a scenario gives the same run once more",
        arguments: [[], ["--real-time", "--time-scale", "0.05"], ["--", reference]])
    func repeating(options: [String]) throws {
        let scratch = try Scratch()
        try scratch.file("VERSION", "1.0\n")
        try scratch.file("one dir/a.yaml", Self.draws)
        try scratch.file("two/a.yaml", Self.draws)
        let program = Command.products.appending(path: "squall")
        let first = try Command.run(
            program, ["run", "one dir", "two", "--seed", "7"] + options, in: scratch.url)
        #expect(first.status == 1, "\(first.all)")
        let blocks = Self.failures(in: first.output)
        #expect(
            blocks.map(\.id) == [
                "one dir/a[how=close]", "one dir/a[how=reset]", "two/a[how=close]",
                "two/a[how=reset]",
            ])
        for block in blocks {
            let command = block.command.replacing(/^squall/, with: "'\(program.path)'")
            let again = try Command.run(
                URL(filePath: "/bin/sh"), ["-c", command], in: scratch.url)
            #expect(again.output.contains("1 planned: 0 passed, 1 failed"), "\(again.all)")
            #expect(Self.failures(in: again.output).map(\.id) == [block.id])
            #expect(Self.failures(in: again.output).map(\.command) == [block.command])
            #expect(Self.faults(again.output) == block.faults, "\(again.all)")
        }
    }

    private static func failures(
        in output: String
    ) -> [(id: String, command: String, faults: Int)] {
        output.components(separatedBy: "FAILED ").dropFirst().compactMap { text in
            let lines = text.split(separator: "\n")
            let line = lines.first { $0.contains("repeat: ") }
            guard let id = lines.first?.split(separator: ": ").first, let line else { return nil }
            return (String(id), String(line.trimmingPrefix(#/ *repeat: /#)), faults(String(text)))
        }
    }

    private static func faults(_ text: String) -> Int { text.matches(of: /by fault/).count }
}
