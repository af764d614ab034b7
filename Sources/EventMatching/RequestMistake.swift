internal import StorageModel

/// Names the mistake in a log of requests, from where it parts from the pattern.
struct RequestMistake {
    private let log: [ExchangeRecord]
    private let mismatch: SequenceMatch<RequestCondition>.Mismatch

    init(log: [ExchangeRecord], mismatch: SequenceMatch<RequestCondition>.Mismatch) {
        self.log = log
        self.mismatch = mismatch
    }

    var sentence: String {
        guard let parting = mismatch.parting else { return "the requests are not as expected" }
        switch mismatch.moves[parting] {
        case .unexpected(let index):
            return "\(named(index)) came where \(expected) was expected"
        case .differs(let part, let index): return differs(part.atom, index)
        case .missing(let part): return missing(part.atom, parting)
        case .same, .silent, .notSilent: return "the requests are not as expected"
        }
    }

    private var expected: String {
        mismatch.expected == ["the end"]
            ? "nothing more" : ReportText.list(mismatch.expected, joiner: "or")
    }

    private func named(_ index: Int) -> String {
        "\(log[index].operation.rawValue) (request \(log[index].ordinal))"
    }

    private func missing(_ condition: RequestCondition, _ parting: Int) -> String {
        for move in mismatch.moves[parting...] {
            switch move {
            case .same(_, let index), .differs(_, let index), .unexpected(let index):
                return
                    "\(condition) never came: \(named(index)) came where \(expected) was expected"
            case .missing, .silent, .notSilent: continue
            }
        }
        guard let last = log.indices.last else {
            return "no request came at all: \(expected) was expected"
        }
        return "\(expected) was expected after \(named(last)), and nothing more came"
    }

    private func differs(_ condition: RequestCondition, _ index: Int) -> String {
        let exchange = log[index]
        var wrong: [String] = []
        if let offset = condition.offset, !(exchange.firstByte.map { offset.holds($0) } ?? false) {
            let seen = exchange.firstByte.map(\.sizeText) ?? "none"
            wrong.append("offset \(seen) instead of \(offset)")
        }
        if let length = condition.length, !length.holds(exchange.bodyLength) {
            wrong.append(
                "length \(exchange.bodyLength.sizeText) instead of \(length)")
        }
        if let status = condition.status, !status.holds(exchange.status) {
            let seen = exchange.status.map(String.init) ?? "none"
            wrong.append("status \(seen) instead of \(status)")
        }
        if let path = condition.path, !(exchange.path.map(path.matches) ?? false) {
            wrong.append("path '\(Shortened.text(exchange.path ?? ""))' instead of \(path)")
        }
        return "\(named(index)) had \(ReportText.list(wrong))"
    }
}
