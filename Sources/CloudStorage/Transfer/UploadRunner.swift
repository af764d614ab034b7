internal import EventLoop
internal import StorageModel

/// Carries out what the upload machine decides. Confined to the engine's loop.
final class UploadRunner: TransferRunner, @unchecked Sendable {
    // Invariant: touched on the loop alone after `init`.
    private let reference: StorageReference
    private let content: any UploadContent
    private let lane: RequestLane
    private var machine: UploadMachine
    private let count: UploadCount
    private let comparesChecksums: Bool
    /// Held while the transfer runs, so that a task nobody else holds goes on.
    private var task: StorageObservableTask?
    private weak var owner: StorageUploadTask?
    private var generation = 0
    /// Counts what content was asked for: an answer to an older number is dropped.
    private var asked = 0
    /// Chunks of a stream are held in memory, so there has to be an end to their size.
    private static let longestHeldChunk: Int64 = 8 << 20

    /// - Parameter session: of an earlier process, to go on with.
    init(
        reference: StorageReference, engine: StorageEngine, content: any UploadContent,
        metadata: MetadataFields, session: UploadMachine.Session? = nil
    ) {
        self.reference = reference
        self.content = content
        let settings = reference.storage.settings.withLock { $0 }
        lane = RequestLane(engine: engine, settings: settings)
        machine = UploadMachine(
            path: reference.path, total: content.knownSize, supply: content.supply,
            chunkSize: content.supply == .atHand
                ? settings.chunkSize : min(settings.chunkSize, Self.longestHeldChunk),
            wanted: metadata,
            budget: RetryBudget(
                limit: settings.uploadRetryTime,
                random: engine.random(for: reference.path, "upload"),
                waitScale: engine.waitScale, rule: settings.behaviour.retries.requests),
            session: session)
        let behaviour = settings.behaviour
        count = UploadCount(
            behaviour.progress, startBody: metadata.startBody(path: reference.fullPath).count)
        comparesChecksums = behaviour.checks.comparesChecksums
        machine.behave(
            engine.retries(behaviour), behaviour.checks,
            behaviour.retries.chunks.map { rule in
                RetryBudget(
                    limit: settings.uploadRetryTime,
                    random: engine.random(for: reference.path, "chunks"),
                    waitScale: engine.waitScale, rule: rule)
            })
    }

    /// As it is told to observers.
    var total: Int64? { content.knownSize.map(count.told) }

    // MARK: What the task asks for

    func begin(_ task: StorageObservableTask, generation: Int) {
        self.task = task
        owner = task as? StorageUploadTask
        self.generation = generation
        if let problem = lane.endpoint.problem { return fail(problem) }
        carryOut(machine.begin())
    }

    func halt(generation: Int) {
        guard generation == self.generation, let task else { return }
        lane.stop()
        asked += 1
        content.rest()
        self.task = nil
        let confirmed = count.told(machine.confirmed)
        task.transition { $0.stopped(generation: generation, completed: confirmed) }
    }

    func abandon() {
        lane.stop()
        asked += 1
        content.close()
        tell(nil)
        task = nil
        cancelSession()
    }

    /// Once, and whatever comes of it: the user has been told already.
    private func cancelSession() {
        guard let session = machine.session, !machine.isFinal else { return }
        let request = sessionRequest(.cancel, session.url, "cancel")
        lane.send(request, .current, to: ReplyCollector { _ in }, refused: { _ in })
    }

    // MARK: Actions

    private func carryOut(_ actions: [UploadMachine.Action]) {
        tell(machine.isFinal ? nil : machine.session)
        for action in actions { carryOut(action) }
    }

    private func carryOut(_ action: UploadMachine.Action) {
        switch action {
        case .send(let step): send(step, .current)
        case .gather(let from, let beyond): gather(from: from, beyond: beyond)
        case .refreshToken(let step): send(step, .fresh)
        case .wait(let delay, let step):
            lane.wait(delay) { [self] in carryOut(machine.waited(for: step)) }
        case .waitAndFail(let delay, let failure):
            if delay == .zero { return fail(failure) }
            lane.wait(delay) { [self] in fail(failure) }
        case .progressed(let confirmed): report(confirmed)
        case .succeed(let resource): verify(resource)
        case .compare(let resource):
            let stored = ContentChecksum(resource)
            let isEqual = stored.map { content.checksum($0.kind) == $0 } ?? false
            carryOut(machine.compared(resource, isEqual: isEqual))
        case .fail(let failure): fail(failure)
        }
    }

    private func fail(_ failure: StorageFailure) {
        let (generation, task) = (generation, task)
        self.task = nil
        task?.transition { $0.failed(generation: generation, failure) }
        // A failure that comes while it is about to pause may count for nothing.
        if task?.hasEnded ?? true { content.close() }
    }

    /// Nothing can be sent any more.
    private func fail(content problem: StorageFailure) {
        var problem = problem
        problem.bucket = reference.bucket
        problem.object = reference.fullPath
        if content.supply != .atHand {
            // Nobody can go on with what the server has.
            tell(nil)
            cancelSession()
        }
        fail(problem)
    }

    private func gather(from: Int64, beyond: Int64) {
        asked += 1
        let asked = asked
        content.gather(from: from, beyond: beyond) { [self] result in
            guard asked == self.asked else { return }
            switch result {
            case .success(let bytes):
                if bytes.isWhole { learned(total: bytes.end) }
                carryOut(machine.gathered(upTo: bytes.end, isWhole: bytes.isWhole))
            case .failure(let problem): fail(content: problem)
            }
        }
    }

    private func learned(total: Int64) {
        let told = count.told(total)
        task?.transition {
            $0.learned(total: told)
            return []
        }
    }

    /// Tells the task in which session an upload of its file can go on.
    private func tell(_ session: UploadMachine.Session?) {
        guard let identity = content.identity else { return }
        owner?.keep(
            session.map {
                StorageUploadSession(
                    $0, of: reference, server: lane.endpoint.text, confirmed: machine.confirmed,
                    source: identity)
            })
    }

    private func report(_ bytes: Int64) {
        let (generation, completed) = (generation, count.told(bytes))
        task?.transition {
            $0.progressed(generation: generation, completed: completed, total: nil)
        }
    }

    // MARK: Verification

    private func verify(_ resource: MetadataFields) {
        guard comparesChecksums, let stored = ContentChecksum(resource) else {
            return succeed(resource)
        }
        if content.isSummed(stored.kind) {
            return judge(content.checksum(stored.kind) == stored, resource)
        }
        let generation = generation
        // All is stored: too late to pause or to cancel.
        guard task?.finish(generation: generation) == true else { return }
        lane.engine.loop.offload { [content] in
            content.checksum(stored.kind) == stored
        } then: { [self] isSame in
            judge(isSame, resource)
        }
    }

    private func judge(_ isSame: Bool, _ resource: MetadataFields) {
        if isSame { return succeed(resource) }
        let what = "What is stored at \(reference.path.text) is not what was sent."
        fail(.falseBytes(what, at: reference.path))
    }

    private func succeed(_ resource: MetadataFields) {
        let (generation, total) = (generation, count.told(machine.total ?? machine.confirmed))
        let task = task
        self.task = nil
        task?.transition {
            $0.succeeded(generation: generation, completed: total, metadata: resource)
        }
    }

    // MARK: Requests

    private func send(_ step: UploadMachine.Step, _ authorization: RequestLane.Authorization) {
        if step.needsSource, let problem = content.problem { return fail(content: problem) }
        guard var request = request(for: step) else {
            return fail(StorageFailure(.internalError, "There is no upload session."))
        }
        lane.limit(&request, machine.budget)
        let collector = ReplyCollector { [self] in answered($0) }
        lane.send(request, authorization, to: collector) { [self] failure in
            guard let failure else { return carryOut(machine.tokenRefused()) }
            fail(failure)
        }
    }

    private func answered(_ result: Result<StorageReply, TransportFailure>) {
        lane.ended()
        // The metadata went out with the first request.
        if count.countsSentBytes, machine.step == .start { report(0) }
        switch result {
        case .success(let reply): carryOut(machine.answered(reply, at: lane.now))
        case .failure(let failure) where failure.isLocal:
            fail(
                content: content.problem
                    ?? StorageFailure(.unknown, "The content of the upload cannot be read."))
        case .failure(let failure): carryOut(machine.broke(failure, at: lane.now))
        }
    }

    private func request(for step: UploadMachine.Step) -> TransportRequest? {
        switch step {
        case .start: return startRequest()
        case .metadata: return TransportRequest(.metadata, url: reference.address)
        case .query: return machine.session.map { sessionRequest(.query, $0.url, "query") }
        case .body(let offset, let length, let isLast):
            guard let session = machine.session else { return nil }
            let command = length == 0 ? "finalize" : isLast ? "upload, finalize" : "upload"
            var request = sessionRequest(.chunk, session.url, command)
            request.values.offset = offset
            if length > 0 { request.body = body(offset, length) }
            return request
        }
    }

    private func body(_ offset: Int64, _ length: Int64) -> RequestBody {
        guard count.countsSentBytes else {
            return .slice(content, offset: offset, length: length)
        }
        let sent = SentBytes(content, from: offset, length: length) { [weak self] end in
            self?.report(end)
        }
        return .slice(sent, offset: offset, length: length)
    }

    private func startRequest() -> TransportRequest {
        let name = PercentEncoding.encodeSegment(reference.fullPath)
        let bucket = reference.root().address
        let values = RequestValues(
            command: "start", size: machine.total,
            type: machine.wanted.contentType ?? ContentTypes.fallback)
        var request = TransportRequest(
            .start, url: "\(bucket)?uploadType=resumable&name=\(name)", values)
        request.body = .bytes(machine.wanted.startBody(path: reference.fullPath))
        return request
    }

    private func sessionRequest(
        _ kind: RequestKind, _ url: String, _ command: String
    ) -> TransportRequest {
        var request = TransportRequest(kind, url: absolute(url), RequestValues(command: command))
        request.idleTimeout = lane.engine.idleTimeout
        request.connectTimeout = lane.engine.idleTimeout
        return request
    }

    /// A session's URL may be given without scheme and host.
    private func absolute(_ url: String) -> String {
        url.hasPrefix("/") ? lane.endpoint.text + url : url
    }
}
