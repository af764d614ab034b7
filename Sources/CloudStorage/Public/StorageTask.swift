internal import EventLoop
internal import Foundation

/// What can be done to a transfer (rule D14). Every call returns at once, does nothing where it makes no
/// sense, and may be made on any thread, inside an observer too.
public protocol StorageTaskManagement: AnyObject {
    /// Starts the transfer. Every task is started by the call that makes it, so there is no need to.
    func enqueue()
    /// Stops the transfer for now; `.pause` follows once it stands still.
    func pause()
    /// Goes on with a paused transfer.
    func resume()
    /// Ends the transfer with the error `cancelled`; works while it is paused, too.
    func cancel()
}

/// A transfer that was begun with a reference.
public class StorageTask: @unchecked Sendable {
    // Invariant: a constant here, and the subclass of this module keeps its state in one lock.
    let reference: StorageReference

    init(reference: StorageReference) { self.reference = reference }

    /// The task as it is now.
    public var snapshot: StorageTaskSnapshot {
        preconditionFailure("every task is an observable task")
    }
}

/// A transfer that tells its observers what happens to it.
///
/// Observers are called on the storage's callback queue, in the order in which they were added. All of
/// them are removed once the task has ended (rule D25); one that is added after that is told the end,
/// if it waits for it, once.
public class StorageObservableTask: StorageTask, StorageTaskManagement, @unchecked Sendable {
    // Invariant: constants, and one lock around everything that changes.
    struct Observer {
        let handle: StorageHandle
        /// Nil: every status.
        let status: StorageTaskStatus?
        let handler: @Sendable (StorageTaskSnapshot) -> Void
        /// Added after the end: it is told that, and nothing else.
        let isLate: Bool

        func wants(_ status: StorageTaskStatus) -> Bool { self.status ?? status == status }
    }

    struct State {
        var machine: TransferMachine
        var isEnqueued = false
        var observers: [Observer] = []
        /// Told the end after all observers.
        var completions: [@Sendable (StorageTaskSnapshot) -> Void] = []
        /// Does the work; made when the task starts.
        var runner: (any TransferRunner)?
    }

    let state: Lock<State>
    let queue: any CallbackQueue
    private let engine: StorageEngine?

    init(reference: StorageReference, machine: TransferMachine) {
        state = Lock(State(machine: machine))
        queue = reference.storage.callbacks
        engine = try? reference.storage.engine.get()
        super.init(reference: reference)
    }

    // MARK: Observers

    /// Adds an observer for one status (rule D16).
    ///
    /// It is called for what happens from now on, or once for the end of a task that has ended. A task
    /// starts by itself in the next turn of the callback queue: an observer that is added on that queue,
    /// in the turn in which the task was made, misses nothing. Elsewhere the start may come first, so that
    /// an observer of `.resume` that is added while the transfer runs is told so at once.
    ///
    /// Nothing ever has the status `.unknown`: an observer for it is not called.
    ///
    /// - Returns: names the observer for `removeObserver(withHandle:)`.
    @discardableResult
    public func observe(
        _ status: StorageTaskStatus, handler: @escaping @Sendable (StorageTaskSnapshot) -> Void
    ) -> StorageHandle {
        let mayHaveMissed = !queue.isCurrent
        return add(status, handler) { machine in
            machine.replay(for: status) ?? (mayHaveMissed ? machine.missedStart(for: status) : nil)
        }
    }

    /// - Parameters:
    ///   - status: nil: every status.
    ///   - replay: what the observer is told at once.
    private func add(
        _ status: StorageTaskStatus?, _ handler: @escaping @Sendable (StorageTaskSnapshot) -> Void,
        _ replay: (TransferMachine) -> TransferView?
    ) -> StorageHandle {
        state.withLock { state in
            let observer = Observer(
                handle: UUID().uuidString, status: status, handler: handler,
                isLate: state.machine.phase.isTerminal)
            let view = replay(state.machine)
            if view != nil || !observer.isLate { state.observers.append(observer) }
            if let view { call(observer, StorageTaskSnapshot(view, of: self)) }
            return observer.handle
        }
    }

    /// What happens from now on, up to and including the end: `.resume`, `.progress`, `.pause`, and then
    /// `.success` or `.failure`. Of a task that has ended, the end. Asked for on another queue than the
    /// callback queue, it begins with `.resume` where the transfer runs already, as for `observe`.
    ///
    /// Each iterator is a subscriber of its own and is told everything in order: what it has not taken
    /// yet is kept for it, without a limit. Leaving the loop removes it from the task, and so does
    /// cancelling the Swift task that it runs in; the transfer goes on.
    ///
    ///     for await snapshot in task.snapshots { print(snapshot) }
    public var snapshots: StorageTaskSnapshots { StorageTaskSnapshots(of: self) }

    func observeAll() -> AsyncStream<StorageTaskSnapshot> {
        AsyncStream { subscriber in
            let tell: @Sendable (StorageTaskSnapshot) -> Void = { snapshot in
                subscriber.yield(snapshot)
                if snapshot.status.isTerminal { subscriber.finish() }
            }
            let mayHaveMissed = !queue.isCurrent
            let handle = add(nil, tell) { machine in
                if machine.phase.isTerminal { return machine.currentView }
                let known = StorageTaskStatus.allCases.lazy.compactMap(machine.replay(for:)).first
                return known ?? (mayHaveMissed ? machine.missedStart(for: .resume) : nil)
            }
            subscriber.onTermination = { [weak self] _ in
                self?.removeObserver(withHandle: handle)
            }
        }
    }

    /// Removes one observer. After this returned on the callback queue it is not called any more, not
    /// even for what has happened before.
    public func removeObserver(withHandle handle: StorageHandle) {
        remove { $0.handle == handle }
    }

    /// Removes all observers of one status.
    public func removeAllObservers(for status: StorageTaskStatus) {
        remove { $0.status == status }
    }

    /// Removes all observers; who iterates over `snapshots` is none of them.
    public func removeAllObservers() { remove { $0.status != nil } }

    private func remove(_ isMeant: (Observer) -> Bool) {
        let removed = state.withLock { state in
            let removed = state.observers.filter(isMeant)
            state.observers.removeAll(where: isMeant)
            return removed
        }
        // What handlers hold is let go of outside of the lock: its end may call this task.
        withExtendedLifetime(removed) {}
    }

    /// Tells the end to `completion`, once, after all observers. To be called before the start.
    func whenEnded(_ completion: @escaping @Sendable (StorageTaskSnapshot) -> Void) {
        state.withLock { $0.completions.append(completion) }
    }

    // MARK: Management

    /// The task as it is now.
    public override var snapshot: StorageTaskSnapshot {
        state.withLock { StorageTaskSnapshot($0.machine.currentView, of: self) }
    }

    /// Stops the transfer for now; `.pause` follows once it stands still (rules D14, D19).
    public func pause() { transition { $0.pause() } }

    /// Goes on with a paused transfer; `.resume` follows (rules D14, D17).
    public func resume() { transition { $0.resume() } }

    /// Ends the transfer, a paused one too, with the error `cancelled` (rules D14, D15).
    public func cancel() { transition { $0.cancel() } }

    // MARK: The start

    /// Starts on the callback queue's next turn, so that observers added in this one miss nothing. A
    /// second call does nothing.
    public func enqueue() {
        let isFirst = state.withLock { state in
            defer { state.isEnqueued = true }
            return !state.isEnqueued
        }
        if isFirst { queue.enqueue { self.start() } }
    }

    /// Once; what was cancelled before opens nothing any more.
    private func start() {
        guard state.withLock({ $0.machine.canStart }) else { return }
        switch reference.engine.flatMap(makeRunner) {
        case .success(let start):
            state.withLock { $0.runner = start.runner }
            transition { $0.start(total: start.total, metadata: start.metadata) }
            state.withLock { if $0.machine.phase.isTerminal { $0.runner = nil } }
        case .failure(let problem):
            transition { $0.start(problem: problem) }
        }
    }

    /// As the end of its process: nothing is told any more, and what does the work is let go of, however
    /// far it is. The engine has to be shut down.
    package func forsake() {
        let left = state.withLock { state in
            defer { (state.runner, state.observers, state.completions) = (nil, [], []) }
            return (state.runner, state.observers, state.completions)
        }
        withExtendedLifetime(left) {}
    }

    struct Start {
        let runner: any TransferRunner
        var total: Int64?
        var metadata: MetadataFields?
    }

    /// What does the work, or why it cannot be done.
    func makeRunner(_ engine: StorageEngine) -> Result<Start, StorageFailure> {
        preconditionFailure("every task is an upload or a download")
    }

    // MARK: Transitions

    /// Changes the state and hands on what follows, in the order of the transitions: commands go to
    /// the loop and calls to the callback queue before the lock is released.
    func transition(_ change: (inout TransferMachine) -> [TransferMachine.Action]) {
        state.withLock { state in
            let actions = change(&state.machine)
            for action in actions { command(action, state.runner) }
            for case .emit(let view) in actions { deliver(view, &state) }
        }
    }

    var hasEnded: Bool { state.withLock { $0.machine.phase.isTerminal } }

    /// As `TransferMachine.finish(generation:)`.
    func finish(generation: Int) -> Bool {
        state.withLock { $0.machine.finish(generation: generation) }
    }

    private func command(_ action: TransferMachine.Action, _ runner: (any TransferRunner)?) {
        guard let runner, let engine else { return }
        switch action {
        case .begin(let generation):
            engine.loop.post { runner.begin(self, generation: generation) }
        case .halt(let generation): engine.loop.post { runner.halt(generation: generation) }
        case .abandon: engine.loop.post { runner.abandon() }
        case .emit: break
        }
    }

    private func deliver(_ view: TransferView, _ state: inout State) {
        let isEnd = state.machine.phase.isTerminal
        // Most progress is told to nobody.
        guard isEnd || state.observers.contains(where: { $0.wants(view.status) }) else { return }
        let snapshot = StorageTaskSnapshot(view, of: self)
        for observer in state.observers where observer.wants(view.status) {
            call(observer, snapshot)
        }
        guard state.machine.phase.isTerminal, view.status.isTerminal else { return }
        let completions = state.completions
        state.completions = []
        state.runner = nil
        queue.enqueue { [self] in
            remove { !$0.isLate }
            for completion in completions { completion(snapshot) }
        }
    }

    /// Calls an observer in its turn, unless it was removed until then; a late one has its only call.
    private func call(_ observer: Observer, _ snapshot: StorageTaskSnapshot) {
        queue.enqueue { [self] in
            let isWanted = state.withLock { state in
                guard
                    let place = state.observers.firstIndex(where: { $0.handle == observer.handle })
                else { return false }
                if observer.isLate { state.observers.remove(at: place) }
                return true
            }
            if isWanted { observer.handler(snapshot) }
        }
    }
}
