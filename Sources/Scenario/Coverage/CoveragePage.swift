import StorageModel

/// `scenarios/COVERAGE.md`: the tables of a plan in Markdown.
package enum CoveragePage {
    package static func text(_ table: CoverageTable) -> String {
        ([introduction, topics(table), rules(table), moments(table), reasons(table)]
            .joined(separator: "\n\n")) + "\n"
    }

    private static let introduction = """
        # What the scenarios cover

        Counted are the scenarios that were written, each file once however many rows it has; the generated
        rows ([FAULT-TABLE.md](../Conformance/FAULT-TABLE.md)) come on top. This page is what
        `squall list --coverage` prints, and a test holds it to the files. Which rules are covered in the
        sense that a client which breaks them is caught is another question, and the mutants answer it.
        """

    // MARK: Topics

    private static func topics(_ table: CoverageTable) -> String {
        let lines = table.topics.map { topic in
            let example = topic.portable.first.map { "`\($0)`" } ?? "-"
            return "| \(topic.name) | \(topic.files.count) | \(topic.rows) | "
                + "\(topic.portable.count) | \(example) |"
        }
        return """
            ## Topics

            A portable scenario binds every client: `must`, with chunks of the client's own, in wall time too.

            | topic | files | rows | portable | one of them |
            | --- | --- | --- | --- | --- |
            \(lines.joined(separator: "\n"))
            """
    }

    // MARK: Rules

    private static func rules(_ table: CoverageTable) -> String {
        let names = Set(table.kept.keys).union(table.tried.keys).sorted {
            ($0.first ?? " ", Int($0.dropFirst()) ?? 0) < (
                $1.first ?? " ", Int($1.dropFirst()) ?? 0
            )
        }
        let lines = names.map { name in
            "| \(name) | \(cell(table.kept[name])) | \(cell(table.tried[name])) |"
        }
        return """
            ## Rules

            Of each rule: the files in which nothing goes wrong, and those in which a fault, a refusal or a wrong
            call puts it to the test; the first one by name, and how many there are.

            | rule | as promised | put to the test |
            | --- | --- | --- |
            \(lines.joined(separator: "\n"))
            """
    }

    private static func cell(_ files: [String]?) -> String {
        guard let files, let first = files.first else { return "-" }
        return files.count == 1 ? "`\(first)`" : "`\(first)`, \(files.count) in all"
    }

    // MARK: Moments

    private static let operations = Operation.allCases.filter { $0 != .unknown }

    private static func moments(_ table: CoverageTable) -> String {
        let head = PhaseName.allCases.map(\.rawValue).joined(separator: " | ")
        let rule = PhaseName.allCases.map { _ in "---" }.joined(separator: " | ")
        let lines = operations.map { operation in
            let cells = PhaseName.allCases.map { phase in
                let moment = CoverageTable.Moment(operation, phase)
                return table.moments[moment].map { "\($0.count)" }
                    ?? (CoverageReasons.reason(moment) == nil ? "missing" : "-")
            }
            return "| \(operation.rawValue) | \(cells.joined(separator: " | ")) |"
        }
        return """
            ## Requests and moments

            How many files do something at the moment: a fault, or a step that waits for it. Where there is a
            dash, the reason stands below.

            | request | \(head) |
            | --- | \(rule) |
            \(lines.joined(separator: "\n"))
            """
    }

    private static func reasons(_ table: CoverageTable) -> String {
        var told: [(reason: String, moments: [String])] = []
        for operation in operations {
            for phase in PhaseName.allCases {
                let moment = CoverageTable.Moment(operation, phase)
                guard table.moments[moment] == nil, let reason = CoverageReasons.reason(moment)
                else { continue }
                let name = "\(operation.rawValue) \(phase.rawValue)"
                if let place = told.firstIndex(where: { $0.reason == reason }) {
                    told[place].moments.append(name)
                } else {
                    told.append((reason, [name]))
                }
            }
        }
        let lines = told.map { "| \($0.reason) | \(shortened($0.moments)) |" }
        return """
            | why there is none | for |
            | --- | --- |
            \(lines.joined(separator: "\n"))
            """
    }

    private static func shortened(_ names: [String]) -> String {
        names.count <= 6
            ? names.joined(separator: ", ") : "\(names[0]) and \(names.count - 1) more"
    }
}
