internal import StorageModel

/// How long and how often something that fails is tried again. Pure: times come in.
///
/// As documented, the limit is on an outage: the time since bytes last moved, or since the first attempt
/// that failed, until something succeeds. Waits double from one second up to a minute, each with up to
/// a quarter of jitter. A `Retry-After` of the server is obeyed instead. When the next wait would end
/// behind the limit, the limit is waited for and nothing is tried again.
struct RetryBudget: Sendable {
    enum Decision: Equatable, Sendable {
        case again(after: Duration)
        case giveUp(after: Duration)
    }

    /// Zero: nothing is tried again.
    let limit: Duration
    /// Factor on every wait; the limit is not touched.
    let waitScale: Double
    let rule: RetryRule
    private var random: SplitMix64
    private var outageStart: Duration?
    private var failures = 0
    /// Thousandths by which the waits of this outage are longer.
    private var factor: Int64?

    init(
        limit: Duration, random: SplitMix64, waitScale: Double = 1,
        rule: RetryRule = .documented
    ) {
        self.limit = limit
        self.waitScale = waitScale
        self.rule = rule
        self.random = random
    }

    /// - Parameters:
    ///   - lastByte: when the failed attempt last moved a byte, or began.
    ///   - retryAfter: what the server asked for; nil or zero: nothing.
    mutating func failed(
        at now: Duration, lastByte: Duration, retryAfter: Duration? = nil
    ) -> Decision {
        let start = outageStart ?? min(lastByte, now)
        switch rule.limit {
        case .outage: return failedInOutage(since: start, now, retryAfter)
        case .waits:
            outageStart = start
            let tooLong = RetryRule.tooLongWait(for: limit / waitScale)
            // Who is asked to come again does, however often.
            if let retryAfter { return .again(after: scaled(retryAfter)) }
            let wait = nextWait()
            guard wait < tooLong, now - start <= scaled(tooLong * 3) else {
                return .giveUp(after: .zero)
            }
            return .again(after: scaled(wait))
        case .nothing:
            let wait = nextWait()
            return wait < rule.longestWait ? .again(after: scaled(wait)) : .giveUp(after: .zero)
        }
    }

    private mutating func failedInOutage(
        since start: Duration, _ now: Duration, _ retryAfter: Duration?
    ) -> Decision {
        guard limit > .zero else { return .giveUp(after: .zero) }
        outageStart = start
        let end = start + limit
        let own = nextWait()
        let wait = scaled(retryAfter.flatMap { $0 > .zero ? $0 : nil } ?? own)
        guard now < end else { return .giveUp(after: .zero) }
        return now + wait < end ? .again(after: wait) : .giveUp(after: end - now)
    }

    /// The outage is over.
    mutating func succeeded() {
        guard rule.forgetsOnSuccess else { return }
        outageStart = nil
        failures = 0
        factor = nil
    }

    /// False: a failure is the end, whatever the server asks for.
    var hasTries: Bool {
        switch rule.limit {
        case .outage: limit > .zero
        case .waits: RetryRule.tooLongWait(for: limit / waitScale) > rule.firstWait
        case .nothing: true
        }
    }

    /// How the end of all tries is told.
    func exhausted(_ failure: StorageFailure) -> StorageFailure {
        rule.tellsLastError ? failure : failure.asRetryLimit
    }

    /// How long an exchange may be silent, as far as this limit is concerned; nil: no matter.
    func silenceLimit(at now: Duration) -> Duration? {
        switch rule.limit {
        case .outage: outageStart.map { max(.zero, $0 + limit - now) }
        case .waits, .nothing: limit > .zero ? limit : nil
        }
    }

    /// How long connecting may take, as far as this limit is concerned; nil: no matter.
    func connectLimit(at now: Duration) -> Duration? {
        guard limit > .zero else { return nil }
        return silenceLimit(at: now) ?? limit
    }

    private mutating func nextWait() -> Duration {
        let doublings = min(failures, 40)
        failures += 1
        let plain = min(rule.firstWait * (1 << doublings), rule.longestWait)
        // Whole milliseconds, so that times in reports stay readable.
        switch rule.jitter {
        case .quarter:
            return plain
                + .milliseconds(Int64.random(in: 0...(plain.milliseconds / 4), using: &random))
        case .factor:
            let more = factor ?? Int64.random(in: 0..<1000, using: &random)
            factor = more
            return plain + plain * Int(more) / 1000
        case .none: return plain
        }
    }

    private func scaled(_ wait: Duration) -> Duration { waitScale == 1 ? wait : wait * waitScale }
}

extension Duration {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
