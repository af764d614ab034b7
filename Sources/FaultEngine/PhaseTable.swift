import StorageModel

/// Which pairs of phases can have a fault each on one exchange, and with which two faults that is shown.
///
/// In a cell the row's fault stands first in the file, the column's second.
package enum PhaseTable {
    /// The phases in the order in which an exchange comes to them; the last three go by the clock.
    package enum Phase: String, Hashable, Sendable, CaseIterable {
        case connect
        case requestHead = "request-head"
        case requestBody = "request-body N"
        case beforeCommit = "before-commit"
        case afterCommit = "after-commit"
        case responseHead = "response-head"
        case responseBody = "response-body N"
        case responseEnd = "response-end"
        case idle = "idle T"
        case elapsed = "elapsed T"
        case unread = "unread T"
    }

    package enum Role: String, Sendable, CaseIterable {
        case row
        case column
    }

    package enum Cell: Hashable, Sendable {
        /// By the test of this name, with the two phases.
        case shown(test: String)
        /// What this version does not carry out of it.
        case notYet(String)
    }

    /// The body offset of the marks at `request-body N` and `response-body N`.
    package static let offset: Int64 = 5
    /// The object whose metageneration tells how many marks came that leave none on the wire.
    package static let touched = "mark"
    /// `T` of the phases that go by the clock.
    package static let time = Duration.milliseconds(20)

    package static func cell(_ row: Phase, _ column: Phase) -> Cell {
        for rule in rules(row, column) {
            for action in rule.actions {
                if let what = action.unsupported(at: rule.phase) { return .notYet(what) }
            }
        }
        return .shown(test: "PhasePairTests.pair")
    }

    /// The two faults of a cell, in file order. Each leaves a mark, and none keeps the other away.
    package static func rules(_ row: Phase, _ column: Phase) -> [FaultRule] {
        [rule(row, .row), rule(column, .column)]
    }

    private static func rule(_ phase: Phase, _ role: Role) -> FaultRule {
        let operation = phase == .connect ? OperationPattern.one(.connect) : .one(.uploadMedia)
        return FaultRule(
            position: role == .row ? 1 : 2, text: "\(role.rawValue) at \(phase.rawValue)",
            selector: ExchangeSelector(operation: operation, ordinal: .exactly(1), per: .run),
            phase: moment(phase), actions: [mark(phase, role)], times: 1)
    }

    private static func moment(_ phase: Phase) -> FaultPhase {
        switch phase {
        case .connect: .connect
        case .requestHead: .requestHead
        case .requestBody: .requestBody(.bytes(offset))
        case .beforeCommit: .beforeCommit
        case .afterCommit: .afterCommit
        case .responseHead: .responseHead
        case .responseBody: .responseBody(.bytes(offset))
        case .responseEnd: .responseEnd
        case .idle: .idle(time)
        case .elapsed: .elapsed(time)
        case .unread: .unread(time)
        }
    }

    /// A header that says the role, and one that the later of the two overwrites; in the answer's body
    /// a byte that is zeroed by the row and flipped by the column; else a change of an object.
    private static func mark(_ phase: Phase, _ role: Role) -> FaultAction {
        switch phase {
        case .connect: return .delay(.fixed(time))
        case .requestHead, .requestBody, .beforeCommit, .afterCommit, .responseHead:
            var edit = HeaderEdit()
            edit.set = [
                HeaderValue("X-\(role.rawValue)", .text(phase.rawValue)),
                HeaderValue("X-Last", .text(role.rawValue)),
            ]
            return .headers(edit)
        case .responseBody: return .corrupt(role == .row ? .zero(1) : .flip(1))
        case .responseEnd, .idle, .elapsed, .unread:
            return .backend(.object(.touch(path: touched)))
        }
    }
}
