internal import StorageModel

/// What a download does next, decided from heads, counts and failures alone.
///
/// It goes on by Range where the content can be told to be the same, and begins again where it cannot;
/// bytes of two contents are never mixed.
struct DownloadMachine: Sendable {
    enum Action: Equatable, Sendable {
        /// Ask for everything from this byte on.
        case send(from: Int64)
        case refreshToken(from: Int64)
        /// Wait, then call `waited`.
        case wait(Duration)
        case waitAndFail(Duration, StorageFailure)
        /// Everything has arrived; the checksum is still to be compared.
        case complete
        /// The content at hand is the stored one.
        case unchanged
        case fail(StorageFailure)
    }

    /// What is to be done with the body behind a head.
    enum Verdict: Equatable, Sendable {
        case append
        /// Throw away what was kept, then append.
        case restart
        /// Not the content: gather it for the error.
        case gather
        /// Take none of it.
        case refuse
    }

    /// Progress is told at multiples of this, so that it does not depend on how bytes arrive.
    static let progressUnit: Int64 = 65_536

    let path: StoragePath
    /// Bytes that may be held; nil: no limit.
    let limit: Int64?
    /// The content is wanted only where it is another than the one at hand.
    let isConditional: Bool
    var answers = AnswerTable.documented
    var breaks = TransportTable.documented
    /// How often a refused token is renewed.
    var mostRenewals = 1
    /// False: after a break the content is asked for from its beginning.
    var resumesAfterBreak = true
    private(set) var budget: RetryBudget
    private(set) var received: Int64 = 0
    private(set) var total: Int64?
    private(set) var identity: ObjectIdentity?
    private var askedFrom: Int64 = 0
    private var beginsAnew = false
    private var best: Int64 = 0
    /// Renewals of the token since something succeeded.
    private var renewals = 0
    private var refusal: Refusal?
    private var unauthenticated: StorageFailure?

    /// Why a body was not taken.
    private enum Refusal: Sendable {
        /// Another try, from the beginning, may bring something that fits.
        case unfit(StorageFailure)
        case tooLarge
    }

    init(
        path: StoragePath, limit: Int64?, isConditional: Bool = false, budget: RetryBudget
    ) {
        self.path = path
        self.limit = limit
        self.isConditional = isConditional
        self.budget = budget
    }

    mutating func behave(_ retries: StorageBehaviour.Retries) {
        (answers, breaks) = (retries.answers, retries.breaks)
        mostRenewals = retries.renewals
        resumesAfterBreak = retries.downloads == .byRange
    }

    // MARK: Events

    /// - Parameter isKept: false when what had arrived is not there any more.
    mutating func begin(isKept: Bool) -> [Action] {
        budget.succeeded()
        renewals = 0
        if !isKept { forget() }
        if let total, received == total, identity != nil { return [.complete] }
        return [send()]
    }

    mutating func waited() -> Action { send() }

    mutating func head(_ head: ResponseHead) -> Verdict {
        refusal = nil
        if (200..<300).contains(head.status) { renewals = 0 }
        switch head.status {
        case 200: return whole(head)
        case 206: return part(head)
        default: return .gather
        }
    }

    /// What is to be done with bytes that arrived.
    struct Intake: Equatable, Sendable {
        /// Offsets at which progress is to be told.
        var marks: [Int64] = []
        /// False: keep nothing of them and end the exchange.
        var isWanted = true
    }

    mutating func received(_ count: Int) -> Intake {
        guard refusal == nil else { return Intake(isWanted: false) }
        let end = received + Int64(count)
        if let limit, end > limit {
            // As if the bytes up to the limit had come alone: how they arrive must not be seen.
            refusal = .tooLarge
            defer { received = limit }
            return Intake(marks: marks(upTo: limit), isWanted: false)
        }
        if let total, end > total {
            refuse("there are more bytes than the \(total) that were announced")
            return Intake(isWanted: false)
        }
        let marks = marks(upTo: end)
        received = end
        if received > best {
            best = received
            budget.succeeded()
        }
        return Intake(marks: marks)
    }

    private func marks(upTo end: Int64) -> [Int64] {
        let unit = Self.progressUnit
        return Array(stride(from: (received / unit + 1) * unit, through: end, by: Int(unit)))
    }

    /// The exchange is over after a body that was to be appended, or was refused.
    mutating func ended(_ failure: TransportFailure?, at now: Duration) -> [Action] {
        switch refusal {
        case .tooLarge: return [.fail(tooLarge)]
        case .unfit(let failure):
            forget()
            return retry(failure, now)
        case nil: break
        }
        if let transport = failure {
            let failure = StorageFailure(transport, at: path, breaks)
            guard breaks.row(transport.fault).isRetried else { return [.fail(failure)] }
            return retry(failure, now, lastByte: transport.lastByte)
        }
        guard let total, received < total else { return [.complete] }
        let cut = StorageFailure(.unknown, "\(received) of \(total) bytes arrived.")
        return retry(cut, now)
    }

    /// A whole answer that is not the content.
    mutating func answered(_ reply: StorageReply, at now: Duration) -> [Action] {
        if reply.status == 304, isConditional, askedFrom == 0 { return [.unchanged] }
        let failure = StorageFailure(reply, at: path, answers)
        switch answers.meaning(of: reply, at: askedFrom > 0 ? .range : .anywhere) {
        case .refreshed:
            guard renewals < mostRenewals else { return [.fail(failure)] }
            renewals += 1
            unauthenticated = failure
            return [.refreshToken(from: askedFrom)]
        case .retried: return retry(failure, now, retryAfter: reply.retryAfter)
        case .restarted:
            forget()
            return retry(failure, now)
        case .refused, .sessionGone, .queried: return [.fail(failure)]
        }
    }

    /// There is no newer token than the one that was refused.
    mutating func tokenRefused() -> [Action] {
        [.fail(unauthenticated ?? StorageFailure(.unauthenticated, "There is no token."))]
    }

    // MARK: Heads

    private mutating func whole(_ head: ResponseHead) -> Verdict {
        let found = ObjectIdentity(head.headers)
        let length = head.headers["Content-Length"].flatMap { Int64($0) }
        let isKnown = identity.map { found.mayBe($0) } ?? false
        if isKnown, let total, let length, length != total {
            return refuse("it brings \(length) bytes instead of \(total)")
        }
        received = 0
        identity = found
        total = length
        if let limit, let length, length > limit {
            refusal = .tooLarge
            return .refuse
        }
        return .restart
    }

    private mutating func part(_ head: ResponseHead) -> Verdict {
        guard askedFrom > 0, let identity else { return refuse("it is a part, unasked") }
        guard ObjectIdentity(head.headers).mayBe(identity) else {
            return refuse("it is another content than before")
        }
        guard let range = head.headers["Content-Range"].flatMap(ContentRange.init),
            range.first == askedFrom, range.first == received
        else { return refuse("it is not the part that was asked for") }
        let size = total ?? range.total
        guard range.total == nil || range.total == size, size == nil || range.last + 1 == size
        else { return refuse("it is a part of another whole than before") }
        let length = head.headers["Content-Length"].flatMap { Int64($0) }
        guard length == nil || length == range.last - range.first + 1 else {
            return refuse("its length and its range differ")
        }
        return .append
    }

    @discardableResult
    private mutating func refuse(_ reason: String) -> Verdict {
        refusal = .unfit(
            StorageFailure(.unknown, "The server's answer does not fit the download: \(reason)."))
        return .refuse
    }

    // MARK: What comes next

    private var tooLarge: StorageFailure {
        let size = total ?? received + 1
        let limit = limit ?? 0
        var failure = StorageFailure(
            .downloadSizeExceeded,
            "The object \(path.text) has \(size) bytes or more, and only \(limit) are allowed: "
                + "raise maxSize, or write to a file.")
        failure.totalSize = size
        failure.maxAllowedSize = limit
        failure.bucket = path.bucket
        failure.object = path.object
        return failure
    }

    private mutating func forget() {
        received = 0
        identity = nil
        total = nil
    }

    private mutating func send() -> Action {
        refusal = nil
        askedFrom = identity?.canBeResumed == true && !beginsAnew ? received : 0
        beginsAnew = false
        return .send(from: askedFrom)
    }

    private mutating func retry(
        _ failure: StorageFailure, _ now: Duration, lastByte: Duration? = nil,
        retryAfter: Duration? = nil
    ) -> [Action] {
        beginsAnew = !resumesAfterBreak
        switch budget.failed(at: now, lastByte: lastByte ?? now, retryAfter: retryAfter) {
        case .again(let wait): return [.wait(wait)]
        case .giveUp(let wait): return [.waitAndFail(wait, budget.exhausted(failure))]
        }
    }
}
