package import StorageModel

extension RequestsExpectation {
    /// The requests that patterns are about, in the order in which the server read the heads.
    ///
    /// - Parameter countsResends: false leaves out what a transport sent again by itself.
    package static func log(
        of exchanges: [ExchangeRecord], countsResends: Bool = true
    ) -> [ExchangeRecord] {
        exchanges.filter {
            $0.operation != .preflight && $0.operation != .connect
                && (countsResends || $0.resendOf == nil)
        }.sorted { $0.ordinal < $1.ordinal }
    }

    /// The parts that do not hold, each with its difference; empty when all do.
    package func differences(
        from log: [ExchangeRecord], lookup: MomentLookup
    ) -> [Difference] {
        parts.compactMap { part in
            if let after = part.after, lookup(after) == nil {
                return Difference(
                    sentence: "the moment after which requests were expected never came", rows: [])
            }
            let first = part.after.flatMap { lookup($0) }?.ordinal ?? 0
            let last = part.before.flatMap { lookup($0) }?.ordinal ?? .max
            let seen = log.filter { exchange in
                exchange.ordinal > first && exchange.ordinal <= last
                    && (part.path == nil || exchange.path == part.path)
                    && (part.bucket == nil || exchange.bucket == part.bucket)
            }
            return RequestMatcher(part.pattern).difference(from: seen)
        }
    }
}
