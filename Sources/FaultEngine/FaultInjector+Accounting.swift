import StorageModel

/// A fault that never fired, and why, as far as it can be seen.
package struct UnfiredFault: Hashable, Sendable {
    package let rule: FaultRule
    /// One or two sentences: what did not come, the nearest that did, a suggestion.
    package let message: String
}

extension FaultInjector {
    /// Those that were not removed, in file order.
    package var rules: [FaultRule] { active.map { states[$0].rule } }

    /// How often each rule of `rules` fired.
    package var firedCounts: [Int] { active.map { states[$0].fired } }

    /// The rules that never fired, in file order; those that may miss, too.
    package var unfired: [UnfiredFault] {
        active.map { states[$0] }.filter { $0.fired == 0 }
            .map { UnfiredFault(rule: $0.rule, message: reason(for: $0)) }
    }

    /// The exchange is over: remembers what its body had where a fault waited for a place in it.
    package mutating func finish(_ plan: FaultPlan, received: Int64, sent: Int64) {
        for entry in plan.entries where !entry.isSpent {
            guard case .rule(let index) = entry.purpose else { continue }
            if entry.isReserved { states[index].spent[entry.key, default: 1] -= 1 }
            switch entry.phase {
            case .requestBody: states[index].lastBody = received
            case .responseBody: states[index].lastBody = sent
            case .connect, .requestHead, .beforeCommit, .afterCommit, .responseHead, .responseEnd,
                .idle, .elapsed, .unread:
                break
            }
        }
    }

    func reason(for state: RuleState) -> String {
        let selector = state.rule.selector
        let title = "`\(selector.operation)\(selector.ordinal)`"
        if state.drawnAgainst > 0 {
            return "\(title) came \(Self.times(state.drawnAgainst)), and chance decided against "
                + "the fault each time."
        }
        if state.counter.meant > 0 {
            guard let body = state.lastBody else {
                return "\(title) came, but never got to \(state.rule.phase.name)."
            }
            return "\(title) came, but never got to \(state.rule.phase.name): its body ended at "
                + "\(body.sizeText)."
        }
        if state.counter.fitting > 0 {
            return "\(title) never came: \(nearest(to: selector))" + suggestion(for: state)
        }
        if state.counter.ofOperation > 0 {
            return "`\(selector.operation)` came \(Self.times(state.counter.ofOperation)), but "
                + "never with all that `where` asks for\(pathsSeen(selector))."
        }
        return "\(title) never came: \(nearest(to: selector))" + suggestion(for: state)
    }

    private func pathsSeen(_ selector: ExchangeSelector) -> String {
        guard let glob = selector.filters.path, !history.paths.isEmpty else { return "" }
        let seen = history.paths.prefix(3).joined(separator: ", ")
        return ": path=\(glob) fits none of \(seen)"
    }

    /// What came instead: of the transfer that came nearest.
    private func nearest(to selector: ExchangeSelector) -> String {
        guard history.total > 0 else { return "no request came at all." }
        let key = history.keys.max { one, other in
            nearness(of: one, to: selector) < nearness(of: other, to: selector)
        }
        guard let key, let entries = history.ofTransfer[key], !entries.isEmpty else {
            return "no request came at all."
        }
        let subject =
            switch key {
            case .transfer(let id) where id.direction == .upload: "this upload"
            case .transfer(let id) where id.direction == .download: "this download"
            case .transfer, .run, .connection, .object: "the run"
            }
        return "\(subject) had \(ExchangeHistory.text(of: entries))."
    }

    private func nearness(of key: CountingKey, to selector: ExchangeSelector) -> Int {
        let entries = history.ofTransfer[key] ?? []
        let same = entries.filter { selector.operation.matches($0.operation) }.count
        let related = entries.filter { Self.isRelated($0.operation, selector.operation) }.count
        return same * 1000 + related
    }

    private static func isRelated(_ operation: Operation, _ pattern: OperationPattern) -> Bool {
        switch pattern {
        case .one(let wanted):
            operation.isUpload && wanted.isUpload || operation.isDownload && wanted.isDownload
        case .uploadBody: operation.isUpload
        case .prefix(let prefix): operation.rawValue.hasPrefix(prefix)
        case .everything: true
        }
    }

    private func suggestion(for state: RuleState) -> String {
        let selector = state.rule.selector
        let bodies = history.counts.filter { $0.key.carriesObjectBytes }.values.reduce(0, +)
        switch selector.operation {
        case .one(.uploadChunk), .one(.uploadFinalize), .one(.uploadMultipart), .one(.uploadMedia):
            guard bodies > 0 else { return "" }
            var ordinal = selector.ordinal
            if case .exactly(let number) = ordinal { ordinal = .exactly(min(number, bodies)) }
            return " Did you mean `upload.body\(ordinal)`?"
        case .one(.download) where history.counts[.downloadByURL] != nil:
            return " Did you mean `download.by-url\(selector.ordinal)`?"
        case .one(.downloadByURL) where history.counts[.download] != nil:
            return " Did you mean `download\(selector.ordinal)`?"
        case .one, .uploadBody, .prefix, .everything:
            guard case .exactly(let number) = selector.ordinal, state.counter.fitting > 0,
                number > 1
            else { return "" }
            let last = min(number - 1, state.counter.fitting)
            return " Did you mean `\(selector.operation)#\(last)`?"
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

extension ByteOffset {
    /// As the language writes it.
    package var text: String {
        switch self {
        case .bytes(let bytes): bytes.sizeText
        case .percent(let percent): percent.percentText
        case .beforeEnd(0): "end"
        case .beforeEnd(let bytes): "end-\(bytes.sizeText)"
        case .object(let bytes): "object \(bytes.sizeText)"
        }
    }
}

extension FaultPhase {
    /// As the language writes it.
    package var name: String {
        switch self {
        case .connect: "connect"
        case .requestHead: "request-head"
        case .requestBody(let offset): "request-body \(offset.text)"
        case .beforeCommit: "before-commit"
        case .afterCommit: "after-commit"
        case .responseHead: "response-head"
        case .responseBody(let offset): "response-body \(offset.text)"
        case .responseEnd: "response-end"
        case .idle(let time): "idle \(time.exactText)"
        case .elapsed(let time): "elapsed \(time.exactText)"
        case .unread(let time): "unread \(time.exactText)"
        }
    }
}
