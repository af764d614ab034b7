import EventLoop
package import RunModel
package import Scenario
import ScenarioRunner

/// Runs scenarios against mutants, several mutants at once, each alone in virtual time.
package struct Hunt: Sendable {
    package let plan: [PlannedScenario]
    package let jobs: Int
    package let seed: UInt64

    /// - Parameter plan: scenarios that the honest client can run in virtual time.
    package init(plan: [PlannedScenario], jobs: Int, seed: UInt64 = 1) {
        self.plan = plan
        self.jobs = max(1, jobs)
        self.seed = seed
    }

    private var settings: RunSettings {
        var settings = RunSettings(seed: seed)
        // What hangs in virtual time is noticed at once; this is for what keeps a thread busy.
        settings.wallLimit = .seconds(30)
        return settings
    }

    /// Runs the honest client; gives what it does not pass, and what it cannot run.
    package func control() async -> (failed: [ScenarioResult], skipped: Set<String>) {
        let runner = SuiteRunner(Mutant.honest.source, settings: settings, jobs: jobs)
        let results = await runner.run(plan).results
        return (
            results.filter { $0.verdict != .passed && $0.verdict != .skipped },
            Set(results.filter { $0.verdict == .skipped }.map(\.id))
        )
    }

    /// A mutant and the scenarios that are to be run against it, in their order.
    package struct Trial: Sendable {
        package let mutant: Mutant
        package let plan: [PlannedScenario]
        /// Nothing more is run once it is caught.
        package let stopsWhenCaught: Bool

        package init(_ mutant: Mutant, _ plan: [PlannedScenario], stopsWhenCaught: Bool = false) {
            self.mutant = mutant
            self.plan = plan
            self.stopsWhenCaught = stopsWhenCaught
        }
    }

    /// - Parameter progress: called after each mutant, one call at a time, in no order.
    /// - Returns: in the order of the trials.
    package func run(
        _ trials: [Trial], progress: @escaping @Sendable (Finding) -> Void = { _ in }
    ) async -> [Finding] {
        await withTaskGroup(of: (Int, Finding).self) { group in
            var findings: [Finding?] = trials.map { _ in nil }
            var next = 0
            func add() {
                guard next < trials.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await run(trials[index])) }
            }
            for _ in 0..<jobs { add() }
            while let (index, finding) = await group.next() {
                findings[index] = finding
                progress(finding)
                add()
            }
            return findings.compactMap { $0 }
        }
    }

    private func run(_ trial: Trial) async -> Finding {
        let mutant = trial.mutant
        let isCaught = Lock(false)
        let runner = SuiteRunner(mutant.source, settings: settings)
        let isOver: @Sendable () -> Bool = { isCaught.withLock { $0 } }
        let outcome = await runner.run(
            trial.plan, isCancelled: isOver,
            progress: { progress in
                guard trial.stopsWhenCaught,
                    Red(progress.result, of: mutant)?.catches == true
                else { return }
                isCaught.withLock { $0 = true }
            })
        var finding = Finding(mutant.name)
        for result in outcome.results {
            if result.verdict != .notRun { finding.ran += 1 }
            if let red = Red(result, of: mutant) { finding.reds.append(red) }
            if result.verdict == .errored {
                let what = result.failures.first?.sentence ?? "for no reason"
                finding.broken.append("\(result.id): \(what)")
            }
        }
        return finding
    }
}
