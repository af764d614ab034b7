import FaultEngine

/// The part of the page on phases that meet.
enum PhasePage {
    private typealias Phase = PhaseTable.Phase

    static var text: String {
        var reasons: [String] = []
        let columns = Phase.allCases
        var lines = [
            "| | " + columns.map { "`\($0.rawValue)`" }.joined(separator: " | ") + " |",
            "| --- |" + columns.map { _ in " --- |" }.joined(),
        ]
        for row in Phase.allCases {
            let cells = columns.map { column -> String in
                switch PhaseTable.cell(row, column) {
                case .shown(let test): return "`\(test.split(separator: ".").last ?? "")`"
                case .notYet(let reason):
                    if !reasons.contains(reason) { reasons.append(reason) }
                    return "(\((reasons.firstIndex(of: reason) ?? 0) + 1))"
                }
            }
            lines.append("| `\(row.rawValue)` | \(cells.joined(separator: " | ")) |")
        }
        let notes = reasons.enumerated().map { "(\($0 + 1)) not carried out yet: \($1)." }
        return ([introduction, lines.joined(separator: "\n"), notes.joined(separator: "  \n")])
            .filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static let introduction = """
        ## Phases that meet

        The phases of an exchange (`at`), in the order in which it comes to them; `idle`, `elapsed` and
        `unread` go by the clock. A cell names the test that shows a fault of the row and a fault of the
        column on one exchange or its connection: `pair` is `PhasePairTests.pair` with both phases. It
        is told by a raw socket, by the journal, and by the order in which both left their marks. The
        row's fault stands first in the file; on the diagonal that decides the order.
        """
}
