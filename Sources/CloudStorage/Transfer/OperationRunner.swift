internal import EventLoop
internal import StorageModel

/// Carries out one operation. Confined to the engine's loop after `start`.
final class OperationRunner: @unchecked Sendable {
    // Invariant: touched on the loop alone after `start`.
    private let reference: StorageReference
    private let operation: StorageOperation
    private let engine: StorageEngine
    private let queue: any CallbackQueue
    private let lane: RequestLane
    private var machine: OperationMachine
    private var completion: (@Sendable (OperationResult) -> Void)?
    private var pageToken: String?
    /// Of the pages that were asked for.
    private var askedTokens: Set<String> = []
    private var prefixes: [StorageReference] = []
    private var items: [StorageReference] = []

    init(
        reference: StorageReference, engine: StorageEngine, operation: StorageOperation,
        _ completion: @escaping @Sendable (OperationResult) -> Void
    ) {
        self.reference = reference
        self.operation = operation
        self.completion = completion
        let settings = reference.storage.settings.withLock { $0 }
        self.engine = engine
        queue = settings.callbacks
        lane = RequestLane(engine: engine, settings: settings)
        machine = OperationMachine(
            path: reference.path, isDeletion: operation.isDeletion,
            budget: RetryBudget(
                limit: settings.operationRetryTime,
                random: engine.random(for: reference.path, "operation"),
                waitScale: engine.waitScale, rule: settings.behaviour.retries.requests))
        machine.behave(engine.retries(settings.behaviour))
        if case .list(_, let token) = operation { pageToken = token }
    }

    /// From any thread; the completion is called on the callback queue, never at once.
    func start() {
        engine.loop.post { [self] in
            let problem = operation.problem(at: reference.path) ?? lane.endpoint.problem
            if let problem { return finish(OperationResult(error: problem.nsError)) }
            carryOut(machine.begin())
        }
    }

    /// From any thread: gives up, whatever the server has done already.
    func cancel() {
        engine.loop.post { [self] in
            guard completion != nil else { return }
            lane.stop()
            fail(StorageFailure(.cancelled, "The user cancelled the operation."))
        }
    }

    private func finish(_ result: OperationResult) {
        guard let completion else { return }
        self.completion = nil
        queue.enqueue { completion(result) }
    }

    private func fail(_ failure: StorageFailure) {
        finish(OperationResult(error: failure.nsError))
    }

    private func carryOut(_ action: OperationMachine.Action) {
        switch action {
        case .send: send(.current)
        case .refreshToken: send(.fresh)
        case .wait(let delay): lane.wait(delay) { [self] in send(.current) }
        case .waitAndFail(let delay, let failure):
            if delay == .zero { return fail(failure) }
            lane.wait(delay) { [self] in fail(failure) }
        case .done(let reply): done(reply)
        case .fail(let failure): fail(failure)
        }
    }

    private func send(_ authorization: RequestLane.Authorization) {
        var request = operation.request(for: reference, pageToken: pageToken)
        lane.limit(&request, machine.budget)
        let collector = ReplyCollector { [self] result in
            lane.ended()
            switch result {
            case .success(let reply): carryOut(machine.answered(reply, at: lane.now))
            case .failure(let failure): carryOut(machine.broke(failure, at: lane.now))
            }
        }
        lane.send(request, authorization, to: collector) { [self] failure in
            guard let failure else { return carryOut(machine.tokenRefused()) }
            fail(failure)
        }
    }

    // MARK: Results

    private func done(_ reply: StorageReply) {
        switch operation {
        case .delete: finish(OperationResult())
        case .getMetadata, .updateMetadata:
            guard let fields = resource(reply) else { return }
            finish(OperationResult(value: .init(metadata: StorageMetadata(fields))))
        case .downloadURL:
            guard let fields = resource(reply) else { return }
            guard let url = StorageOperation.downloadURL(fields, reference) else {
                let reason = "it names no download token"
                return fail(StorageFailure(invalid: reply, reason, at: reference.path))
            }
            finish(OperationResult(value: .init(url: url)))
        case .list, .listAll: listed(reply)
        }
    }

    private func resource(_ reply: StorageReply) -> MetadataFields? {
        let fields = MetadataFields(resource: reply.body)
        if fields == nil {
            fail(StorageFailure(invalid: reply, "it is no JSON object", at: reference.path))
        }
        return fields
    }

    private func listed(_ reply: StorageReply) {
        guard let page = ListPage(reply.body) else {
            return fail(
                StorageFailure(invalid: reply, "it is no JSON object", at: reference.path))
        }
        prefixes += page.prefixes.map(place)
        items += page.items.map(place)
        if case .listAll = operation, let next = page.nextPageToken {
            guard askedTokens.insert(next).inserted else {
                let reason = "a page names one as its next that was there before"
                return fail(StorageFailure(invalid: reply, reason, at: reference.path))
            }
            pageToken = next
            return carryOut(machine.begin())
        }
        let list = StorageListResult(
            prefixes: prefixes, items: items, pageToken: page.nextPageToken)
        finish(OperationResult(value: .init(list: list)))
    }

    private func place(_ path: String) -> StorageReference {
        reference.with(StoragePath(bucket: reference.bucket, object: path))
    }
}
