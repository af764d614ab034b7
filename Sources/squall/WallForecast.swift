import ClientDriver
import FaultEngine
import RunModel
import Scenario
import ScenarioRunner
import StorageModel

/// How long a run on the wall clock will take, with a client that does what is expected of it.
struct WallForecast {
    /// One line for the person who waits.
    let text: String

    /// - Parameters:
    ///   - scenarios: that are planned; those that cannot run take no time.
    ///   - hello: what the client can do; nil: everything.
    ///   - jobs: scenarios at once; 1 or more.
    ///   - hasTwins: whether smoke scenarios are run once more without their faults.
    ///   - budget: of wall time; nil: there is none.
    init(
        _ scenarios: [PlannedScenario], _ hello: ClientHello?, scale: Double, jobs: Int,
        hasTwins: Bool, budget: Duration? = nil
    ) {
        let running = scenarios.filter { Self.runs($0, hello) }
        let times = running.map { planned in
            WallEstimate(planned.scenario, scale: scale).expected * max(1, planned.scenario.runs)
        }
        let twins = hasTwins ? WallEstimate.twins(of: running, scale: scale) : []
        let sum = (times + twins).reduce(.zero, +) / max(1, min(jobs, times.count))
        let total = max(sum, times.max() ?? .zero)
        text =
            "\(times.count) of \(scenarios.count) scenarios run, "
            + "\(min(jobs, times.count)) at once, times x \(scale): about \(Self.text(total)) expected"
            + Self.cut(total, budget)
    }

    private static func cut(_ total: Duration, _ budget: Duration?) -> String {
        guard let budget, budget < total else { return "" }
        return ", and a budget of \(budget.scenarioText): the rest is not run"
    }

    private static func runs(_ planned: PlannedScenario, _ hello: ClientHello?) -> Bool {
        SuiteIDs.Need(onWallClock: planned).isMet(
            by: hello?.capabilities ?? Set(Capability.allCases))
    }

    /// Whole seconds, or minutes and seconds.
    private static func text(_ duration: Duration) -> String {
        let seconds = max(1, Int(duration.components.seconds))
        return seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
