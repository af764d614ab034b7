import Dispatch
import Foundation

/// The library in one scenario: its storages, tasks and observers. Everything happens on one serial
/// queue, which is the library's callback queue too.
///
/// What is used of the library is what `CloudStorage` and the Apple SDK have in common.
final class StorageScenario: @unchecked Sendable {
    // Invariant: touched on `queue` alone; the library calls back there.
    typealias Fields = [String: Any]
    typealias Answer = @Sendable (Fields) -> Void

    private struct NamedTask {
        let task: StorageObservableTask
        let isRecorded: Bool
    }

    private struct Observer {
        let task: String
        var handles: [String: String] = [:]
    }

    let queue: DispatchQueue
    let configuration: Message
    private let report: @Sendable (Fields) -> Void
    var storages: [String: Storage] = [:]
    private var tasks: [String: NamedTask] = [:]
    private var observers: [String: Observer] = [:]
    private var armed: [ArmedCommand] = []
    private var hasEnded = false

    init(
        _ configuration: Message, on queue: DispatchQueue,
        report: @escaping @Sendable (Fields) -> Void
    ) {
        self.configuration = configuration
        self.queue = queue
        self.report = report
    }

    /// Ends every transfer; nothing of them is reported.
    func end() {
        hasEnded = true
        for named in tasks.values { Self.manage(named.task, "cancel") }
        tasks = [:]
        observers = [:]
        armed = []
    }

    // MARK: Commands

    func perform(_ command: Message, _ answer: @escaping Answer) {
        if let moment = command.message("on") {
            armed.append(ArmedCommand(command: command, moment: moment, answer: answer))
            watchForArmed(of: moment.text("task") ?? "")
            return
        }
        carryOut(command, nil, answer)
    }

    private func carryOut(
        _ command: Message, _ snapshot: StorageTaskSnapshot?, _ answer: @escaping Answer
    ) {
        do {
            switch command.verb {
            case "upload": try upload(command, answer)
            case "download": try download(command, answer)
            case "burst":
                burst(command.messages("commands"), snapshot, answer)
            case "release":
                tasks[command.text("task") ?? ""] = nil
                answer([:])
            case "observe", "unobserve", "pause", "resume", "cancel", "snapshot":
                try onTask(command, snapshot, answer)
            default: try operate(command, answer)
            }
        } catch {
            answer(["error": Self.describe(error)])
        }
    }

    private func onTask(
        _ command: Message, _ snapshot: StorageTaskSnapshot?, _ answer: Answer
    ) throws {
        if command.verb == "unobserve" { return unobserve(command, answer) }
        guard let named = tasks[command.text("task") ?? ""] else {
            return answer(["unsupported": "there is no such task any more"])
        }
        switch command.verb {
        case "observe": observe(command, named.task)
        case "snapshot":
            return answer(["snapshot": Self.view(named.task.snapshot, isEvent: false)])
        default:
            let throughSnapshot = command.text("through") == "snapshot"
            let target: Any =
                throughSnapshot ? (snapshot ?? named.task.snapshot).task : named.task
            Self.manage(target, command.verb)
        }
        answer([:])
    }

    /// The SDK's protocol for this has optional members; its classes do not.
    private static func manage(_ task: Any, _ verb: String) {
        if let task = task as? StorageUploadTask {
            switch verb {
            case "pause": task.pause()
            case "resume": task.resume()
            default: task.cancel()
            }
        } else if let task = task as? StorageDownloadTask {
            switch verb {
            case "pause": task.pause()
            case "resume": task.resume()
            default: task.cancel()
            }
        }
    }

    private func burst(
        _ commands: [Message], _ snapshot: StorageTaskSnapshot?, _ answer: @escaping Answer
    ) {
        guard !commands.isEmpty else { return answer(["several": [Fields]()]) }
        let replies = Replies(count: commands.count) { answer(["several": $0]) }
        for (index, command) in commands.enumerated() {
            carryOut(command, snapshot) { replies.set($0, at: index) }
        }
    }

    // MARK: Transfers

    private func upload(_ command: Message, _ answer: Answer) throws {
        for key in ["stream", "conditions", "continues"] where command.has(key) {
            return answer(["unsupported": "the library has no '\(key)'"])
        }
        let name = command.text("task") ?? ""
        let metadata = (command.fields["metadata"] as? Fields).map(StorageMetadata.init)
        let place = try reference(to: command)
        let done: @Sendable (StorageMetadata?, (any Error)?) -> Void = { [weak self] in
            self?.completed(name, ["metadata": $0.map(Self.texts)], $1)
        }
        let task: StorageUploadTask
        if let path = command.text("file") {
            let url = URL(fileURLWithPath: path)
            task =
                command.flag("completion")
                ? place.putFile(from: url, metadata: metadata, completion: done)
                : place.putFile(from: url, metadata: metadata)
        } else {
            let data = try Data(contentsOf: URL(fileURLWithPath: command.text("data") ?? ""))
            task =
                command.flag("completion")
                ? place.putData(data, metadata: metadata, completion: done)
                : place.putData(data, metadata: metadata)
        }
        started(task, command)
        answer([:])
    }

    private func download(_ command: Message, _ answer: Answer) throws {
        guard !command.has("reading") else {
            return answer(["unsupported": "the library reads as fast as it can"])
        }
        let name = command.text("task") ?? ""
        let place = try reference(to: command)
        let task: StorageDownloadTask
        if let memory = command.message("memory") {
            let path = memory.text("into") ?? ""
            let tells = command.flag("completion")
            task = place.getData(maxSize: memory.number("maxSize") ?? .max) {
                [weak self] (data: Data?, error: (any Error)?) in
                guard tells else { return }
                // A file that cannot be written is missed by who looks into it.
                if let data { _ = FileManager.default.createFile(atPath: path, contents: data) }
                self?.completed(name, ["content": data.map { _ in path }], error)
            }
        } else {
            let url = URL(fileURLWithPath: command.text("file") ?? "")
            let done: @Sendable (URL?, (any Error)?) -> Void = { [weak self] in
                self?.completed(name, ["content": $0?.path], $1)
            }
            task =
                command.flag("completion")
                ? place.write(toFile: url, completion: done) : place.write(toFile: url)
        }
        started(task, command)
        answer([:])
    }

    private func completed(_ name: String, _ values: [String: Any?], _ error: (any Error)?) {
        guard !hasEnded else { return }
        var fields = values.compactMapValues { $0 }
        fields["completion"] = name
        fields["error"] = error.map(Self.describe)
        report(fields)
    }

    // MARK: Observers

    /// In the turn in which the task was made: nothing has happened yet.
    private func started(_ task: StorageObservableTask, _ command: Message) {
        let name = command.text("task") ?? ""
        let isRecorded = command.flag("recorder")
        tasks[name] = NamedTask(task: task, isRecorded: isRecorded)
        if isRecorded {
            for kind in Self.kinds { watch(task, name, kind, isReported: true) }
        } else {
            watchForArmed(of: name)
        }
    }

    /// Without a recorder only that is watched which a command waits for.
    private func watchForArmed(of name: String) {
        guard let named = tasks[name], !named.isRecorded else { return }
        for command in armed where command.task == name {
            watch(named.task, name, command.event, isReported: false)
        }
    }

    private func watch(
        _ task: StorageObservableTask, _ name: String, _ kind: String, isReported: Bool
    ) {
        task.observe(Self.status(of: kind)) { [weak self] snapshot in
            guard let self, !hasEnded else { return }
            if isReported { report(event(kind, name, nil, snapshot)) }
            let completed = snapshot.progress?.completedUnitCount ?? 0
            for index in armed.indices { armed[index].see(kind, of: name, completed) }
            let due = armed.filter(\.isDue)
            armed.removeAll(where: \.isDue)
            for entry in due { carryOut(entry.command, snapshot, entry.answer) }
        }
    }

    private func observe(_ command: Message, _ task: StorageObservableTask) {
        let name = command.text("observer") ?? ""
        let kinds = command.texts("events") ?? Self.kinds
        observers[name] = Observer(task: command.text("task") ?? "")
        for kind in kinds { attach(name, kind, command.isTrue("renew"), task) }
    }

    private func attach(
        _ name: String, _ kind: String, _ renews: Bool, _ task: StorageObservableTask
    ) {
        guard let owner = observers[name]?.task else { return }
        let handle = task.observe(Self.status(of: kind)) { [weak self] snapshot in
            guard let self, !hasEnded else { return }
            report(event(kind, owner, name, snapshot))
            guard renews, let old = observers[name]?.handles[kind],
                let task = tasks[owner]?.task
            else { return }
            task.removeObserver(withHandle: old)
            attach(name, kind, renews, task)
        }
        observers[name]?.handles[kind] = handle
    }

    /// One by one: the library's own "remove all" would take the recorder with it.
    private func unobserve(_ command: Message, _ answer: Answer) {
        let kinds = command.texts("events") ?? Self.kinds
        for (name, observer) in observers {
            guard name == command.text("observer") || observer.task == command.text("task") else {
                continue
            }
            for kind in kinds {
                guard let handle = observers[name]?.handles.removeValue(forKey: kind) else {
                    continue
                }
                tasks[observer.task]?.task.removeObserver(withHandle: handle)
            }
        }
        answer([:])
    }

    private func event(
        _ kind: String, _ task: String, _ observer: String?, _ snapshot: StorageTaskSnapshot
    ) -> Fields {
        var fields = Self.view(snapshot, isEvent: true)
        fields["event"] = kind
        fields["task"] = task
        fields["observer"] = observer
        return fields
    }
}
