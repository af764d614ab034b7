internal import Checksums
internal import EventLoop
internal import StorageModel

/// Carries out what the download machine decides. Confined to the engine's loop.
final class DownloadRunner: TransferRunner, TransportSink, @unchecked Sendable {
    // Invariant: touched on the loop alone after `init`.
    private let reference: StorageReference
    private let sink: any DownloadSink
    private let validator: DownloadValidator?
    private let lane: RequestLane
    private var machine: DownloadMachine
    private let comparesChecksums: Bool
    private let keepsOnPause: Bool
    private var checksum = RunningChecksum.none
    /// Held while the transfer runs, so that a task nobody else holds goes on.
    private var task: StorageObservableTask?
    private var generation = 0
    // Of the exchange under way.
    private var head: ResponseHead?
    private var verdict = DownloadMachine.Verdict.gather
    private var gathered: [UInt8] = []
    private var sinkProblem: StorageFailure?

    init(
        reference: StorageReference, engine: StorageEngine, sink: any DownloadSink, limit: Int64?,
        validator: DownloadValidator? = nil
    ) {
        self.reference = reference
        self.sink = sink
        self.validator = validator
        let settings = reference.storage.settings.withLock { $0 }
        lane = RequestLane(engine: engine, settings: settings)
        machine = DownloadMachine(
            path: reference.path, limit: limit, isConditional: validator?.condition != nil,
            budget: RetryBudget(
                limit: settings.downloadRetryTime,
                random: engine.random(for: reference.path, "download"),
                waitScale: engine.waitScale, rule: settings.behaviour.retries.requests))
        machine.behave(engine.retries(settings.behaviour))
        comparesChecksums = settings.behaviour.checks.comparesChecksums
        // What is held in memory has a limit.
        keepsOnPause = settings.behaviour.retries.downloads.keepsOnPause(inMemory: limit != nil)
    }

    /// The sink has room again; from any thread.
    private func listen() {
        sink.whenRoom { [weak self, loop = lane.engine.loop] in
            loop.post { [weak self] in self?.lane.goOn() }
        }
    }

    // MARK: What the task asks for

    func begin(_ task: StorageObservableTask, generation: Int) {
        self.task = task
        self.generation = generation
        if let problem = lane.endpoint.problem { return fail(problem) }
        listen()
        carryOut(machine.begin(isKept: keepsOnPause && sink.isIntact))
    }

    func halt(generation: Int) {
        guard generation == self.generation, let task else { return }
        lane.stop()
        self.task = nil
        let received = machine.received
        task.transition { $0.stopped(generation: generation, completed: received) }
    }

    func abandon() {
        lane.stop()
        task = nil
        sink.discard()
    }

    // MARK: Actions

    private func carryOut(_ actions: [DownloadMachine.Action]) {
        for action in actions { carryOut(action) }
    }

    private func carryOut(_ action: DownloadMachine.Action) {
        switch action {
        case .send(let offset): send(from: offset, .current)
        case .refreshToken(let offset): send(from: offset, .fresh)
        case .wait(let delay): lane.wait(delay) { [self] in carryOut(machine.waited()) }
        case .waitAndFail(let delay, let failure):
            if delay == .zero { return fail(failure) }
            lane.wait(delay) { [self] in fail(failure) }
        case .complete: complete()
        case .unchanged:
            validator?.confirm()
            settle()
        case .fail(let failure): fail(failure)
        }
    }

    private func fail(_ failure: StorageFailure) {
        sink.discard()
        let (task, generation) = (task, generation)
        self.task = nil
        task?.transition { $0.failed(generation: generation, failure) }
    }

    private func complete() {
        if comparesChecksums, let identity = machine.identity, !checksum.matches(identity) {
            let what = "What arrived of \(reference.path.text) is not what is stored there."
            return fail(.falseBytes(what, at: reference.path))
        }
        validator?.etag = machine.identity?.etag
        settle()
    }

    /// Puts the result in its place.
    private func settle() {
        let (task, generation, received) = (task, generation, machine.received)
        // Who cancelled before this finds no file, who cancels after it is too late.
        guard task?.finish(generation: generation) == true else { return }
        do { try sink.finish() } catch { return fail(error) }
        self.task = nil
        task?.transition {
            if $0.total == nil, let total = machine.total { $0.learned(total: total) }
            return $0.succeeded(generation: generation, completed: received, metadata: nil)
        }
    }

    private func send(from offset: Int64, _ authorization: RequestLane.Authorization) {
        (head, verdict, gathered, sinkProblem) = (nil, .gather, [], nil)
        let values = RequestValues(
            from: offset > 0 ? offset : nil, unless: offset == 0 ? validator?.condition : nil)
        var request = TransportRequest(.media, url: reference.address + "?alt=media", values)
        lane.limit(&request, machine.budget)
        lane.send(request, authorization, to: self) { [self] failure in
            guard let failure else { return carryOut(machine.tokenRefused()) }
            fail(failure)
        }
    }

    // MARK: The answer

    var isFull: Bool {
        switch verdict {
        case .append, .restart: sinkProblem == nil && sink.isFull
        case .gather, .refuse: false
        }
    }

    func received(_ head: ResponseHead) {
        self.head = head
        verdict = machine.head(head)
        guard verdict == .restart else { return }
        do { try sink.restart() } catch { sinkProblem = error }
        checksum = machine.identity.map(RunningChecksum.init) ?? .none
        report(0)
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch verdict {
        case .gather:
            gathered.append(contentsOf: bytes.prefix(65_536 - gathered.count))
            return true
        case .refuse: return false
        case .append, .restart: return append(bytes)
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard sinkProblem == nil else { return false }
        let intake = machine.received(bytes.count)
        if intake.isWanted {
            do { try sink.append(bytes) } catch {
                sinkProblem = error
                return false
            }
            checksum.update(bytes)
        }
        for mark in intake.marks { report(mark) }
        return intake.isWanted
    }

    private func report(_ offset: Int64) {
        let (generation, total) = (generation, machine.total)
        task?.transition {
            $0.progressed(generation: generation, completed: offset, total: total)
        }
    }

    func ended(_ failure: TransportFailure?) {
        lane.ended()
        if let sinkProblem { return fail(sinkProblem) }
        let now = lane.now
        guard let head, verdict == .gather else {
            return carryOut(machine.ended(failure, at: now))
        }
        switch ReplyCollector.result(head, gathered, failure) {
        case .success(let reply): carryOut(machine.answered(reply, at: now))
        case .failure(let failure): carryOut(machine.ended(failure, at: now))
        }
    }
}

/// The checksum of what has arrived, of the kind that the head lets compare.
private enum RunningChecksum {
    case none
    case crc32c(CRC32C)
    case md5(MD5)

    init(_ identity: ObjectIdentity) {
        if identity.isDecoded {
            self = .none
        } else if identity.crc32c != nil {
            self = .crc32c(CRC32C())
        } else {
            self = identity.md5 == nil ? .none : .md5(MD5())
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .none: break
        case .crc32c(var crc):
            crc.update(bytes)
            self = .crc32c(crc)
        case .md5(var md5):
            md5.update(bytes)
            self = .md5(md5)
        }
    }

    func matches(_ identity: ObjectIdentity) -> Bool {
        switch self {
        case .none: true
        case .crc32c(let crc): crc.value == identity.crc32c
        case .md5(let md5): md5.digest == identity.md5
        }
    }
}
