import ClientDriver
import EventLoop
import ReferenceDriver
import Reporting
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// `squall run`: runs scenarios against a client and says which it passes.
struct RunCommand {
    private let arguments: ParsedArguments
    private let options: RunOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        options = try RunOptions(arguments)
    }

    func perform() throws(UsageError) -> ExitCode {
        let planning = FileRights.regained { Planning(arguments) }
        guard planning.isValid else { return .invalidScenario }
        let profile = try ProfileChoice(options.profile).profile
        guard !planning.planned.isEmpty else { return .nothingShown }
        Interruption.watch()
        do {
            let loop = try EventLoop()
            try loop.start()
            defer { loop.stop() }
            let done = Rendezvous<ExitCode>()
            let plan = planning.planned.map(profile.rewriting)
            Task(executorPreference: loop) { done.set(.success(await conduct(plan, profile))) }
            return try done.wait()
        } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
    }

    private func conduct(_ plan: [PlannedScenario], _ profile: Profile) async -> ExitCode {
        let scale = await timeScale()
        var reports: [RunReport] = []
        repeat {
            var report = await run(plan, scale)
            report.profile = RunReport.Profile(
                name: profile.name, departures: profile.departures)
            // A run that was broken off says nothing about how stable the others were.
            if Interruption.hasCome, !reports.isEmpty { break }
            reports.append(report)
            guard report.exitCode == .asPlanned else { break }
        } while reports.count < options.runs && !Interruption.hasCome
        guard let last = reports.last else { return .nothingShown }
        let isWritten = ReportWriter(options.reports).write(last)
        let isStable = options.runs == 1 || sayHowStable(reports)
        if !isWritten { return .infrastructure }
        return last.exitCode == .asPlanned && !isStable ? .red : last.exitCode
    }

    private func run(_ plan: [PlannedScenario], _ scale: Double) async -> RunReport {
        var settings = RunSettings(seed: options.seed)
        settings.journalLimit = options.journalLimit
        if options.isRealTime { settings.mode = .wall(scale: scale) }
        settings.commandLine = options.commandLine(paths: arguments.paths)
        let console = ConsoleProgress(isOn: options.reports.contains(.console))
        let outcome = await SuiteRunner(source, settings: settings, jobs: options.jobs).run(
            plan, isCancelled: { Interruption.hasCome },
            progress: { console.show($0) })
        console.finish()
        var report = RunReport(
            toolVersion: Version.tool, suiteVersion: Installation.suiteVersion,
            suiteDigest: SuiteDigest.text(of: plan), client: client(outcome.hello),
            seed: options.seed)
        report.mode = settings.mode
        report.results = outcome.results
        report.wallDuration = outcome.wallDuration
        report.problems = Self.refusals(plan)
        return report
    }

    /// The reference client is made anew for each scenario; a child process serves many.
    private var source: ClientSource {
        guard let command = options.command else {
            return ClientSource(isKept: false) { ReferenceDriver(loop: $0) }
        }
        return ClientSource(isKept: true) { StdioDriver(loop: $0, command: command) }
    }

    private func client(_ hello: ClientHello?) -> RunReport.Client {
        RunReport.Client(name: hello?.name ?? "unknown", version: hello?.version ?? "unknown")
    }

    /// A client whose limits can be set is run ten times as fast as the files say.
    private func timeScale() async -> Double {
        if let scale = options.timeScale { return scale }
        guard let command = options.command else { return 0.1 }
        let hello = await ClientProbe(command: command).hello()
        return hello?.capabilities.contains(.limits) == true ? 0.1 : 1
    }

    /// What a file asks for and this version cannot do makes a run red, never silently smaller.
    private static func refusals(_ plan: [PlannedScenario]) -> [RunReport.Problem] {
        plan.flatMap(\.notYetSupported).map { diagnostic in
            RunReport.Problem(.invalidScenario, diagnostic.message, place: diagnostic.place)
        }
    }

    /// Says how many runs there were and how many digests; true where there is one.
    private func sayHowStable(_ reports: [RunReport]) -> Bool {
        let digests = Set(reports.map(\.digest))
        Terminal.print(
            "\(reports.count) of \(options.runs) runs, \(digests.count) distinct "
                + (digests.count == 1 ? "digest" : "digests"))
        return digests.count == 1 && reports.count == options.runs
    }
}
