import ClientDriver
import Foundation
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// Carries out a plan once and makes the report of it.
struct RunConductor: Sendable {
    private let plan: RunPlan
    private let introduction: Introduction
    private let settings: RunSettings

    init(_ plan: RunPlan, _ introduction: Introduction) {
        self.plan = plan
        self.introduction = introduction
        var settings = plan.settings
        if plan.options.isRealTime {
            settings.mode = .wall(scale: plan.timeScale(introduction.hello))
        }
        settings.hello = introduction.hello
        settings.controls = plan.options.isControlled ? .one : .none
        settings.temporaryDirectory = Self.temporaryDirectory
        self.settings = settings
    }

    /// Where everybody else puts such things too.
    private static var temporaryDirectory: String {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return folder.hasPrefix("/") ? folder : "/tmp"
    }

    func run() async -> RunReport {
        guard introduction.problems.isEmpty else { return refusal() }
        let console = ConsoleProgress(
            isOn: plan.options.reports.contains(.console) && !plan.options.proposesUpdate)
        if case .wall(let scale) = settings.mode {
            let forecast = WallForecast(
                plan.scenarios, introduction.hello, scale: scale, jobs: plan.jobs,
                hasTwins: plan.options.isControlled, budget: plan.options.budget)
            console.begin(forecast.text)
        }
        let runner = SuiteRunner(
            plan.client.source, settings: settings, jobs: plan.jobs, lists: plan.lists,
            budget: plan.options.budget)
        let leash = plan.client.isOutside ? Leash() : nil
        let outcome = await runner.run(
            plan.scenarios, isCancelled: { Interruption.hasCome },
            progress: { console.show($0) })
        if plan.client.isOutside { Orphans.end() }
        _ = consume leash
        console.finish()
        var report = emptyReport(outcome.hello)
        report.results = outcome.results
        report.wallDuration = outcome.wallDuration
        report.problems = Self.refusals(plan.scenarios)
        report.problems += plan.lists?.offered(outcome.hello).problems(outcome.results) ?? []
        lookAgain(at: outcome.hello, &report)
        report.add(outcome.controls)
        if let scarcity = report.scarcity { report.remarks.append(scarcity) }
        return report
    }

    /// A client that did not say who it is when it was asked first has said it since: its file still
    /// holds.
    private func lookAgain(at hello: ClientHello?, _ report: inout RunReport) {
        guard introduction.hello == nil, let hello, let file = plan.client.file else { return }
        let check = HelloCheck(hello, file: file)
        report.problems += check.problems
        report.remarks += check.remarks
    }

    /// The report of a run that is red before its first scenario.
    private func refusal() -> RunReport {
        var report = emptyReport(introduction.hello)
        report.problems = introduction.problems
        report.results = plan.scenarios.map { planned in
            var result = ScenarioResult(planned, seed: settings.seed, verdict: .notRun)
            result.reason = "the client is not what its file says"
            return result
        }
        return report
    }

    private func emptyReport(_ hello: ClientHello?) -> RunReport {
        let file = plan.client.file
        var report = RunReport(
            toolVersion: Version.tool, suiteVersion: Installation.suiteVersion,
            suiteDigest: SuiteDigest.text(of: plan.scenarios),
            client: RunReport.Client(
                name: file?.name.value ?? hello?.name ?? "unknown",
                version: hello?.version ?? "unknown", file: file?.file),
            seed: settings.seed)
        report.mode = settings.mode
        report.profile = RunReport.Profile(
            name: plan.profile.name, departures: plan.profile.departures)
        report.remarks = introduction.remarks
        let generated = plan.scenarios.count { GeneratedMatrix.holds($0.file) }
        if generated == GeneratedMatrix.rows.count {
            report.remarks.append(
                "\(GeneratedMatrix.undecided.count) rows of the generated matrix are not decided and not "
                    + "run: squall list --undecided")
        }
        return report
    }

    /// What a file asks for and this version cannot do makes a run red, never silently smaller.
    private static func refusals(_ plan: [PlannedScenario]) -> [RunReport.Problem] {
        plan.flatMap(\.notYetSupported).map { diagnostic in
            RunReport.Problem(.invalidScenario, diagnostic.message, place: diagnostic.place)
        }
    }
}
