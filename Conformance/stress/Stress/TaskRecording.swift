import CloudStorage
import EventLoop
import StorageModel

/// Everything that is seen of one task: recorders of all statuses from its first turn on, the observers
/// that come later, and who called what.
final class TaskRecording: @unchecked Sendable {
    // Invariant: `tape`, `inside` and what is private are touched on the callback queue alone.

    /// What callers on all threads share.
    struct Shared {
        var facts = TapeFacts()
        var nextObserver = 6
        /// Observers whose handle is known.
        var handles: [Int: StorageHandle] = [:]
        var calls = 0
        var looks: [Violation] = []
    }

    let queue: StressQueue
    let shared: Lock<Shared>
    var tape: [TapeEntry] = []
    /// Called inside each callback.
    var inside: ((StorageObservableTask) -> Void)?
    private let canaries: LiveCount
    private var snapshots: [(StorageTaskSnapshot, Showing)] = []

    /// - Parameter canaries: counts what the closures hold that the task has been given.
    init(queue: StressQueue, canaries: LiveCount, facts: TapeFacts) {
        self.queue = queue
        self.canaries = canaries
        shared = Lock(Shared(facts: facts))
    }

    func canary() -> LiveCount.Token { LiveCount.Token(canaries) }

    /// Adds the recorders; in the turn of the callback queue in which the task was made.
    func attach(to task: StorageObservableTask) {
        for status in StorageTaskStatus.allCases {
            let handle = task.observe(status, handler: handler(of: status.rawValue))
            shared.withLock { $0.handles[status.rawValue] = handle }
        }
    }

    func handler(of observer: Int) -> @Sendable (StorageTaskSnapshot) -> Void {
        let canary = canary()
        return { [self] snapshot in
            _ = canary
            if queue.loses() { return }
            let showing = Showing(snapshot)
            tape.append(.told(observer: observer, showing))
            snapshots.append((snapshot, showing))
            inside?(snapshot.task)
        }
    }

    /// Writes down what happened outside of the callback queue.
    func note(_ note: TapeEntry.Note) {
        queue.note { [self] in tape.append(.note(note)) }
    }

    /// Events that were recorded.
    var events: [Showing] {
        tape.compactMap { if case .told(0...5, let showing) = $0 { showing } else { nil } }
    }

    /// What was broken; the recording is empty afterwards.
    func judge() -> (violations: [Violation], tape: [TapeEntry]) {
        let (facts, looks) = shared.withLock { ($0.facts, $0.looks) }
        var violations = looks + TapeChecker.violations(of: tape, facts)
        for (snapshot, showing) in snapshots where Showing(snapshot) != showing {
            violations.append(
                Violation(.unchanging, "\(showing) has become \(Showing(snapshot))"))
        }
        defer {
            snapshots = []
            tape = []
            inside = nil
        }
        return (violations, violations.isEmpty ? [] : tape)
    }
}
