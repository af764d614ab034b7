import StorageModel

// Counts are kept for each transfer and connection. Those that are long over are forgotten, so that a
// server that runs for days does not grow.
extension FaultInjector {
    /// Connections of which counts are kept at least.
    private static let connectionLimit = 10_000

    /// Forgets what counts transfers and connections that are long over.
    mutating func forgetPast(_ facts: ExchangeFacts) {
        for id in transfers.takeForgotten() { forget(.transfer(id)) }
        guard facts.operation == .connect, facts.connection > Self.connectionLimit else { return }
        forget(.connection(facts.connection - Self.connectionLimit))
    }

    private mutating func forget(_ key: CountingKey) {
        for index in states.indices { states[index].forget(key) }
        for index in holds.indices { holds[index].counter.forget(key) }
        triggers.forget(key)
    }
}

extension FaultInjector.RuleState {
    fileprivate mutating func forget(_ key: CountingKey) {
        counter.forget(key)
        if !spent.isEmpty { spent[key] = nil }
        if !chosen.isEmpty { chosen[key] = nil }
    }
}
