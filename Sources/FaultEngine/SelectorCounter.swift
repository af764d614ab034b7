import StorageModel

/// Counts the exchanges that fit a selector, separately for each of its scopes.
struct SelectorCounter {
    struct Match: Hashable {
        let key: CountingKey
        /// Among those that fit, from 1.
        let ordinal: Int
        /// Whether the ordinal is one of those asked for.
        let isMeant: Bool
    }

    let selector: ExchangeSelector
    private var counts: [CountingKey: Int] = [:]
    /// Exchanges with the operation, whatever the filters say.
    private(set) var ofOperation = 0
    /// Exchanges that fit.
    private(set) var fitting = 0
    /// Exchanges that fit and have the ordinal asked for.
    private(set) var meant = 0

    init(_ selector: ExchangeSelector) { self.selector = selector }

    /// The key is of a transfer or connection that is long over.
    mutating func forget(_ key: CountingKey) {
        // Of many selectors none fits ever; to look a key up costs as much as all else here.
        if !counts.isEmpty { counts[key] = nil }
    }

    /// True where the request's body decides.
    var needsBody: Bool { !selector.filters.json.isEmpty }

    /// Counts the exchange if it fits.
    ///
    /// - Parameters:
    ///   - body: the request's JSON body; nil while it is not read, or when it is none.
    ///   - happened: whether a trigger has happened when the head was read.
    mutating func count(
        _ facts: ExchangeFacts, body: JSONValue? = nil, happened: (Trigger) -> Bool
    ) -> Match? {
        guard isOfOperation(facts) else { return nil }
        ofOperation += 1
        guard holds(selector.filters, facts, body, happened) else { return nil }
        fitting += 1
        let key = CountingKey(selector.per, facts)
        let ordinal = counts[key, default: 0] + 1
        counts[key] = ordinal
        let isMeant = selector.ordinal.holds(ordinal, isLast: facts.isLast)
        if isMeant { meant += 1 }
        return Match(key: key, ordinal: ordinal, isMeant: isMeant)
    }

    private func isOfOperation(_ facts: ExchangeFacts) -> Bool {
        guard selector.operation.matches(facts.operation) else { return false }
        return selector.operation != .uploadBody || facts.carriesBytes
    }

    private func holds(
        _ filters: ExchangeFilters, _ facts: ExchangeFacts, _ body: JSONValue?,
        _ happened: (Trigger) -> Bool
    ) -> Bool {
        if let glob = filters.path, !(facts.path.map(glob.matches) ?? false) { return false }
        if let bucket = filters.bucket, bucket != facts.bucket { return false }
        if let method = filters.method, method != facts.method { return false }
        if let glob = filters.target, !glob.matches(facts.target) { return false }
        if let token = filters.token, token != facts.token { return false }
        if let session = filters.session, session != facts.session { return false }
        if let connection = filters.connection, connection != facts.connection { return false }
        if let isReused = filters.isReused, isReused != facts.isReused { return false }
        if let from = filters.from, facts.time < from { return false }
        if let until = filters.until, facts.time >= until { return false }
        return holdsTexts(filters, facts, body) && filters.since.map(happened) ?? true
    }

    private func holdsTexts(
        _ filters: ExchangeFilters, _ facts: ExchangeFacts, _ body: JSONValue?
    ) -> Bool {
        for (name, test) in filters.headers where !test.holds(facts.headers[name]) { return false }
        if !filters.query.isEmpty {
            let target = RequestTarget(facts.target)
            for (name, test) in filters.query where !test.holds(target.first(name)) { return false }
        }
        for (path, test) in filters.json where !test.holds(body?.text(at: path)) { return false }
        return true
    }
}

extension JSONValue {
    /// The value at a dotted path as a text; nil where there is none, or it is no scalar.
    fileprivate func text(at path: String) -> String? {
        var value = self
        for name in path.split(separator: ".") {
            guard case .object(let members) = value,
                let member = members.last(where: { $0.name == name })
            else { return nil }
            value = member.value
        }
        return value.scalarText
    }
}
