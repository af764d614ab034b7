import EventLoop
import Glibc
import Reporting
import RunModel
import ScenarioRunner

/// Shows how far a run is: a line that overwrites itself on a terminal, failures as they come.
final class ConsoleProgress: Sendable {
    private let isOn: Bool
    private let console = ReportWriter.console
    private let red = Lock(0)

    init(isOn: Bool) { self.isOn = isOn }

    /// Says what is to come.
    func begin(_ text: String) {
        if isOn { Terminal.print(text) }
    }

    func show(_ progress: SuiteRunner.Progress) {
        guard isOn else { return }
        let count = red.withLock { red in
            if progress.result.verdict.isRed { red += 1 }
            return red
        }
        Terminal.write(
            console.progress(
                done: progress.done, planned: progress.planned, red: count,
                current: progress.result.id, width: Terminal.width))
    }

    func finish() {
        if isOn { Terminal.write(console.progressEnd) }
    }
}
