import RunModel
import Scenario
import ScenarioRunner

/// `scenarios/SYMPTOMS.md`, made from the scenario files.
struct SymptomsPage {
    private let index: SymptomIndex

    /// - Parameter index: of the whole suite.
    init(_ index: SymptomIndex) { self.index = index }

    var text: String {
        let topics = Set(index.entries.filter { $0.symptom != nil }.map(\.topic)).sorted()
        let parts = [Self.introduction] + topics.map(section) + [cases]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # By symptom

        What users say about a client that is wrong, the scenario that catches such a client, and the
        command that shows the same to any client: it serves the backend with the faults of the scenario,
        prints what is to be done with the app, and judges when it stops what a server can see.

        Made by `squall list --symptom --markdown` from the scenario files; a test holds both together and
        starts every command. `squall list --symptom WORDS` searches this page, and the titles of the
        scenarios that no user has described yet.
        """

    private func section(_ topic: String) -> String {
        let lines = index.entries.filter { $0.topic == topic && $0.symptom != nil }.map { entry in
            "| \(Self.cell(entry.saying)) | [\(entry.id)](\(Self.link(entry))) | \(Self.command(entry)) |"
        }
        return
            (["## \(topic)", "", "| what a user says | scenario | try it |", "| --- | --- | --- |"]
            + lines).joined(separator: "\n")
    }

    /// Beside the page.
    private static func link(_ entry: SymptomIndex.Entry) -> String {
        let file = entry.row.file
        let suffix = file[(file.lastIndex(of: ".") ?? file.endIndex)...]
        return entry.id + suffix
    }

    /// What serves the scenario, or why nothing can.
    private static func command(_ entry: SymptomIndex.Entry) -> String {
        let path = entry.row.file + entry.row.id.dropFirst(entry.id.count)
        let plan = ScenarioLoader().planForServing(path)
        guard let obstacle = plan.diagnostics.first(where: { $0.severity == .error }) else {
            return "`" + cell(CommandLineParts.shell(["squall", "serve", "--scenario", path])) + "`"
        }
        return "needs the runner: " + cell(obstacle.message)
    }

    // MARK: Field cases

    private var cases: String {
        let all = FieldCase.all
        let lines = all.map { fieldCase in
            let reports = fieldCase.reports.map { "[\($0)](\(FieldCase.host)\($0))" }
            return "| \(fieldCase.number) | \(reports.joined(separator: ", ")) "
                + "| \(evidence(fieldCase)) |"
        }
        let shown = all.count { !ids(citing: $0.number).isEmpty }
        return """
            ## Field cases

            Bug reports of other projects, told anew in the words of this wire. The numbers are ours; a
            scenario names the case and the report in its `source`. Some cases, or parts of them, have no
            client in them: those are tests of our own backend.

            \(shown) of \(all.count) cases are scenarios, and \(all.count - shown) are tests of the backend alone.

            | case | report | shown by |
            | --- | --- | --- |
            \(lines.joined(separator: "\n"))
            """
    }

    private func ids(citing number: String) -> [SymptomIndex.Entry] {
        index.entries.filter { $0.row.scenario.sources.contains { $0.value == number } }
    }

    private func evidence(_ fieldCase: FieldCase) -> String {
        let scenarios = ids(citing: fieldCase.number).map { "[\($0.id)](\(Self.link($0)))" }
        let tests = fieldCase.ownTests.map { "`\($0)`" }
        let parts = [
            scenarios.joined(separator: ", "),
            tests.isEmpty ? "" : "of the backend: " + tests.joined(separator: ", "),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// As text of a table's cell.
    private static func cell(_ text: String) -> String { text.replacing("|", with: #"\|"#) }
}
