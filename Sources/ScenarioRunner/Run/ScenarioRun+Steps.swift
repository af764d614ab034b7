import ClientDriver
import EventLoop
import EventMatching
import FaultEngine
import MockServer
import RunModel
import Scenario
import StorageModel

// Steps at their moments.
extension ScenarioRun {
    /// Something happened: looks for steps whose moment has come, once the loop comes round.
    func schedulePoll() {
        guard !isPollDue else { return }
        isPollDue = true
        loop.post { [self] in
            isPollDue = false
            poll()
        }
    }

    func poll() {
        guard phase == .running || phase == .settling else { return }
        while true {
            let now = now
            let actions = machine.advance { moments.lookup($0, now: now) != nil }
            if actions.isEmpty { break }
            for action in actions { take(action) }
        }
        if !settings.isVirtual {
            while let index = machine.due, phase == .running { carryOut(index) }
        }
        checkEnd()
    }

    private func take(_ action: StepMachine.Action) {
        switch action {
        case .activated(let index): prepare(index)
        case .passed(let index): noteCarriedOut(index, reply: nil)
        case .delay(let index, let delay):
            after(delay) { [self] in
                for action in machine.delayPassed(index) { take(action) }
                poll()
            }
        }
    }

    /// The entry begins to wait for its moment.
    private func prepare(_ index: Int) {
        let entry = machine.entries[index]
        guard let when = entry.when else { return }
        for time in when.times where time > now { after(time - now) { [self] in poll() } }
        for (trigger, selector, phase) in when.wires { hold(index, trigger, selector, phase) }
        if entry.isInside { arm(index, when) }
    }

    /// Keeps the exchange that the step waits for where it is, until the step was carried out.
    private func hold(
        _ index: Int, _ trigger: Trigger, _ selector: ExchangeSelector, _ phase: FaultPhase
    ) {
        let id = server?.assumeIsolated { server in
            server.hold(at: selector, phase: phase) { [self] record in
                moments.noteWire(trigger, at: now)
                schedulePoll()
            }
        }
        if let id { holds[index, default: []].append(id) }
    }

    /// Wire points that only expectations name: noted, and passed at once.
    func watchExpectedWires() {
        let waited = Set(machine.entries.compactMap(\.when).flatMap(\.wires).map(\.trigger))
        for (trigger, selector, phase) in scenario.expect.triggers.flatMap(\.wires)
        where !waited.contains(trigger) {
            let id = Lock<HoldID?>(nil)
            let made = server?.assumeIsolated { server in
                server.hold(at: selector, phase: phase) { [self] _ in
                    moments.noteWire(trigger, at: now)
                    loop.post { [self] in
                        guard let id = id.withLock({ $0 }) else { return }
                        self.server?.assumeIsolated { $0.release(id) }
                    }
                }
            }
            id.withLock { $0 = made }
        }
    }

    /// Virtual time: what comes next when everybody is idle.
    func nextWork() -> VirtualTime.Idle {
        guard phase == .running else { return .nothing }
        if let index = machine.due {
            return .post(loop) { [self] in
                guard phase == .running, machine.due == index else { return }
                carryOut(index)
            }
        }
        guard !releases.isEmpty else { return .nothing }
        return .post(loop) { [self] in releaseNext() }
    }

    // MARK: Carrying out

    private func carryOut(_ index: Int) {
        let entry = machine.entries[index]
        guard case .step(let verb) = entry.work else { return }
        machine.begin(index)
        do {
            if let command = try makeCommand(index, verb) {
                perform(command, index, verb)
            } else {
                try carryOutOurselves(verb)
                finishStep(index, reply: .result(.done))
            }
        } catch StepCommands.Problem.skipped(let reason) {
            skip(reason)
        } catch {
            fail(Failure(.infrastructure, "step '\(verb.name)': \(error)", place: entry.place))
            finish()
        }
    }

    private func makeCommand(_ index: Int, _ verb: StepVerb) throws -> ClientCommand? {
        guard let workspace else { return nil }
        let entry = machine.entries[index]
        let commands = StepCommands(
            workspace: workspace, contents: contents, bucket: bucket,
            instances: scenario.client.instances, now: { [self] in now })
        changeTokens(verb, entry.instance)
        let command = try commands.command(
            verb, name: entry.name, instance: entry.instance, book: &book)
        return command.map { ClientCommand($0, instance: entry.instance) }
    }

    private func perform(_ command: ClientCommand, _ index: Int, _ verb: StepVerb) {
        announce(command, verb)
        let place = beginResult(of: index, verb)
        if case .restartClient = verb { book.cutOff() }
        if case .download(let download) = command.verb { watchDownload(download.task) }
        if command.on == nil { unanswered[index] = verb.name }
        driver.perform(command) { [self] reply in
            guard phase != .over else { return }
            unanswered[index] = nil
            if let place { book.answered(place, reply, at: now) }
            answered(index, verb, reply)
        }
    }

    /// Uploads that are checked as they come need not be kept.
    private func announce(_ command: ClientCommand, _ verb: StepVerb) {
        guard scenario.backend.settings.verifiesInsteadOfKeeping,
            case .upload(let upload) = command.verb, let source = book.sources[upload.task],
            let record = book.task(upload.task)
        else { return }
        server?.assumeIsolated { $0.expect(source, for: record.path, in: record.bucket) }
    }

    /// A place in the book for the answer of a verb that has a result; nil for a transfer.
    private func beginResult(of index: Int, _ verb: StepVerb) -> Int? {
        switch verb {
        case .upload, .download, .observe: nil
        case .pause, .resume, .cancel, .snapshot, .unobserve, .getMetadata, .updateMetadata,
            .delete, .url, .list, .listAll, .fetch, .image, .reference, .local, .token, .backend,
            .release, .restartClient, .wait, .burst, .parallel, .repeat:
            machine.entries[index].name.map { book.beginResult($0, at: now) }
        }
    }

    private func answered(_ index: Int, _ verb: StepVerb, _ reply: ClientReply) {
        switch reply {
        case .unsupported(let what):
            refused("'\(verb.name)'", what, place: machine.entries[index].place)
        case .hindered(let problem):
            fail(Failure(.infrastructure, problem, place: machine.entries[index].place))
            finish()
        case .lost:
            machine.lose(index)
            poll()
        case .result, .error:
            if case .error(let error) = reply, verb.startsTask {
                fail(
                    Failure(
                        .client, subject: machine.entries[index].name,
                        "the call of '\(verb.name)' itself failed: \(error.message)",
                        place: machine.entries[index].place))
            }
            finishStep(index, reply: reply)
        }
    }

    private func finishStep(_ index: Int, reply: ClientReply) {
        machine.finish(index)
        noteCarriedOut(index, reply: reply)
        if holds[index] != nil {
            releases.append(index)
            if !settings.isVirtual { driver.sync { [self] _ in releaseNext() } }
        }
        poll()
        stepSettled()
    }

    private func noteCarriedOut(_ index: Int, reply: ClientReply?) {
        if holds[index] != nil, reply == nil { releaseHolds(index) }
        guard let name = machine.entries[index].name else { return }
        moments.noteStep(name, at: now)
        server?.assumeIsolated { $0.noteStep(name) }
        guard let reply else { return }
        let isSuccess = if case .error = reply { false } else { true }
        moments.noteResult(name, isSuccess: isSuccess, at: now)
        server?.assumeIsolated { $0.noteResult(name, isSuccess: isSuccess) }
    }

    /// The exchange that waited for a step goes on.
    private func releaseNext(_ looks: Int = WallPacing.looks) {
        guard phase == .running, let index = releases.first else { return }
        if looks > 0, isLeaving(index) {
            // Leaving is seen by the kernel's clock, also where the scenario's is virtual.
            loop.time?.begin()
            loop.realTimer(after: WallPacing.lookGap) { [self] in
                releaseNext(looks - 1)
                loop.time?.end()
            }
            return
        }
        releases.removeFirst()
        releaseHolds(index)
        checkEnd()
    }

    /// True where a cancel was called at a point of the task's own upload, and its client is not yet known
    /// to have left the exchange: one that answers first and leaves then would seem to have sent the rest.
    private func isLeaving(_ index: Int) -> Bool {
        guard case .step(.cancel(let use)) = machine.entries[index].work,
            let task = book.task(use.task), task.isUpload
        else { return false }
        return holds[index, default: []].contains { id in
            server?.assumeIsolated { $0.mayStillBring(id, to: task.path, in: task.bucket) }
                ?? false
        }
    }

    private func releaseHolds(_ index: Int) {
        for id in holds.removeValue(forKey: index) ?? [] {
            server?.assumeIsolated { $0.release(id) }
        }
    }

    // MARK: Inside a callback

    /// The client carries the step out by itself inside the callback that its trigger names.
    private func arm(_ index: Int, _ when: Trigger) {
        guard case .step(let verb) = machine.entries[index].work else { return }
        machine.arm(index)
        guard case .task(let trigger) = when, let moment = trigger.armed,
            case .event = trigger.moment
        else {
            fail(
                Failure(
                    .infrastructure, "not yet supported: 'inside' needs one event of a task",
                    place: machine.entries[index].place))
            return finish()
        }
        do {
            guard var command = try makeCommand(index, verb) else {
                throw StepCommands.Problem.unsupported(verb.name)
            }
            command.on = moment
            perform(command, index, verb)
        } catch {
            fail(
                Failure(
                    .infrastructure, "step '\(verb.name)': \(error)",
                    place: machine.entries[index].place))
            finish()
        }
    }

    // MARK: The runner's own verbs

    private func changeTokens(_ verb: StepVerb, _ instance: String?) {
        switch verb {
        case .token(.use(let name)): tokens.use(name, for: instance)
        case .token(.signOut): tokens.use(nil, for: instance)
        default: break
        }
    }

    private func carryOutOurselves(_ verb: StepVerb) throws {
        switch verb {
        case .local(let action):
            book.touched.insert(action.name)
            try workspace?.carryOut(action, contentOf: contents.source)
        case .token(.expire(let name)): apply(.token(.expire(name: name)))
        case .backend(let action): apply(action)
        default: throw StepCommands.Problem.unsupported(verb.name)
        }
    }

    func apply(_ action: BackendAction) {
        do {
            try server?.assumeIsolated { try $0.apply(action) }
        } catch {
            fail(Failure(.infrastructure, "\(error)"))
            finish()
        }
    }
}

extension StepVerb {
    /// True for `upload` and `download`.
    var startsTask: Bool {
        switch self {
        case .upload, .download: true
        default: false
        }
    }
}

extension TaskTrigger {
    /// As a client is told it; nil where it cannot be.
    var armed: ClientCommand.Moment? {
        guard case .event(let kind) = moment else { return nil }
        var armed = ClientCommand.Moment(task: task, event: kind, ordinal: ordinal)
        if let bytes {
            guard let least = bytes.leastWholeNumber else { return nil }
            armed.atLeast = least
        }
        return armed
    }
}
