import RunModel
import TestSupport
import Testing

/// A hold can wait for an event of the client, for a place that another exchange comes to, for a step,
/// for another fault, and for a release from outside.
@Suite("What an exchange can stand still for")
struct GateSourceTests {
    /// An upload whose body is held until `trigger`; more faults and steps as they are given.
    private func text(_ trigger: String, faults: [String] = [], steps: [String] = []) -> String {
        let held = "{match: upload.body#1, at: request-body 64KiB, do: {hold: \(trigger)}}"
        let faults = ([held] + faults).map { "  - \($0)" }.joined(separator: "\n")
        let upload = "{upload: a, as: up, data: {size: 100KiB, seed: 1}}"
        let steps = ([upload] + steps).map { "  - \($0)" }.joined(separator: "\n")
        return """
            title: A body that stands still goes on when its moment has come
            source: [D14]
            backend: {objects: {b: {size: 1KiB, seed: 2}}}
            faults:
            \(faults)
            steps:
            \(steps)
            expect:
              up: {events: [resume, progress*, success]}
              stored: {a: {same-as: up}}
            """
    }

    @Test(
        "The exchange goes on when that happened",
        arguments: [
            ("up resume", [], []),
            (
                "wire download#1 response-head", [],
                ["{download: b, as: down, to: memory, maxSize: 1MiB}"]
            ),
            ("step other", [], ["{get-metadata: b, as: other}"]),
            (
                "fault gone", ["{name: gone, match: metadata.get#1, do: {delay: 1s}}"],
                ["{get-metadata: b, as: other}"]
            ),
            ("time 30s", [], []),
            (
                "[step other, time 30s]", [], ["{get-metadata: b, as: other}"]
            ),
        ] as [(String, [String], [String])])
    func goesOn(trigger: String, faults: [String], steps: [String]) async throws {
        let outcome = try await Harness.outcome(text(trigger, faults: faults, steps: steps))
        #expect(outcome == ["passed"])
    }

    /// A client that is patient enough waits for ever: the scenario's deadline ends it.
    @Test(
        "Where it cannot happen, the exchange, its place and what it waits for are named",
        arguments: [
            ("gate go", []), ("step never", ["{pause: up, as: never, when: up pause}"]),
            ("wire download#1 request-head", []), ("up success", []),
        ] as [(String, [String])])
    func neverComes(trigger: String, steps: [String]) async throws {
        let patient =
            "client: {idleTimeout: 10000h, maxUploadRetryTime: 10000h}\ndeadline: 20s\n"
        let results = try await Harness.run(patient + text(trigger, steps: steps))
        #expect(results.map(\.verdict) == [.failed])
        let failure = try #require(results[0].failures.first { $0.kind == .deadline })
        let line = "upload.finalize of a, waits at request-body 64KiB for \(trigger)"
        #expect(failure.notes.contains { $0.contains(line) }, "\(failure.notes)")
    }
}
