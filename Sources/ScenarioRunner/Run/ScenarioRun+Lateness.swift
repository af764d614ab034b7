import EventLoop
import RunModel
import StorageModel

// Wall time: the runner watches itself, so that a slow machine is not taken for a wrong client.
extension ScenarioRun {
    /// Lateness up to this is nobody's business.
    static let tolerance = Duration.milliseconds(50)

    /// Runs `work` after a silence, lengthened by how late our own loop was meanwhile.
    func afterSilence(_ silence: Duration, _ work: @escaping @Sendable () -> Void) {
        afterSilence(Window(silence), work)
    }

    private func afterSilence(_ window: Window, _ work: @escaping @Sendable () -> Void) {
        after(window.length) { [self] in
            let late = noteLateness()
            if let next = window.next(lost: late) { afterSilence(next, work) } else { work() }
        }
    }

    /// A time to wait that the machine may cut short.
    struct Window {
        let length: Duration
        private var isFirst = true

        init(_ length: Duration) { self.length = length }

        /// How long to wait on; nil: it is enough. What is waited on is shorter each time: where a machine
        /// is always late, one as long as what was lost would be lost again, and have no end.
        func next(lost: Duration) -> Window? {
            var next = Window(isFirst ? lost : min(lost, length * 7 / 8))
            next.isFirst = false
            return next.length > ScenarioRun.tolerance ? next : nil
        }
    }

    /// How late the loop was since the last call; none in virtual time.
    @discardableResult
    func noteLateness() -> Duration {
        guard !settings.isVirtual else { return .zero }
        let late = loop.takeWorstLateness()
        worstLateness = max(worstLateness, late)
        return late
    }

    /// What is wrong with the run itself; nil when it was in time.
    func latenessFailure() -> Failure? {
        noteLateness()
        guard worstLateness > settings.latenessLimit else { return nil }
        return Failure(
            .infrastructure,
            "the machine is too slow: the runner itself was late by \(worstLateness.scenarioText)")
    }
}
