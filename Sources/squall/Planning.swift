import Scenario
import StorageModel

/// Finds the scenarios that a command line means, and says what is wrong with the files.
struct Planning: Sendable {
    /// Which of the scenarios that the paths hold are meant.
    struct Selection: Hashable, Sendable {
        var filters: [Glob] = []
        /// Only those of the smoke set.
        var isSmoke = false
        /// Only those of these levels; empty: of all.
        var levels: [ScenarioFile.Level] = []
        /// Only those that this version of the suite had; nil: all.
        var suite: SuiteVersion?

        /// Those that are tagged `nightly` too.
        var takesNightly = false
        /// Files that are given by themselves, without row and extension: what they hold is meant.
        private var named: Set<Substring> = []

        init() {}

        /// - Throws: `UsageError` for a version that is none.
        init(_ arguments: ParsedArguments) throws(UsageError) {
            filters = arguments.values("--filter").map(Glob.init)
            isSmoke = arguments.has("--smoke")
            takesNightly = arguments.has("--nightly")
            named = Set(arguments.paths.map(Self.stem))
            for name in arguments.values("--level") {
                guard let level = ScenarioFile.Level(rawValue: name) else {
                    throw UsageError(
                        "--level takes must, should or may, not '\(name)'",
                        hint: Spelling.nearest(
                            to: name, among: ScenarioFile.Level.allCases.map(\.rawValue)))
                }
                levels.append(level)
            }
            guard let text = arguments.value("--suite") else { return }
            guard let version = SuiteVersion(text) else {
                throw UsageError("--suite takes a version, as 1.0, not '\(text)'")
            }
            suite = version
        }

        func contains(_ planned: PlannedScenario) -> Bool {
            isMeant(planned) && !leavesOut(planned)
        }

        /// True for one that is meant, moves very many bytes, and was not asked for.
        func isLeftForTheNight(_ planned: PlannedScenario) -> Bool {
            isMeant(planned) && leavesOut(planned)
        }

        private func leavesOut(_ planned: PlannedScenario) -> Bool {
            planned.scenario.isNightly && !takesNightly
                && !named.contains(Self.stem(planned.file))
        }

        /// `a/b` of `a/b.yaml[how=reset]`.
        private static func stem(_ path: String) -> Substring {
            let file = path.prefix { $0 != "[" }
            for end in [".yaml", ".yml", ".json"] where file.hasSuffix(end) {
                return file.dropLast(end.count)
            }
            return file
        }

        private func isMeant(_ planned: PlannedScenario) -> Bool {
            if isSmoke, !planned.scenario.isSmoke { return false }
            if !levels.isEmpty, !levels.contains(planned.scenario.level) { return false }
            if let suite, planned.scenario.since > suite { return false }
            return filters.isEmpty || filters.contains { $0.matches(planned.id) }
        }
    }

    let planned: [PlannedScenario]
    /// All that the paths hold, whatever is selected.
    let found: [PlannedScenario]
    /// Nothing is wrong with the files; what cannot be carried out yet may be among them.
    let isValid: Bool
    /// Filters that fit nothing of all that the paths hold: a name that was spelled wrongly, or that
    /// is there no more.
    let idleFilters: [Glob]

    /// Reads the paths (`scenarios` without any; the generated matrix where it is asked for), keeps what a filter lets through, and writes the
    /// diagnostics to standard error.
    ///
    /// - Parameters:
    ///   - reportsUnsupported: whether what cannot be carried out yet is told as well.
    ///   - tellsNightly: whether it is told how many scenarios are left for the night.
    init(
        _ arguments: ParsedArguments, _ selection: Selection? = nil,
        reportsUnsupported: Bool = true, tellsNightly: Bool = false
    ) {
        if arguments.paths.isEmpty, !Installation.hasSuite {
            Terminal.error(
                "squall: the suite was not found: no scenarios/VERSION in this folder, nor beside or "
                    + "above the program; name the folder of scenarios, or run the program where "
                    + "it was built")
        }
        let named = arguments.scenarioPaths
        let paths = named.isEmpty ? [Installation.suite] : named
        let plan = ScenarioLoader().plan(paths)
        for diagnostic in plan.diagnostics
        where reportsUnsupported || diagnostic.kind == .invalid {
            Terminal.error(diagnostic.text)
        }
        found = plan.planned
        planned = found.filter { selection?.contains($0) ?? true }
        isValid = plan.isValid && Self.isWhole(paths, found)
        idleFilters = (selection?.filters ?? []).filter { filter in
            !plan.planned.contains { filter.matches($0.id) }
        }
        for filter in idleFilters {
            Terminal.error("squall: no scenario fits --filter '\(filter)'")
        }
        let night = found.count { selection?.isLeftForTheNight($0) ?? false }
        if tellsNightly, night > 0 {
            Terminal.error("squall: \(night) that move very many bytes are left out: --nightly")
        }
    }

    /// False where the folder of a suite has fewer scenarios than its `VERSION` says: what is left of it
    /// would be green without what is missing.
    private static func isWhole(_ paths: [String], _ found: [PlannedScenario]) -> Bool {
        let paths = paths.filter { !GeneratedMatrix.holds($0) }
        let count = found.count { !GeneratedMatrix.holds($0.file) }
        for path in paths where paths.count == 1 {
            guard let whole = Installation.scenarioCount(ofSuite: path), count < whole else {
                continue
            }
            Terminal.error(
                "\(path)/VERSION:2:1: error: the suite has \(whole) scenarios, and \(count) are here: it "
                    + "is not whole")
            return false
        }
        return true
    }
}

extension ParsedArguments {
    /// The paths that are given, and with `--generated` the matrix; without paths the suite and it.
    var scenarioPaths: [String] {
        guard has("--generated"), !paths.contains(GeneratedMatrix.folder) else { return paths }
        return (paths.isEmpty ? [Installation.suite] : paths) + [GeneratedMatrix.folder]
    }
}
