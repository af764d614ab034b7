package import StorageModel

/// A finished run: all that a report can tell.
package struct RunReport: Hashable, Sendable {
    /// On which clock the scenarios ran.
    package enum Mode: Hashable, Sendable {
        case virtual
        /// Every duration of the files was multiplied by `scale`.
        case wall(scale: Double)
    }

    /// The client under test.
    package struct Client: Hashable, Sendable {
        package var name: String
        package var version: String
        /// The path of its file; nil where the run has none.
        package var file: String?

        package init(name: String, version: String, file: String? = nil) {
            self.name = name
            self.version = version
            self.file = file
        }
    }

    /// The habits that were expected of it.
    package struct Profile: Hashable, Sendable {
        package var name: String
        /// Traits that are not as documented: `start-event: none`.
        package var departures: [String]

        package init(name: String = "documented", departures: [String] = []) {
            self.name = name
            self.departures = departures
        }
    }

    /// What is wrong with the run apart from a planned scenario.
    package struct Problem: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A scenario file that cannot be read.
            case invalidScenario = "invalid-scenario"
            /// Fewer capabilities than the client file pins.
            case missingCapability = "missing-capability"
            /// More flaky tries than the client file allows.
            case flakyLimit = "flaky-limit"
            case infrastructure
            /// A falsification that nothing noticed, or too few of them.
            case control
            /// A client that does and tells the same whatever happens.
            case twin
            /// A list entry that fits nothing, overlaps or has expired.
            case listEntry = "list-entry"
        }

        package var kind: Kind
        package var sentence: String
        package var place: SourcePlace?

        package init(_ kind: Kind, _ sentence: String, place: SourcePlace? = nil) {
            self.kind = kind
            self.sentence = sentence
            self.place = place
        }
    }

    /// Of the report formats; a change that a reader could trip over makes it larger.
    package static let format = 1

    package var toolVersion: String
    package var suiteVersion: String
    /// Over the files of the suite, as lowercase hexadecimal digits.
    package var suiteDigest: String
    package var client: Client
    package var profile = Profile()
    package var seed: UInt64
    package var mode = Mode.virtual
    /// In the order of the plan, whatever order they ran in.
    package var results: [ScenarioResult] = []
    package var problems: [Problem] = []
    /// What somebody should know who reads the run, and what makes it neither red nor green: one sentence
    /// each.
    package var remarks: [String] = []
    /// Nil where none were asked for.
    package var controls: ControlReport?
    /// How long the run took on the wall clock; the one value that differs between equal runs.
    package var wallDuration = Duration.zero

    package init(
        toolVersion: String, suiteVersion: String, suiteDigest: String, client: Client,
        seed: UInt64
    ) {
        self.toolVersion = toolVersion
        self.suiteVersion = suiteVersion
        self.suiteDigest = suiteDigest
        self.client = client
        self.seed = seed
    }

    package var summary: Summary { Summary(results) }

    /// Says so where most of the plan shows nothing of the client, whatever became of the rest; nil
    /// where at least half does.
    package var scarcity: String? {
        let summary = summary
        let silent: [Verdict] = [.skipped, .notRun, .pending, .errored, .void]
        let shown = summary.planned - silent.reduce(0) { $0 + summary[$1] }
        guard shown * 2 < summary.planned else { return nil }
        return "only \(shown) of \(summary.planned) planned scenarios say anything of this client"
    }
}
