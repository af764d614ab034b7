internal import StorageModel

/// How long and how often something that fails is tried again. Pure: times come in.
///
/// The limit is on an outage: the time since bytes last moved, or since the first attempt that failed,
/// until something succeeds. Waits double from one second up to a minute, each with up to a quarter of
/// jitter. A `Retry-After` of the server is obeyed instead. When the next wait would end behind the limit,
/// the limit is waited for and nothing is tried again.
struct RetryBudget: Sendable {
    enum Decision: Equatable, Sendable {
        case again(after: Duration)
        case giveUp(after: Duration)
    }

    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)

    /// Zero: nothing is tried again.
    let limit: Duration
    /// Factor on every wait; the limit is not touched.
    let waitScale: Double
    private var random: SplitMix64
    private var outageStart: Duration?
    private var failures = 0

    init(limit: Duration, random: SplitMix64, waitScale: Double = 1) {
        self.limit = limit
        self.waitScale = waitScale
        self.random = random
    }

    /// - Parameters:
    ///   - lastByte: when the failed attempt last moved a byte, or began.
    ///   - retryAfter: what the server asked for; nil or zero: nothing.
    mutating func failed(
        at now: Duration, lastByte: Duration, retryAfter: Duration? = nil
    ) -> Decision {
        guard limit > .zero else { return .giveUp(after: .zero) }
        let start = outageStart ?? min(lastByte, now)
        outageStart = start
        let end = start + limit
        let own = nextWait()
        let whole = retryAfter.flatMap { $0 > .zero ? $0 : nil } ?? own
        let wait = waitScale == 1 ? whole : whole * waitScale
        guard now < end else { return .giveUp(after: .zero) }
        return now + wait < end ? .again(after: wait) : .giveUp(after: end - now)
    }

    /// The outage is over.
    mutating func succeeded() {
        outageStart = nil
        failures = 0
    }

    /// How long an exchange may be silent, as far as this limit is concerned; nil: no matter.
    func silenceLimit(at now: Duration) -> Duration? {
        outageStart.map { max(.zero, $0 + limit - now) }
    }

    /// How long connecting may take, as far as this limit is concerned; nil: no matter.
    func connectLimit(at now: Duration) -> Duration? {
        guard limit > .zero else { return nil }
        return silenceLimit(at: now) ?? limit
    }

    private mutating func nextWait() -> Duration {
        let doublings = min(failures, 6)
        failures += 1
        let plain = min(Self.firstWait * (1 << doublings), Self.longestWait)
        // Whole milliseconds, so that times in reports stay readable.
        let jitter = Int64.random(in: 0...(plain.milliseconds / 4), using: &random)
        return plain + .milliseconds(jitter)
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
