package import StorageModel

/// One client under test, as its file says it: how it is started, what is expected of it.
///
/// The keys are explained in `Conformance/CLIENTS.md`.
package struct ClientFile: Sendable {
    /// How the client is talked to.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// A child process that speaks the driver protocol on its standard input and output.
        case stdio
        /// A command-line tool that is started for each transfer.
        case oneShot = "one-shot"
        /// A client that asks for its commands over HTTP.
        case dialIn = "dial-in"
    }

    /// The file's path, as the command line reached it.
    package var file: String
    /// What reports call the client; its own word, `hello`, should be the same.
    package var name: Placed<String>
    package var mode = Mode.stdio
    /// Program and arguments; a relative path is one from the folder of the file.
    package var command: Placed<[String]>?
    /// Added to our own environment.
    package var environment: [String: String] = [:]
    /// The name of a profile, or the path of one, relative to the folder of the file.
    package var profile: Placed<String>?
    /// Scenarios that came later are pending; nil: none is.
    package var suite: Placed<SuiteVersion>?
    /// What the client must be able to do; nil: nothing is pinned.
    package var capabilities: Placed<Set<Capability>>?
    /// Factor for every duration, from 0.01 to 10; nil: as the capabilities say.
    package var timeScale: Double?
    /// How long a scenario may take on the wall clock, not scaled; nil: as the scenarios say.
    package var deadline: Duration?
    package var knownLists = KnownLists()
    package var oneShot: OneShotSettings?
    package var dialIn: DialInSettings?

    package init(file: String, name: Placed<String>) {
        self.file = file
        self.name = name
    }

    /// The folder of the file: the child's working directory. Never empty.
    package var folder: String {
        let folder = ScenarioPath.folder(of: file)
        return folder.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : folder
    }
}

extension ClientFile {
    /// The range of `time-scale`.
    package static let timeScales = 0.01...10.0
    /// The range of `deadline`.
    package static let deadlines = Duration.milliseconds(100)...Duration.seconds(3600)
}
