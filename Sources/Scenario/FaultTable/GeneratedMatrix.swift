import StorageModel

/// The fault table as scenarios that are run like those of files.
///
/// They lie in no folder: `generated` on a command line stands for all of them, `generated/upload.chunk`
/// for those below, and a whole id for one. A folder of that name that is really there comes first.
package enum GeneratedMatrix {
    /// What ids and paths begin with.
    package static let folder = "generated"

    /// The rows that a rule decides, in the order of the table.
    package static let rows: [FaultRow] = FaultTable.rows.filter { $0.outcome != .undecided }

    /// The rows that are named and not run: no rule says what becomes of them.
    package static let undecided: [FaultRow] = FaultTable.undecided

    /// Every row that is decided as a scenario, what is expected being written for the profile
    /// `documented`: another one rewrites it as it rewrites any scenario.
    package static let planned: [PlannedScenario] = rows.flatMap { FaultTable.plan($0).planned }

    /// True for an id of a row, its file, or a path above rows.
    package static func holds(_ path: String) -> Bool {
        path == folder || path.hasPrefix(folder + "/")
    }

    /// What the file of a row would say; nil for a path that is none.
    package static func text(ofFile file: String) -> String? {
        guard holds(file) else { return nil }
        return byID[withoutExtension(file)]?.scenarioText
    }

    /// The row of an id; nil for any other scenario.
    static func row(_ id: String) -> FaultRow? { holds(id) ? byID[id] : nil }

    /// The rows that a path means.
    ///
    /// - Parameter takesUndecided: whether a row that is not decided may be meant, by its id alone.
    static func find(
        _ path: String, takesUndecided: Bool
    ) -> Result<[ScenarioPath], Diagnostic> {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        if let row = byID[withoutExtension(path)] {
            guard row.outcome != .undecided || takesUndecided else {
                return .failure(
                    problem(
                        path,
                        "what is to be expected of this row is not decided: it is served, "
                            + "and not run"))
            }
            return .success([place(row)])
        }
        let below = path == folder ? rows : rows.filter { $0.id.hasPrefix(path + "/") }
        guard !below.isEmpty else { return .failure(unknown(path)) }
        return .success(below.map(place))
    }

    private static let byID = Dictionary(FaultTable.rows.map { ($0.id, $0) }) { first, _ in first }

    private static func place(_ row: FaultRow) -> ScenarioPath {
        ScenarioPath(file: row.file, id: row.id, row: nil)
    }

    private static func withoutExtension(_ path: String) -> String {
        path.hasSuffix(".yaml") ? String(path.dropLast(5)) : path
    }

    /// Names the first segment that is none, and the nearest that is one.
    private static func unknown(_ path: String) -> Diagnostic {
        var known = folder
        for segment in path.split(separator: "/").dropFirst() {
            let next = known + "/" + segment
            if byID.keys.contains(where: { $0 == next || $0.hasPrefix(next + "/") }) {
                known = next
                continue
            }
            let names = Set(
                byID.keys.filter { $0.hasPrefix(known + "/") }.map { id in
                    String(id.dropFirst(known.count + 1).prefix { $0 != "/" })
                })
            var diagnostic = problem(path, "there is no '\(segment)' in \(known)")
            diagnostic.suggestion = Spelling.nearest(to: String(segment), among: names.sorted())
            return diagnostic
        }
        return problem(path, "no row of it is decided")
    }

    private static func problem(_ path: String, _ message: String) -> Diagnostic {
        Diagnostic(place: SourcePlace(file: path, line: 1, column: 1), message: message)
    }
}
