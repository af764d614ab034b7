import RunModel
import Scenario

/// `squall list --symptom`: the scenario files that are about what a user says.
struct SymptomSearch {
    private let arguments: ParsedArguments
    private var words: [String] { arguments.values("--symptom") }

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    /// - Throws: `UsageError` for options that do not go together.
    func check() throws(UsageError) {
        guard arguments.has("--symptom") else {
            let others = ["--profile", "--expect", "--show", "--undecided"]
            guard !arguments.has("--markdown") || !others.contains(where: arguments.has) else {
                throw UsageError(
                    "--markdown writes the table of contents: it goes with paths and filters alone")
            }
            return
        }
        guard !arguments.has("--profile"), !arguments.has("--expect") else {
            throw UsageError("--symptom searches what users say, which no profile changes")
        }
        guard !arguments.has("--show"), !arguments.has("--undecided") else {
            throw UsageError(
                "--symptom searches what users say: it goes with paths and filters alone")
        }
        guard words.isEmpty || !arguments.has("--markdown") else {
            throw UsageError("--markdown writes all that users say: it takes no words to search")
        }
    }

    func show(_ planned: [PlannedScenario]) -> ExitCode {
        let index = SymptomIndex(planned)
        if arguments.has("--markdown") {
            Terminal.write(SymptomsPage(index).text)
            return index.entries.isEmpty ? .nothingShown : .asPlanned
        }
        let found = words.isEmpty ? index.entries.filter { $0.symptom != nil } : index.search(words)
        for line in Self.lines(found) { Terminal.print(line) }
        guard found.isEmpty else { return .asPlanned }
        if !words.isEmpty { tellNearest(index) }
        return .nothingShown
    }

    /// Ids in a column, and what is said beside them.
    private static func lines(_ entries: [SymptomIndex.Entry]) -> [String] {
        let width = entries.map(\.id.count).max() ?? 0
        return entries.map { $0.id.padded(to: width + 2) + $0.saying }
    }

    private func tellNearest(_ index: SymptomIndex) {
        let said = words.joined(separator: " ")
        let nearest = index.nearest(to: words)
        let hint = nearest.spelling.map { "; for '\($0.wrong)', did you mean '\($0.right)'?" }
        Terminal.error("squall: no scenario has all of '\(said)'" + (hint ?? ""))
        guard !nearest.entries.isEmpty else { return }
        Terminal.error("nearest:")
        for line in Self.lines(nearest.entries) { Terminal.error("  " + line) }
    }
}
