package import FaultEngine
package import StorageModel

/// Tests on all exchanges that fit (expectation `exchanges`).
package struct ExchangesTest: Hashable, Sendable {
    /// For which of the exchanges the tests on single exchanges must hold.
    package enum Quantifier: Hashable, Sendable {
        case all
        /// At least one; none at all is not enough.
        case any
    }

    /// `match` and `where`.
    package var selector: ExchangeSelector
    /// `where: {status: ...}`: which exchanges are meant.
    package var whereStatus: StatusTest?
    /// Whose heads were read after this.
    package var after: Trigger?
    /// Whose heads were read before this.
    package var before: Trigger?
    package var quantifier = Quantifier.all

    // Tests on each exchange

    package var headers: [String: TextTest] = [:]
    package var query: [String: TextTest] = [:]
    package var json: [String: TextTest] = [:]
    package var status: StatusTest?
    package var offset: NumberTest?
    /// On the length of the request's body.
    package var length: NumberTest?
    /// On the size that the request announces for the whole object.
    package var declared: NumberTest?

    // Tests on all of them together

    /// On the sum of request body bytes read.
    package var uploaded: NumberTest?
    /// On the sum of response body bytes sent.
    package var downloaded: NumberTest?
    package var count: NumberTest?
    /// On the time from the end of each exchange to the beginning of the next.
    package var gap: NumberTest?
    /// On each gap divided by the gap before.
    package var growth: NumberTest?
    /// Whether two of them were ever under way at once.
    package var overlap: Bool?
    /// On the number of connections that they came on.
    package var connections: NumberTest?

    package init(_ selector: ExchangeSelector) { self.selector = selector }
}
