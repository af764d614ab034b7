package import FaultEngine

/// What the log of requests must be (expectation `requests`): every part must hold.
package struct RequestsExpectation: Hashable, Sendable {
    /// A look at the whole log, or at a part of it.
    package struct Part: Hashable, Sendable {
        /// The object whose requests are looked at; nil: all.
        package var path: String?
        /// Its bucket, where the file names one.
        package var bucket: String?
        package var after: Trigger?
        package var before: Trigger?
        /// The whole sequence, in the order in which the server read the heads.
        package var pattern: [RequestPattern]

        package init(
            path: String? = nil, bucket: String? = nil, after: Trigger? = nil,
            before: Trigger? = nil, pattern: [RequestPattern]
        ) {
            self.path = path
            self.bucket = bucket
            self.after = after
            self.before = before
            self.pattern = pattern
        }
    }

    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// The whole log and nothing else.
    package init(_ pattern: [RequestPattern]) { parts = [Part(pattern: pattern)] }
}

/// When a trigger happened, as a place in the server's log.
package struct ExchangeMoment: Hashable, Sendable {
    /// How many request heads the server had read by then.
    package var ordinal: Int
    package var time: Duration

    package init(ordinal: Int, time: Duration) {
        self.ordinal = ordinal
        self.time = time
    }
}

/// Tells when a trigger first happened; nil: it never did.
package struct MomentLookup {
    private let find: (Trigger) -> ExchangeMoment?

    package init(_ find: @escaping (Trigger) -> ExchangeMoment?) { self.find = find }

    package func callAsFunction(_ trigger: Trigger) -> ExchangeMoment? { find(trigger) }
}
