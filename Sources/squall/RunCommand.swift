import ClientDriver
import EventLoop
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
        ReportWriter(options.reports).removeOld()
        let plan = try RunPlan(arguments, options)
        guard !plan.scenarios.isEmpty else {
            Terminal.error("squall: nothing is run: no scenario is left of \(plan.found.count)")
            return .nothingShown
        }
        Interruption.watch()
        Orphans.adopt()
        do {
            return try OwnLoop.run { await conduct(plan) }
        } catch {
            Terminal.error("squall: \(error)")
            return .infrastructure
        }
    }

    private func conduct(_ plan: RunPlan) async -> ExitCode {
        let introduction = await Introduction(plan.client)
        for remark in introduction.remarks { Terminal.error("squall: note: \(remark)") }
        let conductor = RunConductor(plan, introduction)
        var reports: [RunReport] = []
        repeat {
            let report = await conductor.run()
            // A run that was broken off says nothing about how stable the others were.
            if Interruption.hasCome, !reports.isEmpty { break }
            reports.append(report)
            guard report.exitCode == .asPlanned else { break }
        } while reports.count < options.runs && !Interruption.hasCome
        guard let last = reports.last else { return .nothingShown }
        let isWritten =
            ReportWriter(options.reports, toErrors: options.proposesUpdate).write(last)
        if options.proposesUpdate {
            FileRights.regained {
                UpdateProposal(last.results, plan.scenarios, all: plan.found).tell()
            }
        }
        let isStable = options.runs == 1 || sayHowStable(reports)
        if !isWritten { return .infrastructure }
        return last.exitCode == .asPlanned && !isStable ? .red : last.exitCode
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
