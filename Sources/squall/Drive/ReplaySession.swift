import ClientDriver
import EventLoop
import FaultEngine
import MockServer
import StorageModel

/// Plays the commands of a transcript to an adapter again; confined to the loop.
final class ReplaySession: @unchecked Sendable {
    // Invariant: after `init`, touched on the loop alone.
    private enum Step {
        case send(CommandMessage)
        case expect(ReportMessage)
        case file(path: String, mode: UInt32, TranscriptFile.KeptFile)

        /// One that a request may have to wait for.
        var isCommand: Bool { if case .send(.perform) = self { true } else { false } }
    }

    /// Silence after which a command goes out although reports are missing.
    private static let patience = Duration.seconds(3)

    private let bench: DriveBench
    private var steps: [(time: Duration, step: Step)] = []
    private var next = 0
    private var places: ReplayPlaces
    private var recorded = ReportLog()
    private var replayed = ReportLog()
    private var answers: [Int: ClientReply] = [:]
    private var recordedMisbehaviour: String?
    private var misbehaviour: String?
    private var questions: [(TokenAnswer) -> Void] = []
    private var commands = 0
    private var lastStep = Duration.zero
    private var lastReport = Duration.zero
    private var timer: LoopTimer?
    /// Exchanges that wait for a command at their heads.
    private var held: [Int] = []
    /// Downloads that wait in their bodies, each until a command went out.
    private var stops: [(hold: HoldID, command: Int)] = []
    private var done: ((ReplayOutcome) -> Void)?

    init(_ bench: DriveBench, _ transcript: TranscriptFile) {
        self.bench = bench
        places = ReplayPlaces(directory: bench.directory)
        bench.onInterruption = { [weak self] in self?.finish() }
        var hasEnded = false
        // What the runner asked to know that nothing more comes is not played again.
        var syncs: Set<Int> = []
        for timed in transcript.entries {
            switch timed.entry {
            case .sent(let line):
                guard !hasEnded, let message = try? JSONLinesCodec.command(line) else { continue }
                if case .end = message { hasEnded = true }
                if case .sync(let id) = message {
                    syncs.insert(id)
                } else {
                    steps.append((timed.time, .send(message)))
                }
            case .received(let line):
                guard !hasEnded, let report = try? JSONLinesCodec.report(line) else { continue }
                if case .reply(let id, let reply) = report {
                    if syncs.contains(id) { continue }
                    answers[id] = reply
                }
                steps.append((timed.time, .expect(report)))
            case .file(let path, let mode, let kept):
                steps.append((timed.time, .file(path: path, mode: mode, kept)))
            case .noted(let text):
                // What it did first is what it is blamed for.
                let words = text.dropFirst("the client ".count)
                if recordedMisbehaviour == nil, !words.hasPrefix("ended ") {
                    recordedMisbehaviour = String(words)
                }
            case .receivedHalf: break
            }
        }
    }

    func play(_ done: @escaping (ReplayOutcome) -> Void) {
        self.done = done
        bench.driver.record(with: bench.screen)
        bench.server.assumeIsolated { server in
            server.setHeadHook { [self] record in hold(record.ordinal) }
        }
        lastStep = bench.loop.now
        lastReport = bench.loop.now
        advance()
    }

    // MARK: Steps

    private func advance() {
        if let timer { bench.loop.cancel(timer) }
        timer = nil
        while done != nil, misbehaviour == nil, next < steps.count {
            let (time, step) = steps[next]
            switch step {
            case .expect(let report): recorded.add(ReportSummary(report))
            case .file(let path, let mode, let kept):
                if let problem = places.layOut(path, mode: mode, kept) {
                    bench.screen.say(problem)
                }
            case .send(let message):
                guard let delay = delay(until: time) else {
                    send(message)
                    break
                }
                timer = bench.loop.realTimer(after: delay) { [self] in advance() }
                return
            }
            next += 1
        }
        if next == steps.count { finishWhenQuiet() }
    }

    /// How long the next command has to wait; nil: not at all.
    private func delay(until time: Duration) -> Duration? {
        let now = bench.loop.now
        let before = next > 0 ? steps[next - 1].time : .zero
        let early = lastStep + (time - before) - now
        let quiet = lastReport + Self.patience - now
        if !replayed.reaches(recorded), quiet > .zero { return quiet }
        return early > .zero ? early : nil
    }

    /// Whether nothing but time is between now and the next command.
    private var isCommandDue: Bool {
        guard next < steps.count, case .send = steps[next].step else { return false }
        return replayed.reaches(recorded)
    }

    private func send(_ message: CommandMessage) {
        commands += 1
        lastStep = bench.loop.now
        switch message {
        case .hello(let id, _):
            bench.driver.hello { [self] result in
                switch result {
                case .success(let hello):
                    arrived(
                        .hello(
                            id: id, hello, protocolVersion: ClientHello.protocolVersion))
                case .failure(let problem): misbehaved(problem)
                }
            }
        case .configure(let id, let configuration):
            let placed = places.configuration(configuration, port: bench.port)
            bench.driver.configure(placed, sink: self) { [self] in answered(id, $0) }
        case .perform(let id, let command):
            if case .download(let download) = command.verb { stop(download) }
            bench.driver.perform(places.command(command)) { [self] in answered(id, $0) }
        case .sync, .end: break
        case .token(_, let answer):
            if !questions.isEmpty { questions.removeFirst()(answer) }
        }
        settleHeld()
    }

    // MARK: Reports

    private func answered(_ id: Int, _ reply: ClientReply) {
        guard reply != .lost else { return }
        places.learn(answers[id], reply)
        arrived(.reply(id: id, reply))
    }

    private func arrived(_ report: ReportMessage) {
        replayed.add(ReportSummary(report))
        lastReport = bench.loop.now
        advance()
    }

    // MARK: Requests

    /// Holds an exchange until the client has told what came before it, and has read what is due.
    private func hold(_ ordinal: Int) -> Bool {
        let isTalking = misbehaviour == nil && done != nil
        guard isTalking, steps[next...].contains(where: { $0.step.isCommand }) else { return false }
        bench.loop.post { [self] in
            held.append(ordinal)
            settleHeld()
        }
        return true
    }

    private func settleHeld() {
        guard !held.isEmpty || !stops.isEmpty else { return }
        bench.driver.sync { [self] _ in
            let due = stops.filter { $0.command < next }
            stops.removeAll { $0.command < next }
            let ordinals = isCommandDue && misbehaviour == nil ? [] : held
            held.removeAll(where: ordinals.contains)
            bench.server.assumeIsolated { server in
                for stop in due { server.release(stop.hold) }
                for ordinal in ordinals { server.letIn(ordinal) }
            }
        }
    }

    /// Stops a download at the bytes at which commands went out, until they go out again.
    private func stop(_ download: ClientCommand.Download) {
        var filters = ExchangeFilters()
        filters.bucket = download.object.bucket
        filters.path = Glob(download.object.path)
        let selector = ExchangeSelector(operation: .one(.download), per: .run, filters: filters)
        var last: Int64?
        for index in steps.indices[next...].dropFirst() {
            switch steps[index].step {
            case .expect(.event(let event, download.task, nil)):
                last = event.kind == .progress ? event.completed : nil
            case .send(.perform(_, let command)) where command.on == nil:
                guard let bytes = last else { continue }
                last = nil
                let hold = bench.server.assumeIsolated { server in
                    server.hold(at: selector, phase: .responseBody(.object(bytes))) { _ in }
                }
                stops.append((hold, index))
            default: break
            }
        }
    }

    // MARK: The end

    private func finishWhenQuiet() {
        guard done != nil else { return }
        let rest = lastReport + Self.patience - bench.loop.now
        if misbehaviour == nil, !replayed.reaches(recorded), rest > .zero {
            timer = bench.loop.realTimer(after: rest) { [self] in advance() }
            return
        }
        finish()
    }

    private func finish() {
        guard let done else { return }
        self.done = nil
        bench.server.assumeIsolated { $0.setHeadHook(nil) }
        bench.driver.end { [self] _ in
            // What was not awaited any more belongs to the transcript all the same.
            for (_, step) in steps.dropFirst(next) {
                if case .expect(let report) = step { recorded.add(ReportSummary(report)) }
            }
            let outcome = ReplayOutcome(
                commands: commands, recorded: recorded, replayed: replayed,
                misbehaviour: (recordedMisbehaviour, misbehaviour))
            bench.close { done(outcome) }
        }
    }
}

extension ReplaySession: ClientSink {
    func observed(_ event: TransferEvent, task: String, observer: String?) {
        arrived(.event(event, task: task, observer: observer))
    }

    func completed(_ completion: TaskCompletion, task: String) {
        arrived(.completion(completion, task: task))
    }

    func asked(_ question: TokenQuestion, answer: @escaping (TokenAnswer) -> Void) {
        questions.append(answer)
        arrived(.question(id: questions.count, question))
    }

    func misbehaved(_ misbehaviour: ClientMisbehaviour) {
        self.misbehaviour = "\(misbehaviour)"
        finish()
    }
}
