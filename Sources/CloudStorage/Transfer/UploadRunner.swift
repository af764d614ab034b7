internal import Checksums
internal import EventLoop
internal import StorageModel

/// Carries out what the upload machine decides. Confined to the engine's loop.
final class UploadRunner: TransferRunner, @unchecked Sendable {
    // Invariant: touched on the loop alone after `init`.
    private let reference: StorageReference
    private let source: OpenedSource
    private let lane: RequestLane
    private var machine: UploadMachine
    /// Held while the transfer runs, so that a task nobody else holds goes on.
    private var task: StorageObservableTask?
    private var generation = 0

    init(
        reference: StorageReference, engine: StorageEngine, source: OpenedSource,
        metadata: MetadataFields
    ) {
        self.reference = reference
        self.source = source
        let settings = reference.storage.settings.withLock { $0 }
        lane = RequestLane(engine: engine, settings: settings)
        machine = UploadMachine(
            path: reference.path, total: source.size, chunkSize: settings.chunkSize,
            wanted: metadata,
            budget: RetryBudget(
                limit: settings.uploadRetryTime,
                random: engine.random(for: reference.path, "upload"),
                waitScale: engine.waitScale))
        (machine.answers, machine.breaks) = (engine.answers, engine.breaks)
    }

    // MARK: What the task asks for

    func begin(_ task: StorageObservableTask, generation: Int) {
        self.task = task
        self.generation = generation
        if let problem = lane.endpoint.problem { return fail(problem) }
        carryOut(machine.begin())
    }

    func halt(generation: Int) {
        guard generation == self.generation, let task else { return }
        lane.stop()
        self.task = nil
        let confirmed = machine.confirmed
        task.transition { $0.stopped(generation: generation, completed: confirmed) }
    }

    func abandon() {
        lane.stop()
        task = nil
        guard let session = machine.session, !machine.isFinal else { return }
        // Once, and whatever comes of it: the user has been told already.
        let request = sessionRequest(.cancel, session.url, "cancel")
        lane.send(request, .current, to: ReplyCollector { _ in }, refused: { _ in })
    }

    // MARK: Actions

    private func carryOut(_ actions: [UploadMachine.Action]) {
        for action in actions { carryOut(action) }
    }

    private func carryOut(_ action: UploadMachine.Action) {
        let generation = generation
        switch action {
        case .send(let step): send(step, .current)
        case .refreshToken(let step): send(step, .fresh)
        case .wait(let delay, let step):
            lane.wait(delay) { [self] in carryOut(machine.waited(for: step)) }
        case .waitAndFail(let delay, let failure):
            if delay == .zero { return fail(failure) }
            lane.wait(delay) { [self] in fail(failure) }
        case .progressed(let confirmed):
            task?.transition {
                $0.progressed(generation: generation, completed: confirmed, total: nil)
            }
        case .succeed(let resource): verify(resource)
        case .compare(let resource):
            carryOut(machine.compared(resource, isEqual: Self.isProven(resource, source)))
        case .fail(let failure): fail(failure)
        }
    }

    private func fail(_ failure: StorageFailure) {
        let generation = generation
        let task = task
        self.task = nil
        task?.transition { $0.failed(generation: generation, failure) }
    }

    private func verify(_ resource: MetadataFields) {
        guard Self.matches(resource, source) else {
            let what = "What is stored at \(reference.path.text) is not what was sent."
            return fail(.falseBytes(what, at: reference.path))
        }
        let (generation, total) = (generation, source.size)
        let task = task
        self.task = nil
        task?.transition {
            $0.succeeded(generation: generation, completed: total, metadata: resource)
        }
    }

    /// True where a checksum says so.
    private static func isProven(_ resource: MetadataFields, _ source: OpenedSource) -> Bool {
        (resource.crc32c != nil || resource.md5Hash != nil) && matches(resource, source)
    }

    /// Compares the CRC-32C where the resource has one, else the MD5, else nothing.
    private static func matches(_ resource: MetadataFields, _ source: OpenedSource) -> Bool {
        if let stored = resource.crc32c.flatMap({ CRC32C.value(ofBase64: $0) }) {
            return source.checksum() == stored
        }
        if let stored = resource.md5Hash.flatMap({ Base64.decode($0) }), stored.count == 16 {
            return source.md5() == stored
        }
        return true
    }

    // MARK: Requests

    private func send(_ step: UploadMachine.Step, _ authorization: RequestLane.Authorization) {
        if step.needsSource, let problem = source.problem { return fail(problem) }
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
        switch result {
        case .success(let reply): carryOut(machine.answered(reply, at: lane.now))
        case .failure(let failure) where failure.isLocal:
            fail(
                source.problem
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
            if length > 0 { request.body = .slice(source, offset: offset, length: length) }
            return request
        }
    }

    private func startRequest() -> TransportRequest {
        let name = PercentEncoding.encodeSegment(reference.fullPath)
        let bucket = reference.root().address
        let values = RequestValues(
            command: "start", size: source.size,
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
