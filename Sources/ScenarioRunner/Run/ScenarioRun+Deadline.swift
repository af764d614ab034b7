import ClientDriver
import EventLoop
import RunModel
import Scenario
import StorageModel

// When a scenario has taken too long. Its last silence is not part of that: it has a limit of its own.
extension ScenarioRun {
    /// Wall time: what the client's file says, else so long that a slow machine cannot miss it.
    private var deadline: Duration {
        settings.deadline
            ?? max(
                estimate.deadline, planned.leastDeadline(limitScale: settings.scale) ?? .zero)
    }

    /// Wall time: ends the scenario when it is still running after its deadline. It begins when the
    /// client is configured: a client that starts anew for it has limits of its own until then.
    func watchDeadline() {
        starvation = driver.starvation
        ownStarvation = Starvation.ofThisThread
        noteLateness()
        watchDeadline(Window(deadline))
    }

    private func watchDeadline(_ window: Window) {
        after(window.length) { [self] in
            guard phase == .running else { return }
            if let next = window.next(lost: lostTime()) { return watchDeadline(next) }
            driver.expire(deadline) { [self] in
                // What the client had said may have been the end, or its own undoing.
                if phase == .running, failures.isEmpty { missDeadline(deadline) }
            }
        }
    }

    /// What the machine has cost since the last call: our own lateness, or the time for which this
    /// thread was ready and not let run, and the same of the client.
    private func lostTime() -> Duration {
        let late = noteLateness()
        let own = Starvation.ofThisThread - ownStarvation
        ownStarvation += own
        let starved = driver.starvation - starvation
        starvation += starved
        return [max(late, own), starved].filter { $0 > Self.tolerance }.reduce(.zero, +)
    }

    func missDeadline(_ deadline: Duration) {
        fail(
            Failure(
                .deadline, "after \(deadline.scenarioText) \(whatIsMissing)",
                notes: serverWaits() + stepWaits() + taskWaits()))
        finish()
    }
}
