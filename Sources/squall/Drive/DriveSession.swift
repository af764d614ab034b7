import ClientDriver
import EventLoop
import StorageModel

/// An adapter that is talked to by hand; confined to the loop.
final class DriveSession: @unchecked Sendable {
    // Invariant: after `init`, touched on the loop alone, but for `isOver`.
    private struct Waiter {
        let task: String
        let kind: TransferEvent.Kind
        let timer: LoopTimer
        let done: () -> Void
    }

    /// How long a transfer, or an awaited event, may take.
    private static let patience = Duration.seconds(30)

    let bench: DriveBench
    private var isConfigured = false
    /// The last event of each task; nil: none yet.
    private var tasks: [String: TransferEvent.Kind?] = [:]
    private var completed: Set<String> = []
    private var waiters: [Waiter] = []
    private var whenAtRest: (() -> Void)?
    private var token: TokenAnswer = .none
    /// The adapter broke the protocol: nothing more can be said to it.
    private(set) var hasMisbehaved = false
    private let over = Lock(false)

    init(_ bench: DriveBench) {
        self.bench = bench
        bench.onInterruption = { [weak self] in self?.stopWaiting() }
    }

    /// Whether reading on is of no use; from any thread.
    var isOver: Bool { over.withLock { $0 } }

    /// Greets the adapter and begins the first run.
    ///
    /// - Parameter done: called with whether it can be talked to.
    func begin(_ done: @escaping (Bool) -> Void) {
        if case .give(let name)? = bench.options.client.tokens.first?.answer {
            token = .token(name)
        }
        bench.driver.record(with: bench.screen)
        bench.driver.hello { [self] result in
            switch result {
            case .success: configure { done(self.isConfigured) }
            case .failure:
                hasMisbehaved = true
                done(false)
            }
        }
    }

    private func configure(_ done: @escaping () -> Void) {
        (tasks, completed) = ([:], [])
        bench.driver.configure(bench.configuration(), sink: self) { [self] reply in
            isConfigured = reply == .result(.done)
            done()
        }
    }

    /// - Parameters:
    ///   - isPatient: answers that take their time are waited for.
    ///   - done: called when the next line may be read.
    func perform(_ action: DriveAction, isPatient: Bool, _ done: @escaping () -> Void) {
        switch action {
        case .nothing, .help, .quit: done()
        case .configure:
            guard isConfigured else { return configure(done) }
            end { [self] in configure(done) }
        case .end: end(done)
        case .waitTime(let time): bench.loop.realTimer(after: time, done)
        case .waitFor(let task, let kind): wait(for: kind, of: task, done)
        case .sync: whileConfigured(done) { self.bench.driver.sync { _ in done() } }
        case .token(let name):
            token = name.map { .token($0) } ?? .none
            whileConfigured(done) {
                self.tell(ClientCommand(.token(signedIn: name != nil)), isPatient, done)
            }
        case .command(let command):
            whileConfigured(done) { self.tell(command, isPatient, done) }
        }
    }

    private func whileConfigured(_ done: () -> Void, _ work: () -> Void) {
        if isConfigured { return work() }
        bench.screen.say("there is no run: 'configure' begins one")
        done()
    }

    private func tell(
        _ command: ClientCommand, _ isPatient: Bool, _ done: @escaping () -> Void
    ) {
        for task in command.tasks { tasks[task] = .some(nil) }
        let waits = isPatient && command.on == nil || command.isAnsweredAtOnce
        bench.driver.perform(command) { reply in
            if waits { done() }
        }
        if !waits { done() }
    }

    private func wait(
        for kind: TransferEvent.Kind, of task: String, _ done: @escaping () -> Void
    ) {
        guard tasks[task] != .some(.some(kind)), !isOver else { return done() }
        let timer = bench.loop.realTimer(after: Self.patience) { [self] in
            bench.screen.say(
                "no '\(kind.rawValue)' of '\(task)' within \(Self.patience.scenarioText)")
            waiters.removeAll { $0.task == task && $0.kind == kind }
            done()
        }
        waiters.append(Waiter(task: task, kind: kind, timer: timer, done: done))
    }

    private func end(_ done: @escaping () -> Void) {
        isConfigured = false
        bench.driver.end { _ in done() }
    }

    // MARK: The end

    /// Waits until every transfer has ended or stands still.
    func rest(_ done: @escaping () -> Void) {
        guard !isAtRest else { return done() }
        let timer = bench.loop.realTimer(after: Self.patience) { [self] in
            let late = tasks.keys.sorted().filter { !isAtRest($0) }.joined(separator: ", ")
            bench.screen.say("not at rest after \(Self.patience.scenarioText): \(late)")
            whenAtRest?()
        }
        whenAtRest = { [self] in
            bench.loop.cancel(timer)
            whenAtRest = nil
            done()
        }
    }

    private var isAtRest: Bool { isOver || tasks.keys.allSatisfy(isAtRest) }

    private func isAtRest(_ task: String) -> Bool {
        if completed.contains(task) { return true }
        guard case .some(.some(let kind)) = tasks[task] else { return false }
        return kind == .pause
    }

    func finish(_ done: @escaping () -> Void) {
        end { [self] in bench.close(done) }
    }
}

extension DriveSession: ClientSink {
    func observed(_ event: TransferEvent, task: String, observer: String?) {
        guard observer == nil else { return }
        tasks[task] = .some(event.kind)
        let due = waiters.filter { $0.task == task && $0.kind == event.kind }
        waiters.removeAll { $0.task == task && $0.kind == event.kind }
        for waiter in due {
            bench.loop.cancel(waiter.timer)
            waiter.done()
        }
        if isAtRest { whenAtRest?() }
    }

    func completed(_ completion: TaskCompletion, task: String) {
        completed.insert(task)
        if isAtRest { whenAtRest?() }
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        answer(token)
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        hasMisbehaved = true
        stopWaiting()
    }

    private func stopWaiting() {
        over.withLock { $0 = true }
        let open = waiters
        waiters = []
        for waiter in open {
            bench.loop.cancel(waiter.timer)
            waiter.done()
        }
        whenAtRest?()
    }
}

extension ClientCommand {
    /// The transfers that it begins and that tell of their end.
    var tasks: [String] {
        switch verb {
        case .upload(let upload): upload.hasCompletion ? [upload.task] : []
        case .download(let download): download.hasCompletion ? [download.task] : []
        case .burst(let commands), .parallel(let commands): commands.flatMap(\.tasks)
        default: []
        }
    }
}
