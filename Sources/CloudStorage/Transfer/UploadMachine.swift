internal import StorageModel

/// What an upload does next, decided from answers alone: no clock, no socket, no file.
///
/// After any break the server is asked what it holds, and the upload goes on from there; what the server
/// says is never taken for more than it can be.
struct UploadMachine: Sendable {
    let path: StoragePath
    /// Bytes in all; nil until a stream has told.
    private(set) var total: Int64?
    let supply: Supply
    let chunkSize: Int64
    /// What the object is to be stored with.
    let wanted: MetadataFields
    var answers = AnswerTable.documented
    var breaks = TransportTable.documented
    /// How often a refused token is renewed.
    var mostRenewals = 1
    /// False: the upload ends where a query is not answered.
    var repeatsQueries = true
    /// How the upload goes on.
    var afterBreak = StorageBehaviour.Recovery.asks
    var afterPause = StorageBehaviour.Recovery.asks
    /// False: a last answer that is no metadata is an error.
    var asksForMetadata = true
    /// Of chunks that fail, where they are not tried again as any request: the server is asked at once,
    /// and the wait is before every chunk from then on.
    var chunkBudget: RetryBudget?
    private var chunkWait = Duration.zero
    private(set) var budget: RetryBudget
    private(set) var session: Session?
    /// The server is known to have stored the object, so there is nothing left to cancel.
    private(set) var isFinal = false
    private(set) var confirmed: Int64 = 0
    private(set) var step = Step.start
    /// End of what may have reached the server in this session.
    private var sentEnd: Int64 = 0
    /// End of the bytes that are at hand, and whether it is the end of all.
    private var available: Int64
    private var isWhole: Bool
    private var best: Int64 = 0
    private var hasRestarted = false
    /// Renewals of the token since something succeeded.
    private var renewals = 0
    /// Answers to bodies of this session say what was kept: one that does not is not trusted.
    ///
    /// The service itself does not say so in such answers; there a wrong guess is refused by the offset
    /// of the next body, and the query that follows sets it right.
    private var tellsSizes = false
    /// A query that was sent at once because an answer did not say what was kept.
    private var isUnsure = false
    private var refusal: StorageFailure?
    /// The last bytes went out and nobody said what became of them: the object may be stored.
    private var mayBeStored = false
    /// Why the session is taken for lost, while it is asked whether the object was stored by it.
    private var loss: StorageFailure?

    init(
        path: StoragePath, total: Int64?, supply: Supply = .atHand, chunkSize: Int64,
        wanted: MetadataFields, budget: RetryBudget, session: Session? = nil
    ) {
        self.path = path
        self.total = total
        self.supply = supply
        self.chunkSize = chunkSize
        self.wanted = wanted
        self.budget = budget
        self.session = session
        (available, isWhole) = supply == .atHand ? (total ?? 0, true) : (0, false)
        guard session != nil else { return }
        (sentEnd, mayBeStored) = (available, true)
    }

    /// - Parameter chunks: of the waits before chunks, where they have a rule of their own.
    mutating func behave(
        _ retries: StorageBehaviour.Retries, _ checks: StorageBehaviour.Checks,
        _ chunks: RetryBudget?
    ) {
        (answers, breaks) = (retries.answers, retries.breaks)
        mostRenewals = retries.renewals
        repeatsQueries = retries.repeatsQueries
        (afterBreak, afterPause) = (retries.brokenUploads, retries.pausedUploads)
        asksForMetadata = checks.asksForMetadata
        chunkBudget = chunks
    }

    // MARK: Events

    /// The transfer begins, or goes on after a pause.
    mutating func begin() -> [Action] {
        budget.succeeded()
        renewals = 0
        isUnsure = false
        loss = nil
        return [send(session == nil ? .start : afterPause.step(insteadOf: nextBody))]
    }

    /// What `gather` asked for is there: bytes up to `end`, and no more after them if `isWhole`.
    mutating func gathered(upTo end: Int64, isWhole: Bool) -> [Action] {
        available = end
        self.isWhole = isWhole
        if isWhole { total = end }
        return [proceed()]
    }

    /// The wait is over.
    mutating func waited(for step: Step) -> Action { send(step, hasWaited: true) }

    mutating func answered(_ reply: StorageReply, at now: Duration) -> [Action] {
        if reply.isSuccess {
            renewals = 0
            switch step {
            case .start: return started(reply)
            case .query: return queried(reply, now)
            case .body(_, _, let isLast): return acknowledged(reply, isLast: isLast, now)
            case .metadata: return described(reply)
            }
        }
        return refused(reply, now)
    }

    mutating func broke(_ transport: TransportFailure, at now: Duration) -> [Action] {
        let failure = StorageFailure(transport, at: path, breaks)
        if step.isLastBody, transport.wasSent { mayBeStored = true }
        guard breaks.row(transport.fault).isRetried else { return [.fail(failure)] }
        return retry(failure, now, lastByte: transport.lastByte)
    }

    /// There is no newer token than the one that was refused.
    mutating func tokenRefused() -> [Action] {
        let failure = refusal ?? StorageFailure(.unauthenticated, "There is no token.")
        return step == .metadata ? unreadable(failure) : [.fail(failure)]
    }

    /// Whether what is stored has the checksum of what was to be uploaded.
    mutating func compared(_ resource: MetadataFields, isEqual: Bool) -> [Action] {
        if !isEqual, let loss { return restart(loss) }
        isFinal = true
        return [.succeed(resource)]
    }

    // MARK: Success of a step

    private mutating func started(_ reply: StorageReply) -> [Action] {
        guard reply.uploadStatus == .active, let url = reply.headers["X-Goog-Upload-URL"],
            url.hasPrefix("/") || StorageEndpoint(url: url) != nil
        else { return [.fail(.init(invalid: reply, "it names no upload session", at: path))] }
        session = Session(url: url, granularity: reply.granularity, began: reply.date)
        mayBeStored = false
        confirmed = 0
        sentEnd = 0
        tellsSizes = false
        budget.succeeded()
        return [proceed()]
    }

    private mutating func queried(_ reply: StorageReply, _ now: Duration) -> [Action] {
        let wasUnsure = isUnsure
        isUnsure = false
        switch reply.uploadStatus {
        case .final: return finished(reply)
        case .cancelled:
            if session?.isEarlier == true, let actions = startAnew() { return actions }
            return [.fail(.init(invalid: reply, "it says that the upload was cancelled", at: path))]
        case .active:
            guard let size = reply.sizeReceived else { break }
            if wasUnsure, repeatsQueries, size <= confirmed, size <= sentEnd {
                let actions = advance(to: size, reply)
                let next = isWhole || available > confirmed ? nextBody : .query
                return actions.dropLast() + retry(nothingKept(reply), now, next: next)
            }
            return advance(to: size, reply)
        case .unsaid: break
        }
        return retry(
            .init(invalid: reply, "it does not say what the server holds", at: path), now)
    }

    private mutating func acknowledged(
        _ reply: StorageReply, isLast: Bool, _ now: Duration
    ) -> [Action] {
        switch reply.uploadStatus {
        case .final: return finished(reply)
        case .cancelled:
            return [.fail(.init(invalid: reply, "it says that the upload was cancelled", at: path))]
        case .active, .unsaid:
            guard let size = reply.sizeReceived, reply.uploadStatus == .active || !isLast else {
                if reply.uploadStatus == .active, !isLast, !tellsSizes {
                    return advance(to: sentEnd, reply)
                }
                isUnsure = true
                mayBeStored = mayBeStored || isLast
                return [send(.query)]
            }
            tellsSizes = true
            guard size > confirmed else {
                let actions = advance(to: size, reply)
                if case .fail? = actions.last { return actions }
                return actions.dropLast() + retry(nothingKept(reply), now, next: .query)
            }
            return advance(to: size, reply)
        }
    }

    private mutating func described(_ reply: StorageReply) -> [Action] {
        let resource = MetadataFields(resource: reply.body).flatMap { $0.isWhole ? $0 : nil }
        if let loss {
            // What was there before this session began was stored by somebody else.
            guard let resource, resource.size == total, let began = session?.began,
                let created = resource.timeCreated, created >= began
            else { return restart(loss) }
            return [.compare(resource)]
        }
        guard let resource else {
            return [.fail(.init(invalid: reply, "it is no object's resource", at: path))]
        }
        return stored(resource, reply)
    }

    private mutating func finished(_ reply: StorageReply) -> [Action] {
        isFinal = true
        let resource = MetadataFields(resource: reply.body)
        guard asksForMetadata else {
            let failure = StorageFailure(invalid: reply, "it is no object's resource", at: path)
            return [resource.map(Action.succeed) ?? .fail(failure)]
        }
        guard let resource, resource.isWhole else { return [send(.metadata)] }
        return stored(resource, reply)
    }

    private func stored(_ resource: MetadataFields, _ reply: StorageReply) -> [Action] {
        guard resource.size == total else {
            let wanted = total.map(String.init) ?? "all"
            let reason = "the stored object has \(resource.size) bytes instead of \(wanted)"
            return [.fail(.init(invalid: reply, reason, at: path))]
        }
        return [.succeed(resource)]
    }

    /// What is stored, where it may not be read.
    private var undescribed: MetadataFields {
        var fields = wanted
        fields.size = total ?? confirmed
        return fields
    }

    /// Takes over what the server holds; the last action sends what comes next, or fails.
    private mutating func advance(to size: Int64, _ reply: StorageReply) -> [Action] {
        guard size <= sentEnd else {
            let reason = "it claims \(size) bytes of an upload that sent \(sentEnd)"
            return [.fail(.init(invalid: reply, reason, at: path))]
        }
        var actions: [Action] = []
        if size != confirmed { actions.append(.progressed(size)) }
        if size < confirmed { forgetGathered() }
        confirmed = size
        if size > best {
            best = size
            budget.succeeded()
        }
        return actions + [proceed()]
    }

    /// Sends the next body, once its bytes are at hand and it is known whether it is the last one.
    private mutating func proceed() -> Action {
        let (sum, overflow) = confirmed.addingReportingOverflow(chunkLength)
        let end = overflow ? .max : sum
        // Where the size is known, a stream need not tell first that it goes on.
        let beyond = total.map { end < $0 } == true ? end - 1 : end
        guard isWhole || available > beyond else {
            return .gather(from: confirmed, beyond: beyond)
        }
        return send(nextBody)
    }

    /// A stream has to give bytes again that it gave before.
    private mutating func forgetGathered() {
        guard supply != .atHand else { return }
        available = 0
        isWhole = false
    }

    private var nextBody: Step {
        let rest = available - confirmed
        let length = min(rest, chunkLength)
        return .body(offset: confirmed, length: length, isLast: isWhole && length == rest)
    }

    /// The chunk size in units of the server, at least one.
    private var chunkLength: Int64 {
        let unit = session?.granularity ?? 1
        let (product, overflow) = max(chunkSize / unit, 1).multipliedReportingOverflow(by: unit)
        return overflow ? .max : product
    }

    // MARK: Failure of a step

    private mutating func refused(_ reply: StorageReply, _ now: Duration) -> [Action] {
        let failure = StorageFailure(reply, at: path, answers)
        switch answers.meaning(of: reply, at: step.isOfSession ? .session : .anywhere) {
        case .refreshed:
            guard renewals < mostRenewals else {
                return step == .metadata ? unreadable(failure) : [.fail(failure)]
            }
            renewals += 1
            refusal = failure
            return [.refreshToken(step)]
        case .retried:
            if step.isLastBody, reply.status >= 500 { mayBeStored = true }
            return retry(failure, now, retryAfter: reply.retryAfter)
        case .queried: return retry(failure, now, retryAfter: reply.retryAfter)
        case .sessionGone:
            guard mayBeStored else { return restart(failure) }
            // A second one of the same is not to be stored.
            loss = failure
            return [send(.metadata)]
        case .restarted: return [.fail(failure)]
        case .refused(let code):
            guard step == .metadata else { return [.fail(failure)] }
            if loss != nil || code == .unauthorized { return unreadable(failure) }
            return [.fail(failure)]
        }
    }

    /// The resource of the object cannot be had: whoever may write it need not be allowed to read it.
    private mutating func unreadable(_ failure: StorageFailure) -> [Action] {
        if let loss { return restart(loss) }
        let isForbidden = failure.code == .unauthorized || failure.code == .unauthenticated
        return isForbidden ? [.succeed(undescribed)] : [.fail(failure)]
    }

    /// The session is gone: a new one is begun, once.
    private mutating func restart(_ failure: StorageFailure) -> [Action] {
        loss = nil
        return startAnew() ?? [.fail(failure)]
    }

    /// Nil where that was done before, or the bytes cannot be had again.
    private mutating func startAnew() -> [Action]? {
        guard !hasRestarted, supply != .stream(isRepeatable: false) || best == 0 else { return nil }
        hasRestarted = true
        session = nil
        confirmed = 0
        forgetGathered()
        return [.progressed(0), send(.start)]
    }

    private func nothingKept(_ reply: StorageReply) -> StorageFailure {
        .init(invalid: reply, "the server took bytes and kept none of them", at: path)
    }

    private mutating func retry(
        _ failure: StorageFailure, _ now: Duration, lastByte: Duration? = nil,
        retryAfter: Duration? = nil, next: Step? = nil
    ) -> [Action] {
        isUnsure = false
        if let actions = retryInSession(failure, now) { return actions }
        let following: Step =
            switch step {
            case .start, .query, .metadata: next ?? step
            case .body: next ?? afterBreak.step(insteadOf: step)
            }
        switch budget.failed(at: now, lastByte: lastByte ?? now, retryAfter: retryAfter) {
        case .again(let wait): return [.wait(wait, following)]
        case .giveUp(let wait): return [.waitAndFail(wait, budget.exhausted(failure))]
        }
    }

    /// What follows where queries or chunks are not tried again as any request; nil: they are.
    private mutating func retryInSession(_ failure: StorageFailure, _ now: Duration) -> [Action]? {
        switch step {
        case .start, .metadata: return nil
        case .query: return repeatsQueries ? nil : [.fail(failure)]
        case .body(_, let length, _):
            guard let decision = chunkBudget?.failed(at: now, lastByte: now) else { return nil }
            let isRefusal = failure.status.map { answers.isRefusal($0) } ?? false
            guard case .again(let wait) = decision, isRefusal ? length > 0 : budget.hasTries else {
                return [.fail(failure)]
            }
            chunkWait = wait
            return [send(.query)]
        }
    }

    private mutating func send(_ step: Step, hasWaited: Bool = false) -> Action {
        if case .body = step, chunkWait > .zero, !hasWaited { return .wait(chunkWait, step) }
        self.step = step
        if case .body(let offset, let length, _) = step { sentEnd = max(sentEnd, offset + length) }
        return .send(step)
    }
}
