package import EventMatching
package import StorageModel

/// What became of one planned scenario.
package struct ScenarioResult: Hashable, Sendable {
    /// The stable id, with its matrix values.
    package var id: String
    package var title: String
    /// The scenario file, as the command line reached it.
    package var file: String
    package var level = ScenarioLevel.must
    /// Names of what it is made from: `D14`, `B072`, ...
    package var sources: [String] = []
    package var verdict: Verdict
    /// In the order in which they were found; the first makes the headline.
    package var failures: [Failure] = []
    package var tasks: [TaskRecord] = []
    /// In the order of their ordinals.
    package var exchanges: [ExchangeRecord] = []
    package var unfiredFaults: [UnfiredFault] = []
    /// On the scenario's clock, from its start to its settled end.
    package var duration = Duration.zero
    package var seed: UInt64 = 0
    /// Tries before this one, where it was run again; the oldest first.
    package var earlierTries: [Try] = []
    /// The judging of falsified evidence, where it passed and that was asked for.
    package var controls: [Control] = []
    /// Why it was skipped, not run or is pending; what the client's lists have to do with it.
    package var reason: String?
    /// The entry of the client's lists that fits it; nil where none does.
    package var listed: ListedEntry?
    /// The end of what the client wrote to its own log meanwhile; nil where that is nothing.
    package var clientOutput: String?
    /// The one command that runs it again as it was run, with its seed.
    package var repeatCommand: String?

    package init(id: String, title: String = "", file: String = "", verdict: Verdict) {
        self.id = id
        self.title = title
        self.file = file
        self.verdict = verdict
    }

    /// Every fault that fired, in the order of the exchanges.
    package var firedFaults: [FiredFault] { exchanges.flatMap(\.faults) }
}

/// How an earlier try of a scenario ended.
package struct Try: Hashable, Sendable {
    package var verdict: Verdict
    package var seed: UInt64
    /// What was wrong with it; nil where nothing was.
    package var sentence: String?

    package init(verdict: Verdict, seed: UInt64, sentence: String? = nil) {
        self.verdict = verdict
        self.seed = seed
        self.sentence = sentence
    }

    /// A result, as a try before another.
    package init(_ result: ScenarioResult) {
        self.init(
            verdict: result.verdict, seed: result.seed,
            sentence: result.failures.first?.sentence)
    }
}

/// A fault that never fired.
package struct UnfiredFault: Hashable, Sendable {
    package var name: String
    package var place: SourcePlace?
    /// Why it never came, with the nearest exchanges.
    package var sentence: String

    package init(name: String, place: SourcePlace? = nil, sentence: String) {
        self.name = name
        self.place = place
        self.sentence = sentence
    }
}
