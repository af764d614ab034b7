import Foundation
import Testing

@Suite("Profiles on the command line")
struct ProfileCommandTests {
    private static let scenario = """
        title: An upload
        source: [D5]
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
        expect:
          up: {events: [resume, progress x4, success]}
        profiles:
          left: {skip: it is no uploader}

        """

    private func files(_ profile: String) throws -> (Scratch, scenario: String, profile: String) {
        let scratch = try Scratch()
        let scenario = try scratch.file("up.yaml", Self.scenario).path
        return (scratch, scenario, try scratch.file("profiles/mine.yaml", profile).path)
    }

    @Test("A failure says which trait changed what was expected, and the report names departures")
    func failure() throws {
        let (scratch, scenario, profile) = try files(
            "traits: {start-event: none, checksum: unchecked}\n")
        defer { withExtendedLifetime(scratch) {} }
        let json = scratch.url.appending(path: "report.json").path
        let outcome = try Command.squall(
            "run", scenario, "--profile", profile, "--report", "console", "--report",
            "json=\(json)")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "start-event: none changed up.events: [resume, progress x4, success] -> "
                    + "[progress x4, success]"), "\(outcome.all)")
        #expect(outcome.output.contains("profile mine with 2 departures"), "\(outcome.all)")
        #expect(outcome.output.contains("--profile \(profile)"), "\(outcome.all)")
        let report = try String(contentsOfFile: json, encoding: .utf8)
        #expect(report.contains("\"start-event: none\""))
        #expect(report.contains("\"checksum: unchecked\""))
    }

    @Test("A scenario that the profile leaves out is skipped with its reason, by list too")
    func skipped() throws {
        let (scratch, scenario, profile) = try files("name: left\n")
        defer { withExtendedLifetime(scratch) {} }
        let run = try Command.squall("run", scenario, "--profile", profile)
        #expect(run.status == 4, "\(run.all)")
        #expect(run.output.contains("1 skipped: profile left: it is no uploader"), "\(run.all)")
        let list = try Command.squall("list", scenario, "--profile", profile)
        #expect(list.output == "up  (skipped: profile left: it is no uploader)\n", "\(list.all)")
    }

    @Test("What is expected is shown with what changed it")
    func shown() throws {
        let (scratch, scenario, profile) = try files("traits: {start-event: none}\n")
        defer { withExtendedLifetime(scratch) {} }
        let list = try Command.squall("list", scenario, "--profile", profile, "--expect")
        #expect(
            list.output == """
                up
                  up.events: [progress x4, success]
                    by start-event: none; it was [resume, progress x4, success]

                """, "\(list.all)")
    }

    @Test("A profile that is wrong is told with its place, and nothing is run")
    func wrong() throws {
        let (scratch, scenario, profile) = try files("traits: {start-evnt: none}\n")
        defer { withExtendedLifetime(scratch) {} }
        let outcome = try Command.squall("run", scenario, "--profile", profile)
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(
            outcome.errors.contains("\(profile):1:10: error: unknown trait 'start-evnt'"),
            "\(outcome.all)")
        #expect(outcome.errors.contains("did you mean 'start-event'?"))
        #expect(!outcome.output.contains("planned"))
    }
}
