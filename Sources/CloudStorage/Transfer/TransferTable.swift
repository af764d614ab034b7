/// What a transfer does in each phase with each call and each report: the whole life of a task as data.
///
/// A pair of phase and input that has no row does nothing. Reports of an older generation than the
/// current one never get here (`TransferMachine`).
package struct TransferTable: Hashable, Sendable {
    package enum Phase: String, CaseIterable, Sendable {
        /// Made; the start comes in the callback queue's next turn.
        case waiting
        /// Asked to pause before the start.
        case held
        /// Asked to pause before the start, and to go on.
        case released
        case running
        /// Asked to pause; the exchange has not stopped yet.
        case pausing
        /// As `pausing`, and asked to go on afterwards.
        case resuming
        case paused
        /// All is there and its result is being put in place: too late to pause or to cancel.
        case finishing
        case succeeded
        case failed
        /// Ended by the program: by a call, or by its limit on the bytes of a download.
        case cancelled

        package var isTerminal: Bool { self == .succeeded || self == .failed || self == .cancelled }
    }

    package enum Input: String, CaseIterable, Sendable {
        // Of the task itself, once.
        case start
        /// The start of a transfer that cannot even begin.
        case startInVain
        // Of the user.
        case pause
        case resume
        case cancel
        // Of the transfer.
        case progressed
        /// The exchange has stopped because of `halt`.
        case stopped
        /// All is there: may the result be put in place?
        case finish
        case succeeded
        case failed
        /// There are more bytes than the program allows.
        case exceeded
    }

    package enum Effect: String, Sendable, CaseIterable {
        /// A new generation transfers, or goes on.
        case begin
        /// Stop the exchange and report `stopped`.
        case halt
        /// Stop for good and clear away what was begun.
        case abandon
        case tellResume
        case tellPause
        /// Progress, if there are more bytes than before.
        case tellRise
        /// Progress, if the last bytes have not been told.
        case tellRest
        /// Progress, told already or not.
        case tellAgain
        case tellSuccess
        case tellFailure
    }

    package struct Row: Hashable, Sendable {
        package var next: Phase
        package var effects: [Effect]
    }

    /// What an observer is told that is added in a phase, and what a snapshot shows in it.
    package struct Sight: Hashable, Sendable {
        /// Called at once, if it waits for one of these.
        package var replays: Set<StorageTaskStatus> = []
        package var status: StorageTaskStatus
        /// The status once progress has been told; nil: the same.
        package var later: StorageTaskStatus?
    }

    private struct Place: Hashable, Sendable {
        let phase: Phase
        let input: Input
    }

    private var rows: [Place: Row] = [:]
    package private(set) var sights: [Phase: Sight]

    init(sights: [Phase: Sight]) { self.sights = sights }

    /// Nil: nothing happens.
    package subscript(phase: Phase, input: Input) -> Row? {
        get { rows[Place(phase: phase, input: input)] }
        set { rows[Place(phase: phase, input: input)] = newValue }
    }

    package subscript(phase: Phase) -> Sight {
        get { sights[phase] ?? Sight(status: .unknown) }
        set { sights[phase] = newValue }
    }

    /// The same with the rows of some phases set or replaced.
    func with(_ phases: Phase..., rows: [Input: Row]) -> TransferTable {
        var table = self
        for phase in phases {
            for (input, row) in rows { table[phase, input] = row }
        }
        return table
    }

    /// The same without some rows of a phase: these inputs do nothing there.
    func without(_ phase: Phase, _ inputs: Input...) -> TransferTable {
        var table = self
        for input in inputs { table[phase, input] = nil }
        return table
    }
}

extension TransferTable.Row {
    /// A row in the words of a table: where it leads to, and what is done on the way.
    package static func to(
        _ next: TransferTable.Phase, _ effects: TransferTable.Effect...
    ) -> TransferTable.Row {
        TransferTable.Row(next: next, effects: effects)
    }
}
