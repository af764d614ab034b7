import TestSupport
import Testing

/// Runs scenarios against command-line tools that know no protocol.
@Suite("One-shot clients")
struct OneShotRunTests {
    private static let download = """
        title: A file arrives
        source: [D12]
        backend: {objects: {a.bin: {size: 100KiB, seed: 3}}}
        steps: [{download: a.bin, as: down, to: file}]
        expect: {down: {local: {same-as: a.bin}}}
        """

    private func run(
        _ scenario: String, _ oneShot: String, arguments: [String] = []
    ) throws -> Command.Outcome {
        let folder = try TemporaryDirectory()
        let scenario = try folder.write(scenario, to: "one.yaml")
        _ = try folder.write(
            """
            base: documented
            traits:
              progress-events: none
              retries: {statuses: [], transport: []}
              exhausted: last-error
              checksum: unchecked
              chunks: whole
              small-upload: media
            """, to: "profile.yaml")
        let file = try folder.write(
            """
            name: tool
            mode: one-shot
            profile: ./profile.yaml
            capabilities: [download.file]
            time-scale: 1
            deadline: 5s
            one-shot:
            \(oneShot)
            """, to: "client.yaml")
        return try Command.squall(arguments: ["run", scenario, "--client", file] + arguments)
    }

    @Test("A tool that does what it should passes")
    func passes() throws {
        let result = try run(
            Self.download,
            "  download: [curl, -sSf, --noproxy, '*', -o, '{file}', "
                + "'{base}/{object-escaped}?alt=media']")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("1 planned: 1 passed"))
    }

    @Test("A tool that says success and leaves other bytes is red")
    func liesAboutBytes() throws {
        let result = try run(Self.download, "  download: [sh, -c, 'echo no > \"$0\"', '{file}']")
        #expect(result.status == 1)
        #expect(result.output.contains("down: the local file"))
    }

    @Test("A tool that fails is red, with its exit code and its last line")
    func fails() throws {
        let result = try run(Self.download, "  download: [sh, -c, 'echo broken >&2; exit 3']")
        #expect(result.status == 1)
        #expect(result.output.contains("in the client's words: exit 3: broken"), "\(result.output)")
    }

    @Test("A tool that crashes is blamed by its signal")
    func crashes() throws {
        let result = try run(Self.download, "  download: [sh, -c, 'kill -SEGV $$']")
        #expect(result.status == 1)
        #expect(
            result.output.contains(
                "the client was killed by signal 11 before it answered 'download down'"),
            "\(result.output)")
    }

    @Test("A tool that hangs is ended at the deadline of its file, with what it started")
    func hangs() throws {
        let result = try run(
            Self.download, "  download: [sh, -c, 'sleep 75312931 & sleep 75312932']")
        #expect(result.status == 1)
        #expect(result.output.contains("after 5s down has not ended"), "\(result.output)")
        #expect(try Command.processes(naming: "7531293") == [])
    }

    @Test("A tool that is not there is told, and nothing passes")
    func missing() throws {
        let result = try run(Self.download, "  download: [./no-such-tool, '{file}']")
        #expect(result.status == 1)
        #expect(result.output.contains("could not be started"), "\(result.output)")
    }

    @Test(
        "A file with a mistake is refused at its place",
        arguments: [
            ("  download: [curl, '{flie}']", "unknown placeholder 'flie'", "did you mean 'file'"),
            ("  version: [curl]", "'one-shot' needs 'upload' or 'download'", ""),
            ("  download: [curl]\n  exits: {999: status}", "'999' is no exit code", ""),
            ("  download: [curl]\n  exits: {22: status}", "needs 'status-after'", ""),
            ("  download: [[curl]]", "the program cannot be left out", ""),
            ("  download: [curl, '{file']", "the brace that begins here has no end", ""),
        ])
    func mistakes(text: String, message: String, hint: String) throws {
        let result = try run(Self.download, text)
        #expect(result.status == 3)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains(hint))
        #expect(result.errors.contains("client.yaml:"))
    }
}
