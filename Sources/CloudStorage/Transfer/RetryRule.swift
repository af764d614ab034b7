/// How something that fails is tried again: how long is waited, and what ends the tries.
package struct RetryRule: Hashable, Sendable {
    /// What the limit that the user sets is a limit of.
    package enum Limit: Hashable, Sendable {
        /// The time since bytes last moved, or since the first attempt that failed, until something
        /// succeeds. Of zero: nothing is tried again.
        case outage
        /// The waits: one second, doubled until the sum of all reaches the limit, is the wait that is
        /// too long already. Nothing is tried again either once three times that wait has passed.
        case waits
        /// Nothing: the longest wait alone ends the tries.
        case nothing
    }

    /// What is added to a wait by chance.
    package enum Jitter: Hashable, Sendable {
        /// Up to a quarter, drawn for each.
        case quarter
        /// A factor between one and two, drawn once for all waits of an outage.
        case factor
        case none
    }

    package var firstWait = Duration.seconds(1)
    package var longestWait = Duration.seconds(60)
    /// False: a wait that would be the longest ends the tries.
    package var repeatsLongestWait = true
    package var jitter = Jitter.quarter
    package var limit = Limit.outage
    /// False: a failure is remembered for as long as the transfer lives.
    package var forgetsOnSuccess = true
    /// How the end of all tries is told: as what the last one failed with.
    package var tellsLastError = false

    package static let documented = RetryRule()

    /// Of a request by itself.
    ///
    /// Source: gtm-session-fetcher, `Sources/Core/GTMSessionFetcher.m`; firebase-ios-sdk,
    /// `FirebaseStorage/Sources/Storage.swift` (the limit).
    static let appleRequest = RetryRule(
        longestWait: .seconds(1 << 40), repeatsLongestWait: false, jitter: .factor, limit: .waits,
        tellsLastError: true)

    /// Before the next chunk of an upload, after one that failed; the limit counts for nothing there.
    ///
    /// Source: gtm-session-fetcher, `Sources/Core/GTMSessionUploadFetcher.m`.
    static let appleChunk = RetryRule(
        longestWait: .seconds(600), repeatsLongestWait: false, jitter: .none, limit: .nothing,
        forgetsOnSuccess: false, tellsLastError: true)

    /// The wait that is too long, where a limit is one of waits.
    static func tooLongWait(for limit: Duration) -> Duration {
        var wait = Duration.seconds(1)
        var sum = wait
        while sum < limit {
            wait *= 2
            sum += wait
        }
        return wait
    }
}
