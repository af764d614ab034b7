import CloudStorage
import EventLoop
import Foundation
import Stress

/// A callback queue whose turns come when the test says so.
final class ManualQueue: CallbackQueue {
    /// Nothing is called behind the test's back.
    let isCurrent = true
    private let works = Lock<[@Sendable () -> Void]>([])

    func enqueue(_ work: @escaping @Sendable () -> Void) { works.withLock { $0.append(work) } }

    /// False: nothing is left.
    @discardableResult
    func runOne() -> Bool {
        let work = works.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        work?()
        return work != nil
    }

    func drain() { while runOne() {} }
}

/// A runner that does nothing by itself: the test reports in its place.
final class IdleRunner: TransferRunner {
    func begin(_ task: StorageObservableTask, generation: Int) {}
    func halt(generation: Int) {}
    func abandon() {}
}

/// A task on a manual queue, brought into a state step by step, with a log of what its observers saw.
final class ManualTask: @unchecked Sendable {
    // Invariant: used by one thread.
    enum Step: Hashable {
        case start, pause, resume, cancel, progress, stopped, finish, succeeded, failed
    }

    /// Steps that bring a new task into each state.
    static let ways: [(state: String, steps: [Step])] = [
        ("waiting", []),
        ("held", [.pause]),
        ("released", [.pause, .resume]),
        ("running", [.start]),
        ("running on", [.start, .progress]),
        ("pausing", [.start, .progress, .pause]),
        ("resuming", [.start, .progress, .pause, .resume]),
        ("paused", [.start, .progress, .pause, .stopped]),
        ("finishing", [.start, .progress, .finish]),
        ("succeeded", [.start, .progress, .succeeded]),
        ("failed", [.start, .progress, .failed]),
        ("cancelled", [.start, .progress, .cancel]),
        ("cancelled before the start", [.cancel]),
    ]

    /// What the callbacks brought.
    final class Seen: @unchecked Sendable {
        // Invariant: used by one thread.
        var log: [StorageTaskStatus] = []
        var completions: [StorageTaskStatus] = []
        var runners = 0
        /// Called inside every observer with its status, and inside the completion with nil.
        var inside: ((StorageTaskStatus?) -> Void)?
    }

    let queue = ManualQueue()
    let seen = Seen()
    private let engine: StorageEngine
    let task: DrivenTask
    private var isStarted = false
    private var handles: [StorageHandle] = []

    init(loop: EventLoop) {
        engine = StorageEngine(loop: loop)
        let storage = Storage(bucket: "b", engine: engine)
        storage.callbacks = queue
        let seen = seen
        task = DrivenTask(
            reference: storage.reference(withPath: "a"), total: 100,
            runner: {
                seen.runners += 1
                return IdleRunner()
            },
            completion: { snapshot in
                seen.completions.append(snapshot.status)
                seen.inside?(nil)
            })
        for status in StorageTaskStatus.allCases {
            task.observe(status) { snapshot in
                seen.log.append(snapshot.status)
                seen.inside?(snapshot.status)
            }
        }
    }

    func end() {
        task.cancel()
        queue.drain()
        engine.shutDown()
    }

    func perform(_ steps: [Step]) {
        for step in steps {
            switch step {
            case .start:
                isStarted = true
                task.begin()
                queue.runOne()
            case .pause: task.pause()
            case .resume: task.resume()
            case .cancel: task.cancel()
            case .progress: task.progressed(generation: 1, completed: 10)
            case .stopped: task.stopped(generation: 1, completed: 10)
            case .finish: _ = task.mayFinish(generation: 1)
            case .succeeded: task.succeeded(generation: 1, completed: 100)
            case .failed: task.failed(generation: 1, StorageFailure(.unknown, "said so"))
            }
        }
    }

    /// What is reported in every state afterwards: the start that was not yet, a stop, a success.
    func goOn() {
        if !isStarted { task.begin() }
        queue.drain()
        perform([.stopped, .succeeded])
        queue.drain()
    }

    /// - Returns: what a new observer was told since, for a call that adds one.
    func call(_ call: TaskCall) -> () -> [StorageTaskStatus]? {
        switch call {
        case .pause: task.pause()
        case .resume: task.resume()
        case .cancel: task.cancel()
        case .observe(let status):
            let told = Lock<[StorageTaskStatus]>([])
            handles.append(
                task.observe(status) { seen in told.withLock { $0.append(seen.status) } })
            return { told.withLock { $0 } }
        case .removeOne: task.removeObserver(withHandle: handles.popLast() ?? "no such handle")
        case .removeAll(let status): task.removeAllObservers(for: status)
        case .removeEverybody: task.removeAllObservers()
        case .look: _ = task.snapshot
        case .begin:
            isStarted = true
            task.begin()
        case .pass: break
        }
        return { nil }
    }
}
