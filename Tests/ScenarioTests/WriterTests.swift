import Scenario
import StorageModel
import Testing

@Suite("The writer of scenario files")
struct WriterTests {
    private func written(_ text: String) throws -> String {
        let reading = Reading(body: text)
        let scenario = try #require(reading.scenario, "\(reading.messages)")
        return scenario.text()
    }

    @Test("A file looks as one that was written by hand")
    func layout() throws {
        let text = """
            backend: {granularity: 65536, objects: {images/stars.jpg: {size: 1048576, seed: 7}}}
            client: {chunkSize: 262144, maxUploadRetryTime: 600000ms, idleTimeout: 1500ms}
            faults: ["upload.body#2 @ request-body 102400: disconnect reset"]
            steps:
              - {upload: images/rivers.jpg, as: up, data: {size: 1MiB, seed: 11}}
              - {pause: up, when: up progress >= 512KiB}
              - {wait: 300ms}
            expect:
              up: {events: [resume, progress+, success], error: none}
              requests: [upload.start, "upload.chunk offset=0"]
              exchanges: [{match: "*", header: {Authorization: absent}, count: ">= 4"}]
            """
        let found = try written(text)
        #expect(
            found == """
                title: T
                source: [D1]
                backend:
                  granularity: 64KiB
                  objects:
                    images/stars.jpg: {size: 1MiB, seed: 7}
                client: {chunkSize: 256KiB, idleTimeout: 1.5s}
                faults:
                  - {match: upload.body#2, at: request-body 100KiB, do: {disconnect: reset}}
                steps:
                  - upload: images/rivers.jpg
                    as: up
                    data: {size: 1MiB, seed: 11}
                  - pause: up
                    when: up progress >= 512KiB
                  - wait: 300ms
                expect:
                  up:
                    events: [resume, progress+, success]
                    error: none
                  requests: [upload.start, upload.chunk offset=0]
                  exchanges: [{match: "*", header: {Authorization: absent}, count: ">= 4"}]

                """)
    }

    @Test(
        "A text is quoted where it would be read as something else",
        arguments: [
            ("no", "\"no\""), ("5", "\"5\""), ("1e5", "\"1e5\""), ("a: b", "\"a: b\""),
            ("a #b", "\"a #b\""), ("a#b", "a#b"), (" a", "\" a\""), ("> 5", "\"> 5\""),
            ("it's", "it's"), ("a, b", "a, b"), ("[a", "\"[a\""), ("~", "\"~\""),
            ("gs://b/c", "gs://b/c"), ("Größe", "Größe"), ("-a", "-a"), ("- a", "\"- a\""),
            ("...", "\"...\""), ("\"a\"", "\"\\\"a\\\"\""), ("a\nb", "\"a\\nb\""),
        ])
    func quoting(text: String, written: String) throws {
        var scenario = ScenarioFile(
            title: Placed(text, SourcePlace(file: "", line: 1, column: 1)))
        scenario.level = .may
        #expect(scenario.text() == "title: \(written)\nlevel: may\n")
    }

    @Test("Objects that only a number tells apart are one entry")
    func copies() throws {
        let text =
            "backend: {objects: {'b/${n}.bin': {size: 5, seed: 1, copies: 40}, c: {text: x}}}"
        let found = try written(text)
        #expect(
            found == """
                title: T
                source: [D1]
                backend:
                  objects:
                    "b/${n}.bin": {size: 5, seed: 1, copies: 40}
                    c: {text: x}

                """)
    }

    @Test("A list that is too long for a line is broken between its parts")
    func longList() throws {
        let patterns = (0..<12).map { "upload.chunk offset=\($0)MiB" }
        let text = try written("expect: {requests: [\(patterns.joined(separator: ", "))]}")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(text.contains("  requests: [upload.chunk offset=0MiB, upload.chunk offset=1MiB,"))
    }

    @Test("Comments stand above their parts, and the text still loads")
    func comments() throws {
        let reading = Reading(body: "steps: [{download: a, as: d, to: file}, {wait: 5s}]")
        let scenario = try #require(reading.scenario)
        var comments = YAMLComments()
        comments.add("All of it", above: [])
        comments.add("A guess", above: ["steps", "0"])
        comments.add("Why\nit waits", above: ["steps", "1", "wait"])
        let text = scenario.text(comments: comments)
        #expect(
            text == """
                # All of it
                title: T
                source: [D1]
                steps:
                  # A guess
                  - download: a
                    as: d
                    to: file
                  -
                    # Why?it waits
                    wait: 5s

                """)
        #expect(Reading(text).scenario?.placeless == scenario.placeless)
    }
}
