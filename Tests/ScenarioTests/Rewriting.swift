import Scenario
import StorageModel

/// A scenario as a client of some traits is to carry it out.
struct Rewriting {
    let planned: PlannedScenario
    /// What is expected, by its subject.
    let expected: [String: String]
    /// What the file says, by its subject.
    let original: [String: String]

    /// - Parameters:
    ///   - traits: as a profile file writes them: `start-event: none, chunks: whole`.
    ///   - body: a scenario without title and source.
    init(_ traits: String, _ body: String) {
        let file = "name: mine\ntraits: {\(traits)}\n"
        let loader = ProfileLoader(folder: "Conformance/profiles")
        let profile = loader.read(Array(file.utf8), file: "mine.yaml").profile
        let reading = Reading(body: body)
        guard let profile, let planned = reading.plan.planned.first else {
            planned = PlannedScenario(
                id: "none", file: "none",
                scenario: ScenarioFile(
                    title: Placed("", SourcePlace(file: "", line: 1, column: 1))))
            (expected, original) = (["wrong": "\(reading.messages)"], [:])
            return
        }
        self.planned = profile.rewriting(planned)
        expected = Self.texts(self.planned)
        original = Self.texts(planned)
    }

    subscript(subject: String) -> String? { expected[subject] }

    var skipReason: String? { planned.skipReason }

    /// Every part that was changed, as `subject: text`, sorted.
    var changes: [String] {
        let subjects = Set(expected.keys).union(original.keys).sorted()
        return subjects.filter { expected[$0] != original[$0] }
            .map { "\($0): \(expected[$0] ?? "not tested")" }
    }

    private static func texts(_ planned: PlannedScenario) -> [String: String] {
        Dictionary(
            ExpectationText(planned.scenario).entries.map { ($0.subject, $0.text) }
        ) { one, _ in one }
    }
}

/// Scenarios that several tests use.
enum Bodies {
    /// An upload of four chunks with the events that are given.
    static func upload(_ events: String, more: String = "") -> String {
        """
        client: {chunkSize: 256KiB}
        steps:
          - {upload: a.bin, as: up, data: {size: 1MiB, seed: 1}}
        expect:
          up: {events: \(events)\(more)}
        """
    }

    /// A download of an object of 1 MiB.
    static func download(_ events: String, faults: String = "[]", more: String = "") -> String {
        """
        backend: {objects: {a.bin: {size: 1MiB, seed: 1}}}
        faults: \(faults)
        steps:
          - {download: a.bin, as: down, to: file}
        expect:
          down: {events: \(events)\(more)}
        """
    }
}
