/// What the command returns to the shell.
struct ExitCode: Hashable {
    let rawValue: Int32

    /// Everything was as planned.
    static let asPlanned = ExitCode(rawValue: 0)
    /// A scenario failed or was void, or a judgement at the end of `serve` did.
    static let failed = ExitCode(rawValue: 1)
    /// The command line was wrong.
    static let usage = ExitCode(rawValue: 2)
    /// A scenario file is not valid.
    static let invalidScenario = ExitCode(rawValue: 3)
    /// Nothing passed and nothing failed.
    static let nothingRan = ExitCode(rawValue: 4)
    /// We or the machine broke.
    static let infrastructure = ExitCode(rawValue: 5)
}
