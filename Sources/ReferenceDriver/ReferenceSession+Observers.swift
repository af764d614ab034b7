import ClientDriver
import CloudStorage
import EventLoop
import StorageModel

/// An observer of a scenario: its handles, one for each event that it waits for.
struct NamedObserver {
    let task: StorageObservableTask
    let taskName: String
    var handles: [TransferEvent.Kind: StorageHandle] = [:]
}

extension ReferenceSession {
    // MARK: The recorder

    /// In the turn in which the task was made: it starts in a later one.
    func record(_ task: StorageObservableTask, as name: String, isRecorded: Bool) {
        tasks[name] = NamedTask(task: task, isRecorded: isRecorded)
        let kinds =
            isRecorded ? Set(TransferEvent.Kind.allCases) : armed.events(of: name)
        for kind in TransferEvent.Kind.allCases where kinds.contains(kind) {
            watch(task, name, kind, isReported: isRecorded)
        }
    }

    private func watch(
        _ task: StorageObservableTask, _ name: String, _ kind: TransferEvent.Kind,
        isReported: Bool
    ) {
        task.observe(kind.status) { [weak self] snapshot in
            guard let self, !hasEnded else { return }
            let event = event(kind, snapshot)
            if isReported { sink?.observed(event, task: name, observer: nil) }
            for due in armed.take(event, of: name) {
                carryOut(due.command, snapshot, due.reply)
            }
        }
    }

    func arm(
        _ command: ClientCommand, at moment: ClientCommand.Moment, _ reply: @escaping Reply
    ) {
        let wasWatched = armed.events(of: moment.task).contains(moment.event)
        armed.add(command, at: moment, reply)
        if let known = tasks[moment.task], !known.isRecorded, !wasWatched {
            watch(known.task, moment.task, moment.event, isReported: false)
        }
    }

    // MARK: Further observers

    func observe(_ observe: ClientCommand.Observe, _ reply: Reply) {
        withTask(observe.task, reply) { task in
            observers[observe.name] = NamedObserver(task: task, taskName: observe.task)
            for kind in observe.events { attach(observe, kind, task) }
            reply(.result(.done))
        }
    }

    private func attach(
        _ observe: ClientCommand.Observe, _ kind: TransferEvent.Kind,
        _ task: StorageObservableTask
    ) {
        let handle = task.observe(kind.status) { [weak self] snapshot in
            guard let self, !hasEnded else { return }
            sink?.observed(event(kind, snapshot), task: observe.task, observer: observe.name)
            guard observe.renews, let old = observers[observe.name]?.handles[kind] else { return }
            snapshot.task.removeObserver(withHandle: old)
            attach(observe, kind, snapshot.task)
        }
        observers[observe.name]?.handles[kind] = handle
    }

    /// By handle in each case: the library's own "remove all" would take the recorder with it.
    func unobserve(_ which: ClientCommand.Unobserve, _ reply: Reply) {
        switch which {
        case .handle(let name):
            guard let observer = observers[name] else {
                return reply(.unsupported("there is no observer '\(name)'"))
            }
            for kind in observer.handles.keys { remove(kind, of: name) }
            observers[name] = nil
        case .task(let task, let kinds):
            for (name, observer) in observers where observer.taskName == task {
                for kind in kinds ?? TransferEvent.Kind.allCases
                where observer.handles[kind] != nil {
                    remove(kind, of: name)
                }
            }
        }
        reply(.result(.done))
    }

    private func remove(_ kind: TransferEvent.Kind, of name: String) {
        guard let handle = observers[name]?.handles.removeValue(forKey: kind) else { return }
        observers[name]?.task.removeObserver(withHandle: handle)
    }

    // MARK: Words of the protocol

    func event(_ kind: TransferEvent.Kind, _ snapshot: StorageTaskSnapshot) -> TransferEvent {
        TransferEvent(
            kind: kind, completed: snapshot.completed, total: snapshot.total,
            error: snapshot.error.map(Self.clientError), metadata: snapshot.metadata?.texts,
            time: loop.now)
    }

    static func view(_ snapshot: StorageTaskSnapshot) -> ClientResult.Snapshot {
        ClientResult.Snapshot(
            status: TransferEvent.Kind(snapshot.status), completed: snapshot.completed,
            total: snapshot.total, metadata: snapshot.metadata?.texts,
            error: snapshot.error.map(clientError))
    }

    static func clientError(_ error: any Error) -> ClientError {
        StorageFailure(error)?.clientError
            ?? ClientError(
                code: .other, name: String(describing: type(of: error)), message: "\(error)")
    }
}

extension TransferEvent.Kind {
    var status: StorageTaskStatus {
        switch self {
        case .resume: .resume
        case .progress: .progress
        case .pause: .pause
        case .success: .success
        case .failure: .failure
        }
    }

    init?(_ status: StorageTaskStatus) {
        switch status {
        case .unknown: return nil
        case .resume: self = .resume
        case .progress: self = .progress
        case .pause: self = .pause
        case .success: self = .success
        case .failure: self = .failure
        }
    }
}
