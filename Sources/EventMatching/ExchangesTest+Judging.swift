internal import FaultEngine
package import StorageModel

extension ExchangesTest {
    /// What does not hold, a sentence each; empty when all tests do.
    ///
    /// Tests on no exchange at all hold, except `count` and `any`.
    /// - Parameter exchanges: the whole journal, connections included.
    package func problems(
        in exchanges: [ExchangeRecord], scale: TimeScale = .exact, lookup: MomentLookup
    ) -> [String] {
        if let after, lookup(after) == nil {
            return ["the moment after which \(name) was looked at never came"]
        }
        let fitting = fitting(exchanges, lookup: lookup)
        return single(fitting) + sums(fitting) + times(fitting, scale) + meetings(fitting)
    }

    private var name: String {
        "\(selector.operation)\(selector.ordinal)"
            + (whereStatus.map { " with status \($0)" } ?? "")
    }

    // MARK: each exchange

    private func single(_ exchanges: [ExchangeRecord]) -> [String] {
        let bad = exchanges.map { ($0, problems(of: $0)) }.filter { !$0.1.isEmpty }
        switch quantifier {
        case .all:
            let shown = bad.prefix(3).map { exchange, problems in
                "\(exchange.operation.rawValue) (request \(exchange.ordinal)): "
                    + problems.joined(separator: ", ")
            }
            let rest = bad.count - shown.count
            return rest > 0 ? shown + ["and \(rest) more \(name) like these"] : shown
        case .any:
            guard bad.count == exchanges.count, testsSingle else { return [] }
            guard let (exchange, problems) = bad.first else { return ["no \(name) came at all"] }
            return [
                "none of \(exchanges.count) \(name) was right; of the first "
                    + "(request \(exchange.ordinal)) " + problems.joined(separator: ", ")
            ]
        }
    }

    private var testsSingle: Bool {
        !headers.isEmpty || !query.isEmpty || !json.isEmpty || status != nil || offset != nil
            || length != nil || declared != nil
    }

    private func problems(of exchange: ExchangeRecord) -> [String] {
        var problems = ExchangeFields(exchange).problems(headers, query, json)
        if let status, !status.holds(exchange.status) {
            let seen = exchange.status.map(String.init) ?? "none"
            problems.append("status was \(seen), not \(status)")
        }
        func check(_ what: String, _ test: NumberTest?, _ value: Int64?) {
            guard let test, !(value.map { test.holds($0) } ?? false) else { return }
            let seen = value.map(ReportText.size) ?? "absent"
            problems.append("\(what) was \(seen), not \(test)")
        }
        check("offset", offset, exchange.firstByte)
        check("length", length, exchange.bodyLength)
        check("announced size", declared, exchange.declaredSize)
        return problems
    }

    // MARK: all together

    private func sums(_ exchanges: [ExchangeRecord]) -> [String] {
        var problems: [String] = []
        if let count, !count.holds(Int64(exchanges.count)) {
            let came = exchanges.isEmpty ? "none" : "\(exchanges.count)"
            problems.append("\(came) of \(name) came, \(count) expected" + list(exchanges))
        }
        guard !exchanges.isEmpty else { return problems }
        func check(_ what: String, _ test: NumberTest?, _ value: Int64) {
            guard let test, !test.holds(value) else { return }
            problems.append("\(name) \(what) \(ReportText.size(value)), \(test) expected")
        }
        check("uploaded", uploaded, exchanges.reduce(0) { $0 + $1.received })
        check("downloaded", downloaded, exchanges.reduce(0) { $0 + $1.sent })
        let used = Set(exchanges.map(\.connection)).count
        if let connections, !connections.holds(Int64(used)) {
            problems.append("\(name) came on \(used) connections, \(connections) expected")
        }
        return problems
    }

    private func list(_ exchanges: [ExchangeRecord]) -> String {
        guard !exchanges.isEmpty, exchanges.count <= 12 else { return "" }
        let requests = exchanges.map { "\($0.ordinal)" }
        return " (request\(requests.count == 1 ? "" : "s") \(ReportText.list(requests)))"
    }

    private func times(_ exchanges: [ExchangeRecord], _ scale: TimeScale) -> [String] {
        let pairs = zip(exchanges, exchanges.dropFirst())
        let gaps = pairs.map { ($1, $1.start - ($0.end ?? $0.start)) }
        var problems: [String] = []
        if let gap {
            let test = scale.widened(gap)
            problems += gaps.filter { !test.holds($0.1) }.prefix(1).map { next, seen in
                "the gap before request \(next.ordinal) was \(ReportText.time(seen)), "
                    + "\(gap) expected"
            }
        }
        if let growth {
            problems += zip(gaps, gaps.dropFirst()).compactMap { last, next -> String? in
                let ratio = Self.ratio(next.1, last.1)
                guard !growth.holds(ratio) else { return nil }
                return "the gap before request \(next.0.ordinal) was \(ReportText.time(next.1)) "
                    + "after one of \(ReportText.time(last.1)): growth \(growth) expected"
            }.prefix(1)
        }
        return problems
    }

    /// How many times as long; nothing after nothing has not grown.
    private static func ratio(_ next: Duration, _ last: Duration) -> Double {
        if last <= .zero { return next <= .zero ? 1 : .infinity }
        return Double(next.nanoseconds) / Double(last.nanoseconds)
    }

    private func meetings(_ exchanges: [ExchangeRecord]) -> [String] {
        guard let overlap, !exchanges.isEmpty else { return [] }
        var running: ExchangeRecord?
        for exchange in exchanges.sorted(by: { ($0.start, $0.ordinal) < ($1.start, $1.ordinal) }) {
            if let running, exchange.start < running.end ?? .seconds(Int64.max / 2) {
                return overlap
                    ? []
                    : [
                        "\(exchange.operation.rawValue) (request \(exchange.ordinal)) began while "
                            + "\(running.operation.rawValue) (request \(running.ordinal)) was "
                            + "under way"
                    ]
            }
            if exchange.end ?? .seconds(Int64.max / 2) > running?.end ?? .zero {
                running = exchange
            }
        }
        return overlap ? ["no two of \(name) were under way at once"] : []
    }
}
