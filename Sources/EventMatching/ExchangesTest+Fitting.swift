internal import FaultEngine
package import StorageModel

extension ExchangesTest {
    /// The exchanges that `match`, `where`, `after` and `before` mean, by their ordinals.
    ///
    /// - Parameter exchanges: the whole journal; ordinals of the selector are counted over it.
    package func fitting(
        _ exchanges: [ExchangeRecord], lookup: MomentLookup
    ) -> [ExchangeRecord] {
        let candidates = exchanges.filter { fits($0, lookup) }.sorted { $0.ordinal < $1.ordinal }
        let groups = Dictionary(grouping: candidates) { scope(of: $0) }
        let first = after.map { lookup($0)?.ordinal ?? .max } ?? 0
        let last = before.flatMap { lookup($0) }?.ordinal ?? .max
        var fitting: [ExchangeRecord] = []
        for group in groups.values {
            for (position, exchange) in group.enumerated()
            where selector.ordinal.holds(position + 1, isLast: position == group.count - 1) {
                fitting.append(exchange)
            }
        }
        return fitting.filter { exchange in
            // A connection has no place among the heads: its ordinal is 0.
            guard exchange.operation != .connect else {
                let start = after.flatMap { lookup($0) }?.time ?? .zero
                let end = before.flatMap { lookup($0) }?.time ?? .seconds(Int64.max / 2)
                return exchange.start >= start && exchange.start <= end
            }
            return exchange.ordinal > first && exchange.ordinal <= last
        }
        .sorted { ($0.ordinal, $0.start) < ($1.ordinal, $1.start) }
    }

    /// What ordinals are counted for separately; operations without an object count per run.
    private func scope(of exchange: ExchangeRecord) -> String {
        switch selector.per {
        case .transfer: exchange.transfer.map(String.init) ?? ""
        case .object: exchange.path.map { "\(exchange.bucket ?? "")/\($0)" } ?? ""
        case .connection: String(exchange.connection)
        case .run: ""
        }
    }

    private func fits(_ exchange: ExchangeRecord, _ lookup: MomentLookup) -> Bool {
        guard selector.operation.matches(exchange.operation) else { return false }
        if let whereStatus, !whereStatus.holds(exchange.status) { return false }
        return selector.filters.hold(for: exchange, lookup)
    }
}

extension ExchangeFilters {
    fileprivate func hold(for exchange: ExchangeRecord, _ lookup: MomentLookup) -> Bool {
        func differs<Value: Equatable>(_ wanted: Value?, _ seen: Value?) -> Bool {
            wanted != nil && wanted != seen
        }
        if let path, !(exchange.path.map(path.matches) ?? false) { return false }
        if let target, !target.matches(exchange.target) { return false }
        if differs(bucket, exchange.bucket) || differs(method, exchange.method) { return false }
        if differs(token, exchange.token) || differs(session, exchange.session) { return false }
        if differs(connection, exchange.connection) { return false }
        if differs(isReused, exchange.isReused) { return false }
        guard ExchangeFields(exchange).problems(headers, query, json).isEmpty else { return false }
        if let from, exchange.start < from { return false }
        if let until, exchange.start >= until { return false }
        guard let since else { return true }
        guard let moment = lookup(since) else { return false }
        // A connection has no place among the heads.
        return exchange.operation == .connect
            ? exchange.start >= moment.time : exchange.ordinal > moment.ordinal
    }
}

/// The named fields of a request.
struct ExchangeFields {
    private let exchange: ExchangeRecord

    init(_ exchange: ExchangeRecord) { self.exchange = exchange }

    /// What does not hold, in the order of the names: `header Authorization was absent, not present`.
    func problems(
        _ headers: [String: TextTest], _ query: [String: TextTest], _ json: [String: TextTest]
    ) -> [String] {
        let target = query.isEmpty ? nil : RequestTarget(exchange.target)
        return Self.problems("header", headers) { exchange.requestHeaders[$0] }
            + Self.problems("query", query) { target?.first($0) }
            + Self.problems("json", json) { exchange.json[$0] }
    }

    private static func problems(
        _ kind: String, _ tests: [String: TextTest], _ value: (String) -> String?
    ) -> [String] {
        tests.sorted { $0.key < $1.key }.compactMap { name, test in
            let seen = value(name)
            guard !test.holds(seen) else { return nil }
            let shown = seen.map { "'\(Shortened.text($0))'" } ?? "absent"
            return "\(kind) \(name) was \(shown), not \(test.text)"
        }
    }
}
