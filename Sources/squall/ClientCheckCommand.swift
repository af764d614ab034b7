import ClientDriver
import Glibc
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// `squall client check`: reads client files, with all that they name, and starts nothing.
struct ClientCheckCommand {
    private let paths: [String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard !arguments.paths.isEmpty else {
            throw UsageError("'client check' needs the path of a client file")
        }
        paths = arguments.paths
    }

    func perform() throws(UsageError) -> ExitCode {
        let codes = FileRights.regained { paths.map(check) }
        if codes.contains(.invalidScenario) { return .invalidScenario }
        return codes.contains(.listEntry) ? .listEntry : .asPlanned
    }

    private func check(_ path: String) -> ExitCode {
        let reading = ClientFile.load(path)
        for diagnostic in reading.diagnostics { Terminal.error(diagnostic.text) }
        guard let file = reading.file else { return .invalidScenario }
        let profile = profile(of: file)
        var diagnostics = ClientFileCheck(file).diagnostics + profile.diagnostics
        diagnostics = diagnostics.map(\.withSourceLine)
        for diagnostic in diagnostics { Terminal.error(diagnostic.text) }
        guard reading.isUsable, !diagnostics.contains(where: { $0.severity == .error }) else {
            return .invalidScenario
        }
        let problems = listProblems(file, profile.profile)
        for problem in problems {
            let place = problem.place.map { "\($0): " } ?? ""
            Terminal.error("\(place)error: \(problem.sentence)")
        }
        if file.capabilities == nil {
            Terminal.error(
                "\(path): warning: it pins no capabilities: 'squall run --client \(path)' tells the "
                    + "line to add")
        }
        guard problems.isEmpty else { return .listEntry }
        Terminal.print("\(path): valid: \(Self.summary(file))")
        return .asPlanned
    }

    private func profile(of file: ClientFile) -> ProfileLoader.Reading {
        let loader = ProfileLoader(folder: Installation.profiles)
        guard let named = file.profile else { return loader.load(Profile.documentedName) }
        return loader.load(named.value, relativeTo: file.folder, at: named.place)
    }

    /// What is wrong with the lists before any run: overlaps, entries that fit nothing, have expired,
    /// or do not stand for as many scenarios as they say.
    private func listProblems(_ file: ClientFile, _ profile: Profile?) -> [RunReport.Problem] {
        guard !file.knownLists.isEmpty, let profile else { return [] }
        let plan = ScenarioLoader().plan([Installation.suite]).planned
        return BoundLists(file, profile, found: plan, planned: plan).problems([])
    }

    private static func summary(_ file: ClientFile) -> String {
        let pinned = file.capabilities.map { count($0.value.count, "capability pinned") }
        let parts = [
            file.name.value, file.mode.rawValue,
            "profile \(file.profile?.value ?? Profile.documentedName)",
            "\(file.suite.map { "suite \($0.value)" } ?? "no suite pinned")",
            pinned ?? "no capability pinned",
            "\(file.knownLists.failing.count) known failing",
            "\(file.knownLists.flaky.count) known flaky",
        ]
        return parts.joined(separator: ", ")
    }

    private static func count(_ count: Int, _ what: String) -> String {
        count == 1
            ? "1 \(what)" : "\(count) \(what.replacing("capability", with: "capabilities"))"
    }

}
