import Scenario
import StorageModel

/// `Conformance/FAULT-TABLE.md`, made from the rules and the cases.
enum FaultTablePage {
    static var text: String {
        [introduction, scenarios, rules, words, table, undecided].joined(separator: "\n\n") + "\n"
    }

    private static var introduction: String {
        let rows = FaultTable.rows
        return """
            # What a client does after each fault

            Every fault of the [catalogue](FAULTS.md), at its moments, met by the requests of an upload, a
            download and the other operations: \(rows.count) rows. What is expected of a row follows from what
            the fault is (its class) and from the rules below; where the number of requests does not follow from
            the class, the case says it. A chunk that came whole is kept, whatever breaks before it is
            carried out: there `broken` is `lost`.
            `squall faults --outcomes` runs every row against the reference client in virtual time and tells
            where it departs; a test does so too. This page is made by
            `squall faults --outcomes --markdown`, and a test holds it to the code.

            Each row expects the events and the code, the cause underneath, when the end comes, how many
            requests of the kind the server sees, that an upload is stored in one generation or not at all,
            and that a failed download leaves nothing. Where a limit is reached it is 20 s; silence is given
            up after 5 s.
            """
    }

    private static var scenarios: String {
        let rows = GeneratedMatrix.rows.filter { !$0.needsTLS }
        let example = "generated/upload.chunk/early-answer/respond-503/request-head/once"
        return """
            ## The rows as scenarios

            Each row is a scenario like those of files, with an id of six parts: `\(example)` is
            the request that meets the fault, the fault, what it does, the moment, and how often it comes.
            \(rows.count) of them run in virtual and in wall time, with every driver; those of TLS are
            served, and skipped in a run; those that are not decided are served, and not run.

            | command | does |
            | --- | --- |
            | `squall run --generated` | the suite and every row |
            | `squall run generated/upload.query --jobs 2` | the rows of one request |
            | `squall run --generated --filter 'generated/**/before-commit/*'` | those of one moment |
            | `squall run \(example)` | one row |
            | `squall run generated --client my-client.yaml` | every row, for a client of yours |
            | `squall list generated/delete` | their ids; with `--profile apple` what is left out, and why |
            | `squall list --show \(example) > my.yaml` | the file that the row would be, to keep and to edit |
            | `squall serve --scenario \(example)` | its backend and its fault, for any client |
            | `squall list --undecided` | the ids of the rows that are not decided |

            `--generated` stands for the path `generated` beside those that are given, in `run`, `list`, `check`
            and `baseline update`. A client's lists name rows by their ids and by patterns:
            `generated/upload.query/**`. What is expected is written for the profile `documented`, and
            another profile rewrites it by its traits, as it rewrites any scenario
            ([PROFILES.md](PROFILES.md)): what cannot be computed is left out with the reason. A row asks for the
            capability `limits` only where a limit is reached, and for `chunk-size` where it names a chunk.
            """
    }

    // MARK: Rules

    private static var rules: String {
        var lines = [
            "## The rules", "", "The first line that fits decides.", "",
            "| class of the fault | at | once | each time |", "| --- | --- | --- | --- |",
        ]
        for rule in OutcomeRule.all where rule.kind != .undecided {
            lines.append(
                "| \(rule.kind.rawValue) | \(place(rule.targets)) | \(word(rule.once)) "
                    + "| \(word(rule.each)) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func place(_ targets: Set<FaultTarget>) -> String {
        if targets == FaultTarget.everywhere { return "everything" }
        return FaultTarget.allCases.filter(targets.contains).map(short).joined(separator: ", ")
    }

    /// What stands in a cell for a request.
    private static func short(_ target: FaultTarget) -> String {
        switch target {
        case .uploadStart: "start"
        case .uploadChunk: "chunk"
        case .uploadLast: "last chunk"
        case .uploadWhole: "whole"
        case .uploadQuery: "query"
        case .download: "to a file"
        case .downloadToMemory: "to memory"
        case .downloadResumed: "second half"
        case .metadata: "read"
        case .metadataUpdate: "written"
        case .delete: "delete"
        case .list: "list"
        }
    }

    private static func word(_ outcome: FaultOutcome) -> String {
        switch outcome {
        case .passes: "passes"
        case .recovers: "recovers"
        case .renews: "renews"
        case .exhausts: "exhausts"
        case .refused: "refused"
        case .fails(let code): code.rawValue
        case .undecided: "?"
        }
    }

    private static let words = """
        | word | events | and |
        | --- | --- | --- |
        | passes | `resume progress+ success` | no request more than without the fault |
        | recovers | `resume progress+ success` | after a wait of 1 s or more and another try; of a \
        session's bodies the query decides what is sent again |
        | renews | `resume progress+ success` | without a wait: another session, another token, or another \
        request that settles it |
        | exhausts | `resume progress* failure(retryLimitExceeded)` | at the limit, with the last cause \
        underneath |
        | refused | `resume progress* failure(CODE)` | at once; CODE by the status, which lies underneath |
        | a code | `resume progress* failure(CODE)` | at once |

        A row of metadata, delete or list has a result instead of events: success, or an error with the code.
        """

    // MARK: Rows

    private static let columns: [(String, Set<FaultTarget>)] = [
        ("upload", FaultTarget.uploads), ("download", FaultTarget.downloads),
        ("metadata", [.metadata, .metadataUpdate]), ("delete", [.delete]), ("list", [.list]),
    ]

    private static var table: String {
        let names = columns.map(\.0).joined(separator: " | ")
        var lines = [
            "## The table", "",
            "| fault | what | at | class | comes | \(names) |",
            "| --- | --- | --- | --- | --- |" + columns.map { _ in " --- |" }.joined(),
        ]
        for fault in FaultCase.all where fault.kind != .undecided {
            for repetition in fault.repetitions { lines.append(line(fault, repetition)) }
        }
        return lines.joined(separator: "\n")
    }

    private static func line(
        _ fault: FaultCase, _ repetition: FaultCase.Repetition
    ) -> String {
        let rows = FaultTable.rows.filter { $0.fault == fault && $0.repetition == repetition }
        var what = [fault.action.map { "`\(escaped($0))`" } ?? ""]
        if let commit = fault.commit { what.append("`commit: \(commit)`") }
        if let backend = fault.backend { what.append("`backend: \(escaped(backend))`") }
        let moments = fault.phases.map { $0 ?? "its default" }.joined(separator: ", ")
        let cells = columns.map { _, targets in
            cell(rows.filter { targets.contains($0.target) })
        }
        return "| \(fault.fault) | \(what.filter { !$0.isEmpty }.joined(separator: " ")) "
            + "| \(moments) | \(fault.kind.rawValue) | \(repetition.rawValue) | "
            + cells.joined(separator: " | ") + " |"
    }

    /// What comes of it: one word where it is the same for all, else a word for each request.
    private static func cell(_ rows: [FaultRow]) -> String {
        var groups: [(outcome: String, targets: [FaultTarget])] = []
        for row in rows {
            let outcome = text(row)
            if let index = groups.firstIndex(where: { $0.outcome == outcome }) {
                if !groups[index].targets.contains(row.target) {
                    groups[index].targets.append(row.target)
                }
            } else {
                groups.append((outcome, [row.target]))
            }
        }
        if groups.count == 1 { return groups[0].outcome }
        return groups.map { group in
            group.targets.map(short).joined(separator: ", ") + ": " + group.outcome
        }.joined(separator: "; ")
    }

    /// `recovers`, `unauthorized (403)`, `retryLimitExceeded (reset)`
    private static func text(_ row: FaultRow) -> String {
        guard let code = row.code else { return word(row.outcome) }
        guard row.outcome != .fails(.nonMatchingChecksum), let cause = row.fault.cause else {
            return code.rawValue
        }
        switch cause {
        case .status(let status): return "\(code.rawValue) (\(status))"
        case .transport(let fault): return "\(code.rawValue) (\(fault.rawValue))"
        }
    }

    private static var undecided: String {
        let rows = FaultTable.undecided
        let share = Double(rows.count * 1000 / max(1, FaultTable.rows.count)) / 10
        let names = FaultCase.all.filter { $0.kind == .undecided }.map { fault in
            let rows = rows.filter { $0.fault == fault }
            let targets = FaultTarget.allCases.filter { target in
                rows.contains { $0.target == target }
            }
            let moments = fault.phases.compactMap { $0 }
            let at = moments.isEmpty ? "" : " @ " + moments.joined(separator: ", ")
            return "- \(fault.fault) `\(fault.action ?? "")`\(at) (\(rows.count)): "
                + targets.map(\.rawValue).joined(separator: "; ")
        }
        return """
            ## Not decided

            \(rows.count) rows, \(share) %: what becomes of them depends on more than the class, or no client
            can tell that anything is wrong.

            \(names.joined(separator: "\n"))
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
