/// What becomes of a request that is no transfer: retried, repeated with a new token, or done.
struct OperationMachine: Sendable {
    enum Action: Equatable, Sendable {
        case send
        case refreshToken
        /// Wait, then send again.
        case wait(Duration)
        case waitAndFail(Duration, StorageFailure)
        case done(StorageReply)
        case fail(StorageFailure)
    }

    let path: StoragePath
    /// A deletion: when an earlier try may have been carried out, an object that is gone is a success.
    let isDeletion: Bool
    var answers = AnswerTable.documented
    var breaks = TransportTable.documented
    /// How often a refused token is renewed.
    var mostRenewals = 1
    /// False: a deletion that finds nothing has failed, whatever came before.
    var forgivesDeletes = true
    private(set) var budget: RetryBudget
    /// Renewals of the token since something succeeded.
    private var renewals = 0
    private var mayBeDone = false
    private var refusal: StorageFailure?

    init(path: StoragePath, isDeletion: Bool, budget: RetryBudget) {
        self.path = path
        self.isDeletion = isDeletion
        self.budget = budget
    }

    mutating func behave(_ retries: StorageBehaviour.Retries) {
        (answers, breaks) = (retries.answers, retries.breaks)
        mostRenewals = retries.renewals
        forgivesDeletes = retries.forgivesDeletes
    }

    /// A first request, or the next page.
    mutating func begin() -> Action {
        budget.succeeded()
        renewals = 0
        return .send
    }

    mutating func answered(_ reply: StorageReply, at now: Duration) -> Action {
        if reply.isSuccess { return .done(reply) }
        let failure = StorageFailure(reply, at: path, answers)
        switch answers.meaning(of: reply, at: .anywhere) {
        case .refreshed:
            guard renewals < mostRenewals else { return .fail(failure) }
            renewals += 1
            refusal = failure
            return .refreshToken
        case .retried:
            mayBeDone = mayBeDone || reply.status >= 500
            return retry(failure, now, lastByte: now, retryAfter: reply.retryAfter)
        case .refused(.objectNotFound) where isDeletion && mayBeDone && forgivesDeletes:
            return .done(reply)
        case .refused, .sessionGone, .queried, .restarted: return .fail(failure)
        }
    }

    mutating func broke(_ transport: TransportFailure, at now: Duration) -> Action {
        mayBeDone = mayBeDone || transport.wasSent
        let failure = StorageFailure(transport, at: path, breaks)
        guard breaks.row(transport.fault).isRetried else { return .fail(failure) }
        return retry(failure, now, lastByte: transport.lastByte, retryAfter: nil)
    }

    /// There is no newer token than the one that was refused.
    mutating func tokenRefused() -> Action {
        .fail(refusal ?? StorageFailure(.unauthenticated, "There is no token."))
    }

    private mutating func retry(
        _ failure: StorageFailure, _ now: Duration, lastByte: Duration, retryAfter: Duration?
    ) -> Action {
        switch budget.failed(at: now, lastByte: lastByte, retryAfter: retryAfter) {
        case .again(let wait): .wait(wait)
        case .giveUp(let wait): .waitAndFail(wait, budget.exhausted(failure))
        }
    }
}
