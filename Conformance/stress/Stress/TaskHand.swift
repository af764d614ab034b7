import CloudStorage
import EventLoop
import StorageModel

/// Makes calls and notes them.
struct TaskHand {
    private let recording: TaskRecording
    private let isInside: Bool

    init(_ recording: TaskRecording, isInside: Bool) {
        self.recording = recording
        self.isInside = isInside
    }

    private func note(_ note: TapeEntry.Note) {
        // What was told before a call may wait in the queue still, but not for who was removed there.
        if isInside, case .removed = note { return recording.tape.append(.note(note)) }
        recording.note(note)
    }

    func perform(
        _ call: TaskCall, on task: StorageObservableTask, _ random: inout SplitMix64
    ) {
        recording.shared.withLock { $0.calls += 1 }
        switch call {
        case .pause: pause(task)
        case .resume:
            recording.shared.withLock { $0.facts.resumes += 1 }
            task.resume()
        case .cancel:
            recording.shared.withLock { $0.facts.cancels += 1 }
            task.cancel()
            note(.cancelReturned)
        case .observe(let status): observe(status, task)
        case .removeOne: removeOne(task, &random)
        case .removeAll(let status):
            remove(where: { $0 == status }, by: { task.removeAllObservers(for: status) })
        case .removeEverybody:
            remove(where: { _ in true }, by: { task.removeAllObservers() })
        case .look: look(task)
        case .begin: (task as? DrivenTask)?.begin()
        case .pass: break
        }
    }

    private func pause(_ task: StorageObservableTask) {
        let number = recording.shared.withLock { shared in
            shared.facts.pauses += 1
            return shared.facts.pauses
        }
        note(.pauseBegan(number))
        task.pause()
        note(.pauseReturned(number))
    }

    private func observe(_ status: StorageTaskStatus, _ task: StorageObservableTask) {
        let observer = recording.shared.withLock { shared in
            defer { shared.nextObserver += 1 }
            shared.facts.observers[shared.nextObserver] = status
            if !isInside { shared.facts.addedElsewhere.insert(shared.nextObserver) }
            return shared.nextObserver
        }
        let handle = task.observe(status, handler: recording.handler(of: observer))
        recording.shared.withLock { $0.handles[observer] = handle }
        note(.added(observer: observer))
    }

    /// One of those that came later: the recorders stay.
    private func removeOne(_ task: StorageObservableTask, _ random: inout SplitMix64) {
        let chosen = recording.shared.withLock { shared -> (Int, StorageHandle)? in
            let observers = shared.handles.keys.filter { $0 > 5 }.sorted()
            guard let observer = observers.randomElement(using: &random),
                let handle = shared.handles.removeValue(forKey: observer)
            else { return nil }
            shared.facts.removed.insert(observer)
            return (observer, handle)
        }
        guard let (observer, handle) = chosen else { return }
        task.removeObserver(withHandle: handle)
        note(.removed([observer]))
    }

    private func remove(where isMeant: (StorageTaskStatus) -> Bool, by removal: () -> Void) {
        let observers = recording.shared.withLock { shared in
            let known = shared.handles.keys.filter { observer in
                shared.facts.observers[observer].map(isMeant) ?? false
            }
            for observer in known { shared.handles[observer] = nil }
            return known.sorted()
        }
        removal()
        note(.removed(observers))
    }

    private func look(_ task: StorageObservableTask) {
        let showing = Showing(task.snapshot)
        var broken: Violation?
        if (showing.code != nil) != (showing.status == .failure) {
            broken = Violation(.errorWithFailure, "a look: \(showing)")
        }
        if showing.completed < 0 || showing.completed > showing.total ?? .max {
            broken = Violation(.progressBounds, "a look: \(showing)")
        }
        if let broken { recording.shared.withLock { $0.looks.append(broken) } }
    }
}
