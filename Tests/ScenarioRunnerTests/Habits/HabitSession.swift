import ClientDriver
import EventLoop
import ReferenceDriver
import Scenario
import StorageModel

/// One scenario: observers and armed commands of its own, over the recorder of the client behind.
final class HabitSession: ClientSink, @unchecked Sendable {
    // Invariant: touched on the loop's thread alone.
    typealias Reply = (ClientReply) -> Void

    private struct Observer {
        let name: String
        let task: String
        var kinds: Set<TransferEvent.Kind>
        /// One of every event hears of a cancel by its own event too.
        let hearsAll: Bool
    }

    private struct Armed {
        let command: ClientCommand
        let moment: ClientCommand.Moment
        let reply: Reply
        var seen = 0
    }

    private let loop: EventLoop
    private let honest: ReferenceDriver
    private let configuration: ClientConfiguration
    private let traits: Traits
    private let wire: HabitWire
    private var runner: (any ClientSink)?
    private var tasks: [String: HabitTask] = [:]
    private var names: [String] = []
    private var observers: [Observer] = []
    private var armed: [Armed] = []

    init(
        _ honest: ReferenceDriver, _ configuration: ClientConfiguration,
        _ runner: any ClientSink, _ traits: Traits, _ wire: HabitWire
    ) {
        self.configuration = configuration
        loop = honest.loop
        self.honest = honest
        self.runner = runner
        self.traits = traits
        self.wire = wire
        wire.willStart = { [weak self] in self?.willStart($0, $1) }
        wire.sent = { [weak self] path, bytes in self?.change(path) { $0.sent(bytes) } }
        wire.acknowledged = { [weak self] path, bytes in
            self?.change(path) { $0.serverHas(bytes) }
        }
    }

    func close() {
        runner = nil
        let waiting = armed
        armed = []
        for command in waiting { command.reply(.lost) }
    }

    // MARK: What the wire shows

    /// The upload to a path that has not ended; there is at most one at a time.
    private func upload(_ path: String) -> String? {
        names.last {
            tasks[$0].map { $0.isUpload && $0.path == path && $0.state != .ended } ?? false
        }
    }

    private func willStart(_ path: String, _ metadata: Int64) {
        change(path) { $0.willStart(metadata: metadata) }
    }

    private func change(_ path: String, _ change: (inout HabitTask) -> [TransferEvent]) {
        guard let name = upload(path), var task = tasks[name] else { return }
        let told = change(&task)
        tasks[name] = task
        tell(told, name)
    }

    // MARK: Reports

    func observed(_ event: TransferEvent, task name: String, observer: String?) {
        guard observer == nil, var task = tasks[name] else { return }
        var event = event
        event.error = event.error.map { HabitErrors(traits, wire).told($0, task.subject) }
        let told = task.hear(event)
        tasks[name] = task
        tell(told, name)
    }

    func completed(_ completion: TaskCompletion, task name: String) {
        var completion = completion
        let subject = tasks[name]?.subject ?? .uploads
        completion.error = completion.error.map { HabitErrors(traits, wire).told($0, subject) }
        runner?.completed(completion, task: name)
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        guard let runner else { return answer(.failure("the scenario is over")) }
        if traits.refusedToken == .final, question.refreshes { return answer(.none) }
        runner.asked(question, answer: answer)
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) { runner?.misbehaved(misbehaviour) }

    private func tell(_ events: [TransferEvent], _ name: String) {
        for event in events {
            var event = event
            event.time = loop.now
            if tasks[name]?.isRecorded == true {
                runner?.observed(event, task: name, observer: nil)
            }
            for observer in observers where observer.task == name { tell(event, observer) }
            for due in take(event, name) { carryOut(due.command, due.reply) }
        }
    }

    private func tell(_ event: TransferEvent, _ observer: Observer) {
        guard observer.kinds.contains(event.kind) else { return }
        let isCancel = event.error?.code == .cancelled
        if traits.cancelledEvent == .own, isCancel, !observer.hearsAll { return }
        runner?.observed(event, task: observer.task, observer: observer.name)
    }

    private func take(_ event: TransferEvent, _ name: String) -> [Armed] {
        var due: [Armed] = []
        for index in armed.indices.reversed() {
            let moment = armed[index].moment
            guard moment.task == name, moment.event == event.kind,
                event.completed >= moment.atLeast ?? 0
            else { continue }
            armed[index].seen += 1
            if armed[index].seen == moment.ordinal { due.insert(armed.remove(at: index), at: 0) }
        }
        return due
    }

    // MARK: Commands

    func perform(_ command: ClientCommand, _ reply: @escaping Reply) {
        guard let moment = command.on else { return carryOut(command, reply) }
        var command = command
        command.on = nil
        armed.append(Armed(command: command, moment: moment, reply: reply))
    }

    private func carryOut(_ command: ClientCommand, _ reply: @escaping Reply) {
        var command = command
        switch command.verb {
        case .upload(var upload):
            add(upload.task, isUpload: true, key(upload.object, command), upload.isObserved)
            upload.isObserved = true
            command.verb = .upload(upload)
        case .download(var download):
            add(download.task, isUpload: false, "", download.isObserved)
            if case .memory = download.target { tasks[download.task]?.isInMemory = true }
            download.isObserved = true
            command.verb = .download(download)
        case .pause(let name, _):
            let told = tasks[name]?.willPause() ?? []
            honest.perform(command, reply)
            return tell(told, name)
        case .cancel(let name, _):
            if traits.cancelWhilePaused == .ignored, tasks[name]?.state == .paused {
                return soon { reply(.result(.done)) }
            }
        case .resume(let name, _):
            wire.goesOn = tasks[name].map { !$0.isUpload && !$0.isInMemory } ?? false
        case .snapshot(let name):
            return honest.perform(command) { [self] in reply(snapshot($0, name)) }
        case .observe(let observe): return self.observe(observe, reply)
        case .unobserve(let which):
            unobserve(which)
            return soon { reply(.result(.done)) }
        case .burst(let commands): return burst(commands, reply)
        default: break
        }
        let errors = HabitErrors(traits, wire)
        honest.perform(command) { answer in
            guard case .error(let error) = answer else { return reply(answer) }
            reply(.error(errors.told(error, .operations)))
        }
    }

    private func add(_ name: String, isUpload: Bool, _ path: String, _ isRecorded: Bool) {
        tasks[name] = HabitTask(isUpload: isUpload, path: path, isRecorded: isRecorded, traits)
        names.append(name)
    }

    /// As the wire names the object.
    private func key(
        _ object: ClientCommand.ObjectPlace, _ command: ClientCommand
    ) -> String {
        let own = command.instance.flatMap { configuration.settings.instances[$0] }
        return "\(object.bucket ?? own ?? configuration.bucket)/\(object.path)"
    }

    private func burst(_ commands: [ClientCommand], _ reply: @escaping Reply) {
        var replies = [ClientReply?](repeating: nil, count: commands.count)
        guard !commands.isEmpty else { return reply(.result(.several([]))) }
        for (index, command) in commands.enumerated() {
            carryOut(command) { answer in
                replies[index] = answer
                let whole = replies.compactMap { $0 }
                if whole.count == replies.count { reply(.result(.several(whole))) }
            }
        }
    }

    private func snapshot(_ reply: ClientReply, _ name: String) -> ClientReply {
        guard case .result(.snapshot(var snapshot)) = reply, let task = tasks[name] else {
            return reply
        }
        let errors = HabitErrors(traits, wire)
        let completed = task.state == .ended ? snapshot.completed : task.shown(snapshot.completed)
        let event = task.withMetadata(
            TransferEvent(kind: .progress, completed: completed, total: snapshot.total))
        (snapshot.completed, snapshot.total) = (event.completed, event.total)
        snapshot.error = snapshot.error.map { errors.told($0, task.subject) }
        return .result(.snapshot(snapshot))
    }

    // MARK: Observers

    private func observe(_ observe: ClientCommand.Observe, _ reply: @escaping Reply) {
        let kinds = Set(observe.events)
        let observer = Observer(
            name: observe.name, task: observe.task, kinds: kinds,
            hearsAll: kinds.count == TransferEvent.Kind.allCases.count)
        observers.removeAll { $0.name == observe.name }
        observers.append(observer)
        let replay = tasks[observe.task].flatMap(replayed)
        soon { [self] in
            reply(.result(.done))
            guard var replay else { return }
            replay.time = loop.now
            tell(replay, observer)
        }
    }

    /// What a late observer hears at once.
    private func replayed(_ task: HabitTask) -> TransferEvent? {
        guard let last = task.last, traits.lateObserver != .nothing else { return nil }
        if traits.lateObserver == .replayButCancel, last.error?.code == .cancelled { return nil }
        if traits.lateObserver == .replayEnd, !last.kind.isTerminal { return nil }
        return last
    }

    private func unobserve(_ which: ClientCommand.Unobserve) {
        switch which {
        case .handle(let name): observers.removeAll { $0.name == name }
        case .task(let task, let kinds):
            for index in observers.indices where observers[index].task == task {
                observers[index].kinds.subtract(kinds ?? TransferEvent.Kind.allCases)
            }
        }
    }

    private func soon(_ work: @escaping () -> Void) {
        let work = OnOneLoop(value: work)
        loop.post { work.value() }
    }
}

extension HabitTask {
    var subject: ErrorNames.Subject { isUpload ? .uploads : .downloads }

    /// The bytes that a snapshot shows.
    func shown(_ completed: Int64) -> Int64 {
        guard isUpload, let told = last else { return completed }
        let isOwn: Bool =
            if case .doubling = traits.chunks { true } else { traits.progressUnit == .sent }
        return isOwn ? max(told.completed, completed) : completed
    }
}

/// Carries a value through a closure that may be called anywhere.
struct OnOneLoop<Value>: @unchecked Sendable {
    // Invariant: made and used on one loop's thread.
    let value: Value
}
