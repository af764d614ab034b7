package import StorageModel

/// What a client tries again, and how long it waits between tries (trait `retries`).
package struct RetryHabit: Hashable, Sendable {
    /// Statuses that are tried again: one, or a hundred of them.
    package enum Statuses: Hashable, Sendable {
        case one(Int)
        /// `5xx`: the first digit.
        case hundred(Int)

        package func contains(_ status: Int) -> Bool {
            switch self {
            case .one(let wanted): status == wanted
            case .hundred(let digit): status / 100 == digit
            }
        }

        package var text: String {
            switch self {
            case .one(let status): "\(status)"
            case .hundred(let digit): "\(digit)xx"
            }
        }
    }

    /// The waits between tries: each is at most `factor` times the one before.
    package struct Waits: Hashable, Sendable {
        /// The most that is waited before the second try.
        package var first = Duration.milliseconds(1250)
        package var factor = 2.0
        /// The most that is waited before any try.
        package var longest = Duration.seconds(75)
        /// How often the limit that is set fits into the time until a client gives up, at most.
        package var overrun = 1.0

        package init() {}

        /// The most that is waited for so many further tries.
        package func total(tries: Int) -> Duration {
            var wait = first
            var sum = Duration.zero
            for _ in 0..<max(0, tries) {
                sum += min(wait, longest)
                wait = min(wait * factor, longest)
            }
            return sum
        }

        /// The most tries that fit into a time, the first one too.
        package func tries(within time: Duration) -> Int {
            var count = 1
            while count < 1000, total(tries: count) <= time { count += 1 }
            return count
        }
    }

    package var statuses: [Statuses] = [.one(408), .one(423), .one(429), .hundred(5)]
    package var transport: [TransportFault] = [
        .refused, .reset, .closed, .cut, .timedOut, .offline,
    ]
    package var waits = Waits()

    package init() {}

    package func retries(_ status: Int) -> Bool { statuses.contains { $0.contains(status) } }

    package func retries(_ fault: TransportFault) -> Bool { transport.contains(fault) }
}
