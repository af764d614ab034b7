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
    private let paths: [String]

    /// - Throws: `UsageError` for a client file or a profile that cannot be used.
    init(_ arguments: ParsedArguments, _ options: RunOptions) throws(UsageError) {
        self.options = options
        paths = arguments.paths
        client = try ClientUnderTest(options)
        profile = try Self.profile(options, client)
        try Self.checkSuite(client.file?.suite)
        let planning = FileRights.regained { Planning(arguments, options.selection) }
        guard planning.isValid else { throw .alreadyTold }
        scenarios = planning.planned.map(profile.rewriting)
    }

    /// What every scenario is run with, apart from what only the client's `hello` can tell.
    var settings: RunSettings {
        var settings = RunSettings(seed: options.seed)
        settings.journalLimit = options.journalLimit
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

    /// A client cannot be pinned to what is not there.
    private static func checkSuite(_ pinned: Placed<SuiteVersion>?) throws(UsageError) {
        guard let pinned, let installed = SuiteVersion(Installation.suiteVersion),
            pinned.value > installed
        else { return }
        let diagnostic = Diagnostic(
            place: pinned.place,
            message: "the client is pinned to suite \(pinned.value), and this is \(installed)")
        Terminal.error(diagnostic.text)
        throw .alreadyTold
    }
}
