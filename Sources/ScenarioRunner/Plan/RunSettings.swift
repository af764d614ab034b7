package import ClientDriver
package import RunModel
package import Scenario

/// How a scenario is run.
package struct RunSettings: Hashable, Sendable {
    /// How many lies a passed scenario's judge is told, to see that it notices them.
    package enum Controls: Hashable, Sendable {
        case none
        /// One, drawn by the run's seed and the scenario's id.
        case one
        /// One of each kind that the evidence has: for tests of the judge.
        case everyKind
    }

    /// For server, client and draws; each scenario derives its own from it.
    package var seed: UInt64
    package var mode = RunReport.Mode.virtual
    /// How long a scenario in virtual time may take on the wall clock.
    package var wallLimit = Duration.seconds(120)
    /// Records that a server's journal keeps: where more come, the scenario is not judged.
    package var journalLimit = 100_000
    /// How long a scenario may take on the wall clock, not scaled; nil: as the scenarios say.
    package var deadline: Duration?
    /// Wall time: where our own loop is late by more than this, nothing that was seen proves anything.
    package var latenessLimit = Duration.seconds(1)
    /// Scenarios that came after this version of the suite are pending; nil: none is.
    package var pinnedSuite: SuiteVersion?
    /// What the client said of itself before the run: each of its processes must say the same. Nil: what
    /// the first of them says.
    package var hello: ClientHello?
    package var controls = Controls.none
    /// Where the directories of scenarios are made.
    package var temporaryDirectory = "/tmp"
    /// Where each scenario's client log goes, as `ID.log`; nil: only the tail is kept.
    package var clientLogs: String?
    /// Where each client's conversation is kept; nil: nowhere.
    package var transcripts: TranscriptFolder?
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
