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

    private static let link = """
        title: The URL of an object is fetched without credentials
        source: [D10]
        backend:
          objects:
            a.txt: {size: 40KiB, seed: 3, contentType: text/x-mine}
        steps:
          - {url: a.txt, as: link}
          - {fetch: link, as: got, when: link success}
        expect:
          got: {status: 200, content: {size: 40KiB, seed: 3}, header: {Content-Type: text/x-mine}}
          requests: [metadata.get, download.by-url]
        """

    /// A shell that makes the URL of what the metadata says.
    private static let urlOfCurl = #"""
          download: [curl, -sSf, --noproxy, '*', -o, '{file}', '{base}/{object-escaped}?alt=media']
          url:
            - sh
            - -c
            - 'token=$(curl -sSf --noproxy "*" "$0" | tr -d "\n" | sed "s/.*\"downloadTokens\": *\"//;s/[\",].*//") && echo "$0?alt=media&token=$token"'
            - '{base}/{object-escaped}'

        """#

    private static let fetchOfCurl =
        "  fetch: [curl, -sS, --noproxy, '*', --dump-header, '-', -o, '{file}', '{url}']"

    @Test("A tool that gives URLs and fetches them has the capability, and its scenarios run")
    func urls() throws {
        let result = try run(Self.link, Self.urlOfCurl + Self.fetchOfCurl)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("1 planned: 1 passed"))
        let half = try run(Self.link, Self.urlOfCurl)
        #expect(half.output.contains("1 skipped"), "\(half.output)")
    }

    @Test("A fetch that prints no head, and one that leaves other bytes, are red")
    func badFetches() throws {
        let silent = try run(
            Self.link,
            Self.urlOfCurl + "  fetch: [curl, -sS, --noproxy, '*', -o, '{file}', '{url}']")
        #expect(silent.status == 1, "\(silent.output)")
        #expect(
            silent.output.contains("the output of 'fetch' is no head of an answer"),
            "\(silent.output)")
        let wrong = try run(
            Self.link,
            Self.urlOfCurl
                + "  fetch: [sh, -c, 'curl -sS --dump-header - -o /dev/null \"$0\"; echo no > \"$1\"', "
                + "'{url}', '{file}']")
        #expect(wrong.status == 1, "\(wrong.output)")
        #expect(wrong.output.contains("got: content"), "\(wrong.output)")
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
            (
                "  download: [curl]\n  fetch: [curl, '{url}']",
                "'fetch' needs '{url}', and '{file}' for what it gets", ""
            ),
        ])
    func mistakes(text: String, message: String, hint: String) throws {
        let result = try run(Self.download, text)
        #expect(result.status == 3)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains(hint))
        #expect(result.errors.contains("client.yaml:"))
    }
}
