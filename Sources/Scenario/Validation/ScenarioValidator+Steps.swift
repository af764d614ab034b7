import FaultEngine
import StorageModel

extension ScenarioValidator {
    /// Warns of a local file that no step makes.
    func checkLocalFiles() {
        var made = Set(decoder.names.taskNames)
        for case .local(let action) in steps.map(\.verb) {
            switch action {
            case .create(let name, _), .directory(let name), .link(let name, _): made.insert(name)
            case .delete, .truncate, .grow, .forbid, .purge: break
            }
        }
        for step in steps {
            guard let name = Self.usedFile(step.verb), !made.contains(name) else { continue }
            decoder.warning("no step makes the local file '\(name)'", at: step.place)
        }
    }

    private static func usedFile(_ verb: StepVerb) -> String? {
        switch verb {
        case .upload(let upload):
            if case .localFile(let name) = upload.source { name } else { nil }
        case .local(.delete(let name)), .local(.truncate(let name, _)), .local(.grow(let name, _)),
            .local(.forbid(let name)):
            name
        default: nil
        }
    }

    /// Warns of a step that reads an object while its upload may still be under way.
    func checkReads() {
        var open: [(object: ObjectAddress, task: String?)] = []
        for step in scenario.steps {
            let ended = Set((step.when.map(Self.endedTasks) ?? []) + Self.waitedTasks(step.verb))
            open.removeAll { $0.task.map(ended.contains) ?? false }
            if let read = Self.readObject(step.verb),
                let upload = open.first(where: { $0.object == read })
            {
                let name = upload.task.map { "'\($0)'" } ?? "of this object"
                decoder.warning(
                    "the upload \(name) may not be over when this step reads '\(read)'",
                    at: step.place)
            }
            if case .upload(let upload) = step.verb { open.append((upload.object, step.name)) }
        }
    }

    private static func waitedTasks(_ verb: StepVerb) -> [String] {
        if case .wait(.trigger(let trigger)) = verb { endedTasks(trigger) } else { [] }
    }

    /// Tasks that are over once the trigger happened.
    private static func endedTasks(_ trigger: Trigger) -> [String] {
        switch trigger {
        case .task(let event):
            switch event.moment {
            case .end, .event(.success), .event(.failure): [event.task]
            case .event: []
            }
        case .all(let triggers): triggers.flatMap(endedTasks)
        case .result, .wire, .fault, .step, .time, .gate: []
        }
    }

    private static func readObject(_ verb: StepVerb) -> ObjectAddress? {
        switch verb {
        case .download(let download): download.object
        case .getMetadata(let object), .updateMetadata(let object, _), .delete(let object),
            .url(let object):
            object
        default: nil
        }
    }

    /// Refuses events of a task that was started without observers.
    func checkSilentTasks() {
        var silent: Set<String> = []
        for step in steps {
            guard let name = step.name else { continue }
            switch step.verb {
            case .upload(let upload) where !upload.recording.hasObservers: silent.insert(name)
            case .download(let download) where !download.recording.hasObservers:
                silent.insert(name)
            default: break
            }
        }
        for task in scenario.expect.tasks where silent.contains(task.name) {
            guard let events = task.events else { continue }
            decoder.error(
                "'\(task.name)' was started with 'observers: none', so it tells no events",
                at: events.place)
        }
    }
}
