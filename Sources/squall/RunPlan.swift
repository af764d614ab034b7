import ClientDriver
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// What a run will do: the command line over the client file over what goes without saying.
struct RunPlan: Sendable {
    let options: RunOptions
    let client: ClientUnderTest
    let profile: Profile
    /// With their expectations rewritten for the profile.
    let scenarios: [PlannedScenario]
    /// All that the paths hold, whatever part of it is run.
    let found: [PlannedScenario]
    /// What the client's file knows of its failures; nil where it lists none.
    let lists: BoundLists?
    private let paths: [String]

    /// - Throws: `UsageError` for a client file or a profile that cannot be used.
    init(_ arguments: ParsedArguments, _ options: RunOptions) throws(UsageError) {
        let client = try ClientUnderTest(options)
        if client.isAlone, let asked = arguments.value("--jobs"), asked != "1" {
            throw UsageError("a client that dials in is there once: --jobs 1, not \(asked)")
        }
        let profile = try Self.profile(options, client)
        let planning = FileRights.regained {
            Planning(arguments, options.selection, tellsNightly: true)
        }
        guard planning.isValid else { throw .alreadyTold }
        // A run of what is left would be green without what somebody asked for.
        let planned = planning.idleFilters.isEmpty ? planning.planned : []
        self.init(
            options, client, profile, planned, found: planning.found,
            paths: arguments.scenarioPaths)
    }

    /// Scenarios at once.
    var jobs: Int { client.isAlone ? 1 : options.jobs }

    /// What every scenario is run with, apart from what only the client's `hello` can tell.
    var settings: RunSettings {
        var settings = RunSettings(seed: options.seed)
        settings.journalLimit = options.journalLimit
        settings.transcripts = options.transcripts
        settings.clientLogs = options.clientLogs
        settings.deadline = client.file?.deadline
        settings.pinnedSuite = client.file?.suite?.value
        settings.commandLine = options.commandLine(paths: paths)
        return settings
    }

    /// Factor for every duration: a client whose limits can be set is run ten times as fast as the files
    /// say.
    func timeScale(_ hello: ClientHello?) -> Double {
        if let scale = options.timeScale ?? client.file?.timeScale { return scale }
        guard client.isOutside else { return 0.1 }
        return hello?.capabilities.contains(.limits) == true ? 0.1 : 1
    }

    /// A plan that is not made of a command line alone.
    init(
        _ options: RunOptions, _ client: ClientUnderTest, _ profile: Profile,
        _ planned: [PlannedScenario], found: [PlannedScenario] = [], paths: [String] = []
    ) {
        self.options = options
        var client = client
        client.likeness = profile.lineage
        self.client = client
        self.profile = profile
        self.found = found
        self.paths = paths
        scenarios = planned.map(profile.rewriting)
        if let file = client.file, !file.knownLists.isEmpty {
            lists = BoundLists(file, profile, found: found, planned: planned)
        } else {
            lists = nil
        }
    }

    /// The command line's word counts more than that of the client's file.
    private static func profile(
        _ options: RunOptions, _ client: ClientUnderTest
    ) throws(UsageError) -> Profile {
        if let name = options.profile { return try ProfileChoice(name).profile }
        guard let file = client.file, let named = file.profile else {
            return try ProfileChoice(nil).profile
        }
        return try ProfileChoice(named.value, relativeTo: file.folder, at: named.place).profile
    }
}
