package import RunModel

/// How a scenario is run.
package struct RunSettings: Hashable, Sendable {
    /// For server, client and draws; each scenario derives its own from it.
    package var seed: UInt64
    package var mode = RunReport.Mode.virtual
    /// How long a scenario in virtual time may take on the wall clock.
    package var wallLimit = Duration.seconds(120)
    /// Records that a server's journal keeps: where more come, the scenario is not judged.
    package var journalLimit = 100_000
    /// Where the directories of scenarios are made.
    package var temporaryDirectory = "/tmp"
    /// What the command line was, for the command that repeats a scenario.
    package var commandLine = CommandLineParts()

    package init(seed: UInt64 = 1) { self.seed = seed }

    var isVirtual: Bool { mode == .virtual }

    /// What durations of the file are multiplied by.
    var scale: Double {
        switch mode {
        case .virtual: 1
        case .wall(let scale): scale
        }
    }
}
