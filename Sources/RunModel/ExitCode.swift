/// What the command returns to the shell.
package enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
    case asPlanned = 0
    /// Failed, void, unexpected pass, `must` not run, or less than the client file pins.
    case red = 1
    case usage = 2
    case invalidScenario = 3
    /// Nothing passed and nothing failed: nothing was shown.
    case nothingShown = 4
    case infrastructure = 5
    /// A list entry that fits nothing, overlaps or has expired.
    case listEntry = 6
}

extension RunReport {
    /// The exit code; of several the weightiest: 3, 1, 5, 4, 6.
    package var exitCode: ExitCode {
        let summary = summary
        if has(.invalidScenario) { return .invalidScenario }
        if isRed(summary) { return .red }
        if summary[.errored] > 0 || has(.infrastructure) || has(.control) { return .infrastructure }
        if summary[.passed] + summary[.failed] == 0 { return .nothingShown }
        if has(.listEntry) { return .listEntry }
        return .asPlanned
    }

    private func has(_ kind: Problem.Kind) -> Bool { problems.contains { $0.kind == kind } }

    private func isRed(_ summary: Summary) -> Bool {
        summary[.failed] + summary[.void] + summary[.unexpectedPass] > 0
            || results.contains { $0.verdict == .notRun && $0.level == .must }
            || has(.missingCapability) || has(.flakyLimit) || has(.twin)
    }
}
